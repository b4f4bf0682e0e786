/** The audit: which share of the pairs looked at was within its bound, every fault, and every shortfall by zone and cause. */

import { Chart } from "../chart.ts";
import { find, make } from "../dom.ts";
import type { AuditFigures, ShortfallRow } from "../feed-types.ts";
import { setFigure } from "../figures.ts";
import { count, milliseconds, percent } from "../format.ts";
import type { Shown } from "../shown.ts";
import { FaultsCard } from "./faults.ts";

export class AuditPanel {
  readonly #place = find("#panel-audit");
  readonly #chart: Chart;
  readonly #faults: FaultsCard;

  /** @param onAsk somebody wants to know why the client was or was not sent the object. */
  constructor(onAsk: (player: number, object: number) => void) {
    this.#faults = new FaultsCard(onAsk);
    this.#chart = new Chart(find("#audit-chart"), {
      height: 150,
      format: (value) => count(value),
      atLeast: 10,
      seconds: () => 60,
      curves: [
        { label: "delivered", colour: "--past", filled: true },
        { label: "decided", colour: "--warm", dash: [6, 3] },
      ],
    });
  }

  show({ report, facts, series, endMs }: Shown): void {
    if (report === undefined || facts === undefined) return;
    const { audit } = report;
    this.#place.dataset["round"] = String(report.round);
    this.#showShares(audit);
    this.#faults.show(report, facts);
    for (const kind of ["delivered", "decided"] as const) {
      const rows = audit.shortfalls.filter(({ of }) => of === kind);
      this.#showShortfalls(kind, rows, facts.roundMs);
    }
    const { times, columns } = series.window(60_000, ["delivered", "decided"], endMs);
    this.#chart.show(times, columns);
  }

  #showShares(audit: AuditFigures): void {
    const figure = (name: string, value: number | null, text: string, isBad: boolean): void =>
      setFigure(this.#place, name, value, text, isBad ? "bad" : "");
    const { heldDelivered, heldDecided } = audit;
    const share = (name: string, value: number | null): void =>
      setFigure(this.#place, name, value, percent(value), value === null ? "" : value >= 0.999 ? "good" : "bad");
    share("held.delivered", heldDelivered);
    share("held.decided", heldDecided);
    figure("audit.delivered", audit.delivered, count(audit.delivered), false);
    figure("audit.decided", audit.decided, count(audit.decided), false);
    figure("audit.behind", audit.open, count(audit.open), audit.open > 0);
    figure("audit.faults", audit.faults, count(audit.faults), audit.faults > 0);
    figure("audit.examined", audit.examined, count(audit.examined), false);
    figure("audit.pairs", audit.pairs, count(audit.pairs), false);
    figure("audit.promised", audit.promised, count(audit.promised), false);
  }

  #showShortfalls(kind: "delivered" | "decided", rows: readonly ShortfallRow[], roundMs: number): void {
    const table = find(`#shortfalls-${kind}`);
    find(`[data-empty="${kind}"]`).hidden = rows.length > 0;
    table.hidden = rows.length === 0;
    const titles = ["Zone", "Cause", "Spells", "Pair-rounds", "Longest"];
    const cell = (name: string, value: number, text: string): HTMLElement =>
      make("td", { "data-figure": name, "data-value": String(value) }, text);
    find("thead", table).replaceChildren(make("tr", {}, ...titles.map((title) => make("th", { scope: "col" }, title))));
    find("tbody", table).replaceChildren(
      ...[...rows]
        .sort((a, b) => a.zone - b.zone || a.cause.localeCompare(b.cause))
        .map(({ zone, cause, spells, pairRounds, longestRounds }) =>
          make(
            "tr",
            { "data-zone": String(zone), "data-cause": cause },
            make("th", { scope: "row" }, `zone ${zone}`),
            make("td", {}, cause),
            cell("spells", spells, count(spells)),
            cell("pairRounds", pairRounds, count(pairRounds)),
            cell("longestRounds", longestRounds, milliseconds(longestRounds * roundMs)),
          ),
        ),
    );
  }
}
