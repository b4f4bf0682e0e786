/** The title's part about accounts: as whom one plays, logging in to a claimed account, and logging out. */

import { AccountRefusal, find, type PageAccount } from "@nearfield/kit/browser";

export interface EntranceHandlers {
  /** Somebody has logged in, and plays under this name. */
  loggedIn(name: string): void;
}

export class Entrance {
  readonly #root: HTMLElement;
  readonly #account: PageAccount;
  readonly #handlers: EntranceHandlers;
  readonly #form: HTMLFormElement;
  readonly #words: HTMLElement;
  readonly #name: HTMLInputElement;
  readonly #password: HTMLInputElement;

  constructor(root: HTMLElement, account: PageAccount, handlers: EntranceHandlers) {
    this.#root = root;
    this.#account = account;
    this.#handlers = handlers;
    this.#form = find<HTMLFormElement>("#login", root);
    this.#words = find("#login-words", root);
    this.#name = find<HTMLInputElement>("#login-name", root);
    this.#password = find<HTMLInputElement>("#login-password", root);
    find("#login-open", root).addEventListener("click", () => this.#toggle(this.#form.hidden !== false));
    find("#login-forget", root).addEventListener("click", () => {
      account.forget();
      this.show();
    });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#logIn();
    });
    this.show();
  }

  /** Says as whom one plays. With words, the player must log in again, and they say why. */
  show(words = ""): void {
    const { name } = this.#account;
    find("#login-who", this.#root).textContent = name === undefined ? "You play as a guest." : `Your account: ${name}.`;
    find("#login-open", this.#root).hidden = name !== undefined && words === "";
    find("#login-forget", this.#root).hidden = name === undefined;
    if (name !== undefined) this.#name.value = name;
    this.#toggle(words !== "");
    this.#words.textContent = words;
  }

  #toggle(isOpen: boolean): void {
    this.#form.hidden = !isOpen;
    find("#login-open", this.#root).setAttribute("aria-expanded", String(isOpen));
    this.#words.textContent = "";
    if (!isOpen) return;
    (this.#name.value === "" ? this.#name : this.#password).focus({ preventScroll: true });
  }

  async #logIn(): Promise<void> {
    const fields = find<HTMLFieldSetElement>("fieldset", this.#form);
    fields.disabled = true;
    this.#words.textContent = "";
    try {
      await this.#account.logIn(this.#name.value, this.#password.value);
      this.#password.value = "";
      this.show();
      this.#handlers.loggedIn(this.#account.name ?? this.#name.value);
    } catch (error) {
      this.#words.textContent =
        error instanceof AccountRefusal ? error.message : "The server does not answer. Try again.";
    } finally {
      fields.disabled = false;
    }
  }
}
