/** What is selected: its picture, health and what it does; of many, how many of each kind; of a building, what it trains. */

import { find, make, type Writer } from "@nearfield/kit/browser";
import { KIND, KINDS } from "../../rules/kinds.ts";
import { DOINGS, type PieceKind, TRAINING_MOST, type UnitKind } from "../../state.ts";
import type { Field } from "../field.ts";
import type { WorksReplica } from "../network.ts";
import type { Squad } from "../select/squad.ts";
import { KIND_NAMES, KIND_WORDS } from "../words.ts";
import { icon } from "./icons.ts";

const DOING_WORDS: Readonly<Record<(typeof DOINGS)[number], string>> = {
  idle: "waits",
  moving: "on the way",
  fighting: "fights",
  gathering: "digs",
  carrying: "carries ore",
  building: "builds",
  repairing: "repairs",
};

export interface SelectionPanelHandlers {
  /** Select only this kind, by its number in `KINDS`. */
  only(kind: number): void;
  cancel(): void;
}

export class SelectionPanel {
  readonly #write: Writer;
  readonly #chips: readonly HTMLButtonElement[];
  readonly #queue: readonly HTMLButtonElement[];
  #iconOf = "";

  constructor(root: HTMLElement, write: Writer, handlers: SelectionPanelHandlers) {
    this.#write = write;
    this.#chips = KINDS.map((kind, number) => {
      const chip = make("button", { type: "button", "data-kind": kind, "aria-label": KIND_NAMES[kind] });
      chip.innerHTML = `${icon(kind)}<b></b><i></i>`;
      chip.hidden = true;
      chip.addEventListener("click", () => handlers.only(number));
      return chip;
    });
    find("#chips", root).replaceChildren(...this.#chips);
    this.#queue = Array.from({ length: TRAINING_MOST }, (_, at) => {
      const slot = make("button", { type: "button", "aria-label": "Take the last out of the queue" });
      slot.dataset["at"] = String(at);
      slot.addEventListener("click", () => handlers.cancel());
      return slot;
    });
    find("#queue", root).replaceChildren(...this.#queue);
  }

  show(squad: Squad, field: Field, works: WorksReplica | undefined, sideName: string): void {
    const write = this.#write;
    write.hidden("selected", squad.total === 0);
    if (squad.total === 0) return;
    const kind = KINDS[squad.focus]!;
    const isOne = squad.total === 1;
    if (this.#iconOf !== kind) write.markup("portrait", icon(kind));
    this.#iconOf = kind;
    write.text("selected-name", isOne ? KIND_NAMES[kind] : `${squad.total} selected`);
    write.text("selected-words", this.#words(squad, field, kind, sideName));
    write.data("selected", "many", String(!isOne));
    const health = squad.health[squad.focus]! / Math.max(1, squad.counts[squad.focus]!);
    write.variable("selected-health", "--share", (health / 100).toFixed(2));
    write.data("selected-health", "state", health > 60 ? "good" : health > 30 ? "hurt" : "bad");
    write.text("selected-percent", `${Math.round(health)} %`);
    this.#showChips(squad, isOne);
    this.#showQueue(squad, works);
  }

  #words(squad: Squad, { units }: Field, kind: PieceKind, sideName: string): string {
    if (!squad.isOwn) return sideName;
    if (squad.total > 1) return `${KIND_NAMES[kind]}: ${KIND_WORDS[kind]}`;
    if (squad.isBuilding)
      return squad.firstBuilt < 100 ? `under construction: ${squad.firstBuilt} %` : KIND_WORDS[kind];
    const doing = DOING_WORDS[DOINGS[units.doing[squad.firstRow]!]!];
    return kind === "builder" ? doing : `${doing} · ${KIND_WORDS[kind]}`;
  }

  #showChips({ counts, focus, health }: Squad, isOne: boolean): void {
    for (const [kind, chip] of this.#chips.entries()) {
      const count = isOne ? 0 : counts[kind]!;
      chip.hidden = count === 0;
      if (count === 0) continue;
      const number = chip.querySelector("b")!;
      if (number.textContent !== String(count)) number.textContent = String(count);
      chip.setAttribute("aria-pressed", String(kind === focus));
      chip.style.setProperty("--share", (health[kind]! / count / 100).toFixed(2));
    }
  }

  #showQueue(squad: Squad, works: WorksReplica | undefined): void {
    const write = this.#write;
    const training = squad.isOwn && works !== undefined && works.training !== "none" ? works.training : undefined;
    write.hidden("queue", training === undefined);
    write.hidden("queue-words", training === undefined);
    if (training === undefined || works === undefined) return;
    write.text("queue-words", `${KIND_NAMES[training]} ${works.progress} %`);
    for (const [at, slot] of this.#queue.entries()) {
      const kind = at === 0 ? training : works.waiting[at - 1];
      slot.hidden = kind === undefined;
      slot.dataset["first"] = String(at === 0);
      if (kind !== undefined) this.#paint(slot, kind);
    }
    this.#queue[0]!.style.setProperty("--share", (works.progress / 100).toFixed(2));
  }

  #paint(slot: HTMLButtonElement, kind: UnitKind): void {
    if (slot.dataset["kind"] === kind) return;
    slot.dataset["kind"] = kind;
    slot.innerHTML = icon(KINDS[KIND[kind]]!);
  }
}
