/**
 * The overlay's zones: those of the camera, and those around groups of the own units. The client is not told of the server's groups, so the page makes its
 * own by distance, with the same numbers. The server parts groups by heading too, so its circles can be smaller than these.
 */

import { COEFFICIENTS, units as GROUPING } from "../views.ts";
import { zoneOf } from "./art/zone-art.ts";
import type { Camera } from "./camera.ts";
import { type Overlay, OWN, type Pieces } from "./picture.ts";

const EVERY_MS = 200;
const RISE_MS = 260;
export const ZONES: number = COEFFICIENTS.length + 2;

interface Circle {
  x: number;
  y: number;
  radius: number;
}

export class ZonesShown {
  #isOn = false;
  #rise = 0;
  #groups: Circle[] = [];
  #groupedMs = Number.NEGATIVE_INFINITY;
  #shown: Overlay | undefined;

  get isOn(): boolean {
    return this.#isOn;
  }

  toggle(): void {
    this.#isOn = !this.#isOn;
  }

  /** Once a frame; gives what is to be drawn. */
  update(units: Pieces, camera: Camera, nowMs: number, elapsedMs: number): Overlay | undefined {
    const step = elapsedMs / RISE_MS;
    this.#rise = Math.min(1, Math.max(0, this.#rise + (this.#isOn ? step : -step)));
    camera.rise = this.#rise * this.#rise * (3 - 2 * this.#rise);
    if (this.#rise === 0) return undefined;
    if (nowMs - this.#groupedMs > EVERY_MS) {
      this.#groupedMs = nowMs;
      this.#groups = groupsOf(units);
    }
    this.#shown = {
      rise: camera.rise,
      camera: camera.rectangle(),
      coefficients: COEFFICIENTS,
      groups: this.#groups,
      groupFactors: GROUPING.coefficients,
    };
    return this.#shown;
  }

  /** The zone in which a place lies, by what was last drawn. */
  zoneAt(x: number, y: number): number {
    return this.#shown === undefined ? ZONES - 1 : zoneOf(this.#shown, x, y);
  }
}

/** Own units of which each is within `join` of another of its group. */
function groupsOf({ count, flags, x, y }: Pieces): Circle[] {
  const rows: number[] = [];
  for (let row = 0; row < count; row++) if ((flags[row]! & OWN) !== 0) rows.push(row);
  const cells = new Map<string, number[]>();
  const cellOf = (row: number): [number, number] => [
    Math.floor(x[row]! / GROUPING.join),
    Math.floor(y[row]! / GROUPING.join),
  ];
  for (const row of rows) {
    const key = cellOf(row).join();
    const cell = cells.get(key);
    if (cell) cell.push(row);
    else cells.set(key, [row]);
  }
  const seen = new Set<number>();
  const circles: Circle[] = [];
  for (const first of rows) {
    if (seen.has(first)) continue;
    seen.add(first);
    const members = [first];
    // The list grows while it is walked over.
    for (const row of members) {
      const [column, line] = cellOf(row);
      for (const [dx, dy] of AROUND)
        for (const near of cells.get(`${column + dx},${line + dy}`) ?? []) {
          if (seen.has(near) || Math.hypot(x[near]! - x[row]!, y[near]! - y[row]!) > GROUPING.join) continue;
          seen.add(near);
          members.push(near);
        }
    }
    circles.push(circleOf(members, x, y));
  }
  return circles;
}

const AROUND: readonly (readonly [number, number])[] = [-1, 0, 1].flatMap((dy) =>
  [-1, 0, 1].map((dx) => [dx, dy] as const),
);

function circleOf(members: readonly number[], x: Float32Array, y: Float32Array): Circle {
  const circle = { x: 0, y: 0, radius: 0 };
  for (const row of members) {
    circle.x += x[row]! / members.length;
    circle.y += y[row]! / members.length;
  }
  for (const row of members)
    circle.radius = Math.max(circle.radius, Math.hypot(x[row]! - circle.x, y[row]! - circle.y));
  circle.radius += GROUPING.margin;
  return circle;
}
