/** The sheet with the yards of all servers: who has which, where it lies, and what one can do: open one, go in, look for an opponent, go back. */

import { find, make, setText } from "@nearfield/kit/browser";
import { type SocialClient, SocialError, type SocialNews } from "@nearfield/social/client";
import { DUEL, DUEL_OVER } from "../shared.ts";

type RoomView = NonNullable<SocialNews["match"]["room"]>;

export interface YardsHandlers {
  /** @param page address of the server's page; undefined: of this page's own server */
  enter(yard: { readonly id: string; readonly name: string }, page: string | undefined): void;
  /** Back to the country. */
  back(): void;
}

/** The list is asked for so often while it is open, ms. */
const REFRESH_MS = 1000;

export class Yards {
  readonly #root: HTMLElement;
  readonly #handlers: YardsHandlers;
  #social: SocialClient | undefined;
  #rooms: readonly RoomView[] = [];
  /** What the list shows, to leave it alone while nothing has changed: somebody may be about to press. */
  #drawn = "";
  #isWaiting = false;
  #isOpen = false;
  /** Where the player is; undefined: in the country. */
  #within: string | undefined;
  /** Why this page has no account. */
  #reason = "";
  /** What happened last, for the player. */
  #note = "";

  constructor(root: HTMLElement, handlers: YardsHandlers) {
    this.#root = root;
    this.#handlers = handlers;
    setInterval(() => void this.#refresh(), REFRESH_MS);
    find("#yard-form", root).addEventListener("submit", (event) => {
      event.preventDefault();
      const name = find<HTMLInputElement>("#yard-name", root);
      void this.#try(async (social) => {
        const { id, address, ...room } = await social.ask("rooms.create", { name: name.value });
        name.value = "";
        this.#handlers.enter({ id, name: room.name }, address);
      });
    });
    find("#yard-duel", root).addEventListener("click", () => {
      void this.#try(async (social) => {
        await (this.#isWaiting ? social.ask("match.leave", {}) : social.ask("match.enter", { queue: DUEL }));
      });
    });
    find("#yard-back", root).addEventListener("click", () => handlers.back());
  }

  get #line(): string {
    return this.#note !== "" ? this.#note : this.#isWaiting ? "Looking for an opponent …" : "";
  }

  /** From now on this server answers. */
  hear(social: SocialClient): void {
    this.#social = social;
    this.#isWaiting = false;
    social.onNews("match.waiting", ({ isWaiting }) => {
      this.#isWaiting = isWaiting;
      this.#draw();
    });
    social.onNews("match", ({ room }) => {
      if (room !== undefined) this.#handlers.enter({ id: room.id, name: "Duel" }, room.address);
    });
    social.onGameNews(DUEL_OVER, (news) => {
      this.#note = `${(news as { winner: string }).winner} has won the duel.`;
    });
    void this.#refresh();
  }

  /** From now on no server answers. @param reason why there is no account, and so will be no yards */
  leave(reason = ""): void {
    this.#social = undefined;
    this.#reason = reason;
    this.#isWaiting = false;
    this.#note = "";
  }

  /** @param yard where the player is; undefined: in the country */
  show(isOpen: boolean, yard: { readonly id: string; readonly name: string } | undefined): void {
    const wasOpen = this.#isOpen;
    this.#isOpen = isOpen;
    this.#within = yard?.id;
    if (isOpen && !wasOpen) void this.#refresh();
    find("#yard-back", this.#root).hidden = yard === undefined;
    setText(find("#yard-line", this.#root), [yard?.name, this.#line].filter(Boolean).join(" · "));
  }

  async #refresh(): Promise<void> {
    if (!this.#isOpen) return;
    await this.#try(async (social) => {
      this.#rooms = await social.ask("rooms.list", {});
    });
  }

  async #try(task: (social: SocialClient) => Promise<void>): Promise<void> {
    const social = this.#social;
    let trouble = this.#reason === "" ? "" : `Yards need an account. ${this.#reason}`;
    try {
      if (social !== undefined) await task(social);
    } catch (error) {
      if (!(error instanceof SocialError)) throw error;
      trouble = error.message;
    }
    setText(find("#yard-trouble", this.#root), trouble);
    this.#draw();
  }

  #draw(): void {
    setText(find("#yard-duel", this.#root), this.#isWaiting ? "Stop looking" : "Find an opponent");
    const drawn = JSON.stringify([this.#rooms, this.#within]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const rows = this.#rooms.map((room) => {
      const { id, name, taken, places, address } = room;
      const isHere = id === this.#within;
      const go = make("button", { type: "button" }, isHere ? "You are here" : "Go in");
      go.disabled = isHere || taken >= places;
      go.addEventListener("click", () => this.#handlers.enter({ id, name }, address));
      const at = address === undefined ? "here" : new URL(address).host;
      const where = `${taken} of ${places} · ${at}`;
      return make("li", { "data-room": id }, make("b", {}, name), make("span", {}, where), go);
    });
    find("#yard-list", this.#root).replaceChildren(...rows);
    find("#yard-none", this.#root).hidden = rows.length > 0;
  }
}
