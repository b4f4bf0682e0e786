/**
 * The list beside the zones: for every opponent, in which zone of the own view it is and how far its replica has diverged from the primary, as share of the
 * bound, in each dimension. The figures come from the server on its debug channel; a full bar is a replica that is due.
 */

import { playerColour } from "@nearfield/kit";
import { escapeText } from "@nearfield/kit/browser";
import { zoneColour } from "../palette.ts";
import type { Divergence, Figures, GameLink, PacReplica } from "./link.ts";

const EVERY_MS = 100;
/** Replicas are quantised to hundredths of a tile; a smaller divergence is none. */
const NOTHING = 0.01;
const ZONE_NAMES = ["exact", "coarse", "loose"];
const DIMENSIONS: readonly {
  readonly key: keyof Figures;
  readonly label: string;
  readonly show: (value: number) => string;
}[] = [
  { key: "time", label: "sec", show: (ms) => (ms / 1000).toFixed(2) },
  { key: "sequence", label: "steps", show: (count) => String(Math.round(count)) },
  { key: "value", label: "tiles", show: (tiles) => tiles.toFixed(1) },
];

export class Overlay {
  readonly #list: HTMLElement;
  #nextAt = 0;
  /** Opponents listed with figures; the browser test reads it. */
  shown = 0;

  constructor(list: HTMLElement) {
    this.#list = list;
  }

  update(link: GameLink, own: PacReplica | undefined, nameOf: (number: number) => string, nowMs: number): void {
    if (nowMs < this.#nextAt) return;
    this.#nextAt = nowMs + EVERY_MS;
    const byId = new Map(link.divergences().map((line) => [line.id, line]));
    const rows: { zone: number; name: string; markup: string }[] = [];
    for (const pac of link.pacs()) {
      const line = byId.get(pac.id);
      if (!line || pac.id === own?.id) continue;
      const name = nameOf(pac.number);
      rows.push({ zone: line.zone, name, markup: rowOf(pac, name, line) });
    }
    rows.sort((a, b) => a.zone - b.zone || a.name.localeCompare(b.name));
    this.shown = rows.length;
    this.#list.innerHTML =
      rows.length > 0
        ? rows.map((row) => row.markup).join("")
        : "<li class=empty>Waiting for figures from the server…</li>";
  }
}

function rowOf(pac: PacReplica, name: string, line: Divergence): string {
  const zone = `<i style="--zone:${zoneColour(line.zone)}">${ZONE_NAMES[Math.min(line.zone, 2)]}</i>`;
  const bars = DIMENSIONS.map(({ key, label, show }) => {
    const [now, bound] = [line.divergence[key], line.bound[key]];
    const share =
      bound === Number.POSITIVE_INFINITY ? 0 : bound === 0 ? (now >= NOTHING ? 1 : 0) : Math.min(1, now / bound);
    const limit = bound === Number.POSITIVE_INFINITY ? "∞" : show(bound);
    return `<div><span>${label}</span><b><u style="width:${(share * 100).toFixed(0)}%"></u></b><em>${show(now)} / ${limit}</em></div>`;
  });
  return `<li data-zone="${line.zone}" style="--pac:${playerColour(pac.colour)};--zone:${zoneColour(line.zone)}"><h3>${escapeText(name)}${zone}</h3>${bars.join("")}</li>`;
}
