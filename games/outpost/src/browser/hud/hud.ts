/** Everything over the stage that both town and dungeon write to. */

import { linkWords } from "@nearfield/kit";
import { find, Writer } from "@nearfield/kit/browser";
import { Chat } from "./chat.ts";
import { Labels } from "./labels.ts";
import { Minimap } from "./minimap.ts";
import { NetPanel } from "./net-panel.ts";
import { PartyList } from "./party-list.ts";
import { Purse } from "./purse.ts";
import { Toasts } from "./toasts.ts";

export class Hud {
  readonly labels: Labels;
  readonly chat: Chat;
  readonly purse: Purse;
  readonly toasts: Toasts;
  readonly party: PartyList;
  readonly minimap: Minimap;
  readonly netPanel: NetPanel;
  readonly #writer: Writer;

  constructor(root: HTMLElement, say: (words: string) => void) {
    this.#writer = new Writer(root);
    this.labels = new Labels(find("#labels", root));
    this.chat = new Chat(root, say);
    this.purse = new Purse(find("#purse", root));
    this.toasts = new Toasts(find("#toasts", root));
    this.party = new PartyList(find("#party", root));
    this.minimap = new Minimap(find<HTMLCanvasElement>("#map", root));
    this.netPanel = new NetPanel(root);
  }

  /** What can be done here; empty: nothing. */
  prompt(words: string): void {
    this.#writer.hidden("prompt", words === "");
    this.#writer.text("prompt", words);
  }

  vitals(health: number, most: number, dash: number): void {
    const share = health / most;
    this.#writer.variable("health", "--share", share.toFixed(2));
    this.#writer.data("health", "state", share > 0.5 ? "good" : share > 0.25 ? "hurt" : "bad");
    this.#writer.text("health-number", String(health));
    this.#writer.variable("dash", "--share", dash.toFixed(2));
  }

  pain(strength: number): void {
    this.#writer.variable("pain", "--pain", strength.toFixed(2));
  }

  clock(ms: number): void {
    const seconds = Math.max(0, Math.ceil(ms / 1000));
    this.#writer.text("clock", `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
  }

  connection(roundTripMs: number, kind: string): void {
    this.#writer.data("connection", "state", roundTripMs >= 0 && roundTripMs < 200 ? "good" : "bad");
    this.#writer.text("ping", roundTripMs < 0 ? "…" : `${Math.round(roundTripMs)} ms`);
    this.#writer.text("link", linkWords(kind).short);
  }

  muted(isMuted: boolean): void {
    this.#writer.attribute("mute", "aria-pressed", String(isMuted));
  }
}
