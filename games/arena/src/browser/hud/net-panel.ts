/**
 * The network overlay's figures: what this client gets and sends now, over which link, and the nine cells of its view with the bound of each, who is
 * in it, and how many updates came from there in the last second.
 */

import { linkWords } from "@nearfield/kit";
import type { FrameTimes, Writer } from "@nearfield/kit/browser";
import { PAPER_VIEWS } from "../../views.ts";
import { cellsOf } from "../art/view-art.ts";
import type { Figure } from "../figure.ts";

/** How often figures are written: a reader cannot follow more. */
const EVERY_MS = 500;
const CELLS = 9;
const SECTOR_NAMES = ["in front", "beside", "behind"] as const;

export interface NetFigures {
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly packetsIn: number;
  readonly wireBytesIn: number;
  readonly linkKind: string;
  readonly roundTripMs: number;
  readonly roundMs: number;
  readonly times: FrameTimes;
}

export class NetPanel {
  readonly #write: Writer;
  readonly #updates = new Float64Array(CELLS);
  readonly #people = new Float64Array(CELLS);
  #sinceMs = 0;
  #bytesIn = 0;
  #bytesOut = 0;
  #packetsIn = 0;
  #wireBytesIn = 0;
  #linkKind = "";

  constructor(write: Writer) {
    this.#write = write;
    write.markup("net-cells", tableOf());
  }

  /** Once per frame while the overlay is open: counts what came, by the cell it came from. */
  count(figures: readonly Figure[], nowMs: number): void {
    this.#people.fill(0);
    for (const { own, cell, track } of figures) {
      if (own || !cell) continue;
      const at = cell.sector * 3 + cell.zone;
      this.#people[at]! += 1;
      if (track.sentMs === nowMs) this.#updates[at]! += 1;
    }
  }

  show(figures: NetFigures, zoomed: boolean, nowMs: number): void {
    const seconds = (nowMs - this.#sinceMs) / 1000;
    if (seconds * 1000 < EVERY_MS) return;
    const begins = seconds > 2 || figures.linkKind !== this.#linkKind;
    const perSecond = (now: number, before: number): number => (begins ? 0 : Math.max(0, now - before) / seconds);
    const [inwards, outwards] = [
      perSecond(figures.bytesIn, this.#bytesIn),
      perSecond(figures.bytesOut, this.#bytesOut),
    ];
    const total = begins ? 0 : this.#updates.reduce((sum, count) => sum + count, 0) / seconds;
    const others = this.#people.reduce((sum, count) => sum + count, 0);
    const write = this.#write;
    write.text("net-link", linkWords(figures.linkKind).long);
    write.data("net-link", "kind", figures.linkKind);
    write.text("net-in", `${kilo(inwards)}/s`);
    write.text("net-out", `${kilo(outwards)}/s`);
    write.text("net-packets", `${Math.round(perSecond(figures.packetsIn, this.#packetsIn))}/s`);
    write.text("net-wire", `${kilo(perSecond(figures.wireBytesIn, this.#wireBytesIn))}/s`);
    write.text("net-updates", `${Math.round(total)}/s`);
    write.text("net-broadcast", `${Math.round(figures.roundMs > 0 ? (others * 1000) / figures.roundMs : 0)}/s`);
    write.text("net-trip", figures.roundTripMs < 0 ? "…" : `${Math.round(figures.roundTripMs)} ms`);
    write.text("net-script", `${figures.times.percentile(0.5).toFixed(1)} ms`);
    this.#showCells(zoomed, begins ? 0 : seconds);
    this.#sinceMs = nowMs;
    this.#bytesIn = figures.bytesIn;
    this.#bytesOut = figures.bytesOut;
    this.#packetsIn = figures.packetsIn;
    this.#wireBytesIn = figures.wireBytesIn;
    this.#linkKind = figures.linkKind;
    this.#updates.fill(0);
  }

  #showCells(zoomed: boolean, seconds: number): void {
    const { radii, sectors } = PAPER_VIEWS[zoomed ? "zoom" : "normal"];
    const write = this.#write;
    write.text("net-view", zoomed ? "through the scope" : "plain sight");
    for (let cell = 0; cell < CELLS; cell++) {
      const people = this.#people[cell]!;
      write.text(`cell-${cell}-people`, people === 0 ? "–" : String(people));
      write.text(
        `cell-${cell}-updates`,
        seconds === 0 || people === 0 ? "" : `${Math.round(this.#updates[cell]! / seconds)}/s`,
      );
      write.variable(`cell-${cell}`, "--fill", String(Math.min(1, people / 6)));
    }
    for (const zone of [0, 1, 2]) write.text(`zone-${zone}`, zone < 2 ? `≤ ${radii[zone]}` : "beyond");
    for (const sector of [0, 1, 2]) {
      write.text(`sector-${sector}`, `${SECTOR_NAMES[sector]} ${sectors[sector] ?? 360}°`);
    }
  }
}

function tableOf(): string {
  const rows = cellsOf(PAPER_VIEWS.normal);
  const head = [0, 1, 2].map((zone) => `<th id="zone-${zone}"></th>`).join("");
  const body = rows.map((row, sector) => {
    const cells = row.map(({ timeMs, colour, zone }) => {
      const cell = sector * 3 + zone;
      return `<td id="cell-${cell}" style="--colour:${colour}"><small>${timeMs} ms</small><b id="cell-${cell}-people">–</b><i id="cell-${cell}-updates"></i></td>`;
    });
    return `<tr><th id="sector-${sector}"></th>${cells.join("")}</tr>`;
  });
  return `<table><thead><tr><th></th>${head}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

function kilo(bytes: number): string {
  return bytes < 1000 ? `${Math.round(bytes)} B` : `${(bytes / 1000).toFixed(1)} kB`;
}
