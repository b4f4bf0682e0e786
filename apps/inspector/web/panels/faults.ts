/** What the auditor found wrong: by kind, and pair by pair, with the client, the object, and since when. */

import { find, make, setText } from "../dom.ts";
import type { AuditFigures, FaultKindRow, FaultyPairRow, Report } from "../feed-types.ts";
import { writeFigure } from "../figures.ts";
import { count, counted, milliseconds, span } from "../format.ts";
import type { Facts } from "../shown.ts";

/** What each kind says of the client's replica. */
const MEANINGS: Readonly<Record<string, string>> = {
  missing: "an object that the client should have was never sent",
  late: "a pair over its bound was not sent",
  lingering: "the client has an object that is gone, out of range or hidden, and was not told",
  leaked: "an object was sent that the client must not know of",
  uncounted: "a pair was short for want of bytes, and the model's account does not say so",
};

const COLUMNS = ["client", "object", "zone", "cause", "since", "last", "looks", "state"] as const;
type Column = (typeof COLUMNS)[number];

export class FaultsCard {
  readonly #place = find("#faults");
  readonly #kinds = find("#fault-kinds");
  readonly #body = find("#faulty-pairs tbody");
  readonly #rows = new Map<string, HTMLTableRowElement>();
  readonly #onAsk: (player: number, object: number) => void;

  /** @param onAsk somebody wants to know why the client was or was not sent the object. */
  constructor(onAsk: (player: number, object: number) => void) {
    this.#onAsk = onAsk;
  }

  show({ audit, round, timeMs }: Report, facts: Facts): void {
    const isFaulty = audit.faults > 0;
    this.#place.dataset["faulty"] = String(isFaulty);
    const empty = find('[data-empty="faults"]');
    empty.hidden = isFaulty;
    setText(empty, emptyWords(audit, facts.roundMs));
    this.#kinds.hidden = !isFaulty;
    find("#faulty-pairs").hidden = !isFaulty;
    const ago = (since: number): string => `${span(Math.max(0, timeMs - since * facts.roundMs))} ago`;
    this.#showKinds(audit.faultKinds, ago);
    this.#showPairs(audit.faultyPairs, facts, ago);
    this.#place.dataset["round"] = String(round);
  }

  #showKinds(kinds: readonly FaultKindRow[], ago: (round: number) => string): void {
    this.#kinds.replaceChildren(
      ...kinds.map(({ kind, looks, first, last }) =>
        make(
          "li",
          { "data-kind": kind },
          make("b", { class: "tag", "data-level": "bad" }, kind),
          make("span", { "data-figure": `fault.${kind}`, "data-value": String(looks) }, counted(looks, "look")),
          make("span", { "data-figure": `fault.${kind}.first`, "data-value": String(first) }, `first ${ago(first)}`),
          make("span", { "data-figure": `fault.${kind}.last`, "data-value": String(last) }, `last ${ago(last)}`),
          make("small", {}, MEANINGS[kind] ?? ""),
        ),
      ),
    );
  }

  /** The pair that was found last stands first. Rows stay, so that a click in the moment of a new report is not lost. */
  #showPairs(pairs: readonly FaultyPairRow[], facts: Facts, ago: (round: number) => string): void {
    const rows = pairs.toReversed().map((pair) => {
      const key = `${pair.kind} ${pair.player} ${pair.object} ${pair.since}`;
      const row = this.#rows.get(key) ?? this.#newRow(key, pair);
      this.#fill(row, pair, facts, ago);
      return row;
    });
    for (const [key, row] of this.#rows) if (!rows.includes(row)) this.#rows.delete(key);
    if (rows.some((row, index) => this.#body.children[index] !== row) || rows.length !== this.#body.childElementCount)
      this.#body.replaceChildren(...rows);
  }

  #newRow(key: string, { kind, player, object }: FaultyPairRow): HTMLTableRowElement {
    const ask = make("button", { type: "button", title: "Why was it sent, or not?" }, "why?");
    ask.addEventListener("click", () => this.#onAsk(player, object));
    const row = make(
      "tr",
      { "data-kind": kind, "data-player": String(player), "data-object": String(object) },
      make("th", { scope: "row" }, kind),
      ...COLUMNS.map((name) => make("td", { "data-figure": `pair.${name}` })),
      make("td", {}, ask),
    );
    this.#rows.set(key, row);
    return row;
  }

  #fill(row: HTMLElement, pair: FaultyPairRow, { types }: Facts, ago: (round: number) => string): void {
    const { player, nickname, object, type, zone, cause, since, last, looks, isOver } = pair;
    const name = type === null ? "gone" : (types[type]?.name ?? "object");
    const write = (column: Column, value: number | string, text: string): void =>
      writeFigure(find(`[data-figure="pair.${column}"]`, row), value, text);
    write("client", player, nickname === null ? `left #${player}` : `${nickname} #${player}`);
    write("object", object, `${name} #${object}`);
    write("zone", zone, `zone ${zone}`);
    write("cause", cause, cause);
    write("since", since, ago(since));
    write("last", last, ago(last));
    write("looks", looks, count(looks));
    write("state", isOver ? "over" : "open", isOver ? "in order since" : "found in every look");
    row.dataset["over"] = String(isOver);
    find<HTMLButtonElement>("button", row).hidden = nickname === null || type === null;
  }
}

function emptyWords({ examined, roundsPerPass }: AuditFigures, roundMs: number): string {
  if (roundsPerPass === null) return "Nobody audits this room: its auditSample is 0.";
  const pass = `${counted(roundsPerPass, "round")}, ${milliseconds(roundsPerPass * roundMs)}`;
  return `None in ${counted(examined, "look")}. Every pair of a client and an object is looked at once in ${pass}.`;
}
