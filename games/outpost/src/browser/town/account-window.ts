/** The window of the own account: a guest claims it with a name and a password; whoever has done so sees as whom it plays, and logs out. */

import { AccountRefusal, make } from "@nearfield/kit/browser";
import { button, type WindowWorld } from "./window-parts.ts";

export function accountNodes(world: WindowWorld): Node[] {
  const { name } = world.account;
  return name === undefined ? claimNodes(world) : ownNodes(world, name);
}

function ownNodes(world: WindowWorld, name: string): Node[] {
  return [
    make("p", {}, "This account is ", make("b", { id: "account-name" }, name), "’s."),
    make("p", {}, "Log in with this name and your password from any browser: your stash is there too."),
    make("div", { class: "row" }, button("Log out", world.logOut, { id: "log-out" })),
  ];
}

function claimNodes(world: WindowWorld): Node[] {
  const words = make("p", { class: "refusal", id: "claim-words", role: "alert" });
  const save = make("button", { type: "submit", class: "primary", id: "claim" }, "Keep my stash");
  const fields = make(
    "fieldset",
    {},
    field("Name", { id: "claim-name", autocomplete: "username", maxlength: "24", spellcheck: "false" }),
    field("Password", { id: "claim-password", type: "password", autocomplete: "new-password", minlength: "8" }),
    make("div", { class: "row" }, save),
  );
  const form = make("form", { class: "fields" }, fields, words);
  const value = (id: string): string => form.querySelector<HTMLInputElement>(`#${id}`)!.value;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    fields.disabled = true;
    words.textContent = "";
    void world.account
      .claim(value("claim-name"), value("claim-password"))
      .catch((error: unknown) => {
        words.textContent = error instanceof AccountRefusal ? error.message : "The server does not answer. Try again.";
      })
      .finally(() => {
        fields.disabled = false;
      });
  });
  return [
    make(
      "p",
      {},
      "You play as a guest: your stash hangs on this browser alone. Give the account a name and a password, and it is yours from anywhere.",
    ),
    form,
  ];
}

function field(words: string, attributes: Readonly<Record<string, string>>): HTMLElement {
  return make("label", {}, make("span", {}, words), make("input", { type: "text", required: "", ...attributes }));
}
