/** The figures around the stage: ore, units, idle builders, clock, control groups, connection. */

import { type LinkStatus, linkWords } from "@nearfield/kit";
import { find, make, type Writer } from "@nearfield/kit/browser";
import type { PurseReplica } from "../network.ts";
import type { ControlGroups } from "../select/control-groups.ts";

export interface HudState {
  readonly purse: PurseReplica | undefined;
  readonly idleBuilders: number;
  /** `m:ss`, or "" while no match is on. */
  readonly clock: string;
  readonly status: LinkStatus;
  readonly pingMs: number;
  readonly linkKind: string;
  readonly muted: boolean;
  readonly edges: boolean;
}

export class Hud {
  readonly #write: Writer;
  readonly #tabs: readonly HTMLButtonElement[];

  constructor(root: HTMLElement, write: Writer, recall: (digit: number) => void) {
    this.#write = write;
    // As on a keyboard: 1 to 9, then 0.
    this.#tabs = Array.from({ length: 10 }, (_, at) => {
      const digit = (at + 1) % 10;
      const tab = make("button", { type: "button", "aria-label": `Group ${digit}` });
      tab.innerHTML = `<kbd>${digit}</kbd><b></b>`;
      tab.hidden = true;
      tab.dataset["digit"] = String(digit);
      tab.addEventListener("click", () => {
        recall(digit);
        tab.blur();
      });
      return tab;
    });
    find("#groups", root).replaceChildren(...this.#tabs);
  }

  show(state: HudState, groups: ControlGroups): void {
    const write = this.#write;
    const { purse } = state;
    write.hidden("purse", purse === undefined);
    if (purse !== undefined) {
      write.text("ore", String(purse.ore));
      write.text("unit-count", `${purse.units} / ${purse.unitsMost}`);
    }
    write.hidden("idle", state.idleBuilders === 0);
    write.text("idle-count", String(state.idleBuilders));
    write.text("clock", state.clock);
    const isGood = state.status.kind === "playing";
    write.text("ping", isGood ? (state.pingMs < 0 ? "…" : `${Math.round(state.pingMs)} ms`) : state.status.kind);
    write.data("connection", "state", isGood ? (state.pingMs > 200 ? "slow" : "good") : "bad");
    write.text("link", linkWords(state.linkKind).short);
    write.attribute("mute", "aria-pressed", String(state.muted));
    write.text("edges-state", state.edges ? "on" : "off");
    for (const tab of this.#tabs) {
      const size = groups.sizeOf(Number(tab.dataset["digit"]));
      if (tab.hidden !== (size === 0)) tab.hidden = size === 0;
      const words = String(size);
      const count = tab.lastElementChild!;
      if (count.textContent !== words) count.textContent = words;
    }
  }
}
