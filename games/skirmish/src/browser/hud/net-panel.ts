/**
 * The network overlay's figures: what this client gets and sends now, over which link, and the zones of its view with the bound of each, how many foreign
 * pieces are in it, and how many updates came from there in the last second. A broadcast would send every moving piece in every round; of what lies in the
 * fog the page knows nothing, so its broadcast leaves that out.
 */

import type { Bound } from "@nearfield/core";
import { linkWords, type Traffic } from "@nearfield/kit";
import type { FrameTimes, Writer } from "@nearfield/kit/browser";
import { OWN_BOUNDS, view } from "../../views.ts";
import { ZONES as COLOURS } from "../art/palette.ts";
import type { Field } from "../field.ts";
import { OWN, type Pieces } from "../picture.ts";
import { ZONES, type ZonesShown } from "../zones-shown.ts";

/** How often figures are written: a reader cannot follow more. */
const EVERY_MS = 500;
/** A unit that is shown this far from where it was a round ago has moved, world units. */
const MOVED = 0.25;
const ZONE_NAMES: readonly string[] = ["screen and units", "near", "farther", "the rest"];

export interface NetFigures extends Traffic {
  readonly linkKind: string;
  readonly roundTripMs: number;
  readonly roundMs: number;
  readonly times: FrameTimes;
}

export class NetPanel {
  readonly #write: Writer;
  /** By zone; the last entry: own units. */
  readonly #updates = new Float64Array(ZONES + 1);
  readonly #pieces = new Float64Array(ZONES + 1);
  /** Where units were shown a round ago, by id; and how many had moved since then, round by round. */
  readonly #places = new Map<number, { x: number; y: number }>();
  #placedMs = 0;
  #moves = 0;
  #countedMs = 0;
  #sinceMs = 0;
  #before: Traffic = { bytesIn: 0, bytesOut: 0, packetsIn: 0, wireBytesIn: 0 };
  #linkKind = "";

  constructor(write: Writer) {
    this.#write = write;
    write.markup("net-zones", tableOf());
  }

  /** Once per frame while the overlay is open: counts what came since the last one, by the zone it came from. */
  count({ units }: Field, zones: ZonesShown, roundMs: number, nowMs: number): void {
    this.#pieces.fill(0);
    for (let row = 0; row < units.count; row++) {
      const isOwn = (units.flags[row]! & OWN) !== 0;
      const at = isOwn ? ZONES : zones.zoneAt(units.x[row]!, units.y[row]!);
      this.#pieces[at]! += 1;
      if (units.updatedMs[row]! > this.#countedMs) this.#updates[at]! += 1;
    }
    // Replicas are stamped by the clock, not by the time of the frame.
    this.#countedMs = performance.now();
    if (nowMs - this.#placedMs < roundMs) return;
    this.#placedMs = nowMs;
    this.#countMoves(units);
  }

  /** How many units a broadcast would have sent in this round. */
  #countMoves({ count, id, x, y }: Pieces): void {
    for (let row = 0; row < count; row++) {
      const before = this.#places.get(id[row]!);
      if (before === undefined) this.#places.set(id[row]!, { x: x[row]!, y: y[row]! });
      else {
        if (Math.hypot(before.x - x[row]!, before.y - y[row]!) > MOVED) this.#moves += 1;
        before.x = x[row]!;
        before.y = y[row]!;
      }
    }
  }

  show(figures: NetFigures, nowMs: number): void {
    const seconds = (nowMs - this.#sinceMs) / 1000;
    if (seconds * 1000 < EVERY_MS) return;
    const begins = seconds > 2 || figures.linkKind !== this.#linkKind;
    const perSecond = (of: keyof Traffic): number =>
      begins ? 0 : Math.max(0, figures[of] - this.#before[of]) / seconds;
    const updates = begins ? 0 : this.#updates.reduce((sum, count) => sum + count, 0) / seconds;
    const broadcast = begins ? 0 : this.#moves / seconds;
    const bytes = perSecond("bytesIn");
    const write = this.#write;
    const { linkKind } = figures;
    write.text("net-link", linkWords(linkKind).long);
    write.data("net-link", "kind", linkKind);
    write.text("net-in", `${kilo(bytes)}/s`);
    write.text(
      "net-in-broadcast",
      updates > 0 && broadcast > updates ? `${kilo((bytes * broadcast) / updates)}/s` : "–",
    );
    write.text("net-wire", `${kilo(perSecond("wireBytesIn"))}/s`);
    write.text("net-packets", `${Math.round(perSecond("packetsIn"))}/s`);
    write.text("net-out", `${kilo(perSecond("bytesOut"))}/s`);
    write.text("net-updates", `${Math.round(updates)}/s`);
    write.text("net-broadcast", `${Math.round(broadcast)}/s`);
    write.text("net-trip", figures.roundTripMs < 0 ? "…" : `${Math.round(figures.roundTripMs)} ms`);
    write.text("net-script", `${figures.times.percentile(0.5).toFixed(1)} ms`);
    this.#showZones(begins ? 0 : seconds);
    this.#sinceMs = nowMs;
    this.#before = figures;
    this.#linkKind = linkKind;
    this.#updates.fill(0);
    this.#moves = 0;
  }

  #showZones(seconds: number): void {
    for (let zone = 0; zone <= ZONES; zone++) {
      const pieces = this.#pieces[zone]!;
      this.#write.text(`zone-${zone}-pieces`, String(pieces));
      this.#write.text(`zone-${zone}-updates`, seconds === 0 ? "–" : `${Math.round(this.#updates[zone]! / seconds)}/s`);
      this.#write.data(`zone-${zone}`, "lit", String(this.#updates[zone]! > 0));
    }
  }
}

function tableOf(): string {
  const bounds = view.sets[0]!.bounds as readonly Bound[];
  const inWords = ({ time = 0, value = 0 }: (typeof bounds)[number]): string => `${value} units, ${time / 1000} s`;
  const all = [
    ...bounds.map((bound, zone) => [ZONE_NAMES[zone], inWords(bound)]),
    ["your own", inWords(OWN_BOUNDS.at(-1)!)],
  ];
  const body = all.map(
    ([name, bound], zone) =>
      `<tr id="zone-${zone}" style="--zone:${zone < ZONES ? hex(COLOURS[zone]!) : "#fff"}"><th>${name}</th><td>${bound}</td><td id="zone-${zone}-pieces">0</td><td id="zone-${zone}-updates">–</td></tr>`,
  );
  return `<table><thead><tr><th></th><th>may be off by</th><th>units</th><th>sent</th></tr></thead><tbody>${body.join("")}</tbody></table>`;
}

function hex(colour: number): string {
  return `#${colour.toString(16).padStart(6, "0")}`;
}

function kilo(bytes: number): string {
  return bytes < 1000 ? `${Math.round(bytes)} B` : `${(bytes / 1000).toFixed(1)} kB`;
}
