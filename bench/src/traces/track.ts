/**
 * One entity of a trace over time. Between rows up to a second apart it moves in a straight line; where the trace is silent for longer it
 * stays where it was, until the next row. A dead entity is nowhere, and a projectile ends with its last row.
 */

import { Kind } from "./trace.ts";

/** Rows farther apart than this are not joined by a line. */
export const LONGEST_LINE_MS = 1000;

/** Where an entity is, and as what; reused between calls. */
export interface Place {
  x: number;
  y: number;
  z: number;
  /** Radians. */
  heading: number;
  kind: Kind;
  /** Whom a rider rides, as the trace calls it; "" for nobody. */
  carrier: string;
}

export const nowhere = (): Place => ({ x: 0, y: 0, z: 0, heading: 0, kind: Kind.any, carrier: "" });

export interface Row extends Place {
  readonly ms: number;
}

export class Track {
  /** As the trace calls it. */
  readonly id: string;
  readonly #rows: readonly Row[];
  #at = 0;

  /** @param rows by ascending time; of several at one time the last counts. */
  constructor(id: string, rows: readonly Row[]) {
    if (rows.length === 0) throw new RangeError(`track ${id}: has no rows`);
    this.id = id;
    this.#rows = rows;
  }

  get firstMs(): number {
    return this.#rows[0]!.ms;
  }

  get ridesAtTimes(): boolean {
    return this.#rows.some(({ carrier }) => carrier !== "");
  }

  /** Times between its rows, ms. */
  gapsMs(): number[] {
    return this.#rows.slice(1).map(({ ms }, index) => ms - this.#rows[index]!.ms);
  }

  /** When it first is a player, and so begins to look; `Infinity` for what never does. */
  get looksFromMs(): number {
    return this.#rows.find(({ kind }) => LOOKS.has(kind))?.ms ?? Number.POSITIVE_INFINITY;
  }

  /** When a player is gone for good: at its last death, if it does not come back. */
  get looksUntilMs(): number {
    if (this.#rows.at(-1)!.kind !== Kind.dead) return Number.POSITIVE_INFINITY;
    const lastAlive = this.#rows.findLastIndex(({ kind }) => kind !== Kind.dead);
    return this.#rows[lastAlive + 1]!.ms;
  }

  /** Writes where the entity is; false where it is nowhere. Questions come mostly in the order of time. */
  place(ms: number, out: Place): boolean {
    const rows = this.#rows;
    if (ms < rows[this.#at]!.ms) this.#at = 0;
    while (this.#at + 1 < rows.length && rows[this.#at + 1]!.ms <= ms) this.#at += 1;
    const before = rows[this.#at]!;
    const after = rows[this.#at + 1];
    if (ms < before.ms || before.kind === Kind.dead) return false;
    if (after === undefined && before.kind === Kind.projectile && ms > before.ms) return false;
    const spanMs = after === undefined ? Number.POSITIVE_INFINITY : after.ms - before.ms;
    const share = spanMs <= LONGEST_LINE_MS ? (ms - before.ms) / spanMs : 0;
    out.x = between(before.x, after?.x, share);
    out.y = between(before.y, after?.y, share);
    out.z = between(before.z, after?.z, share);
    out.kind = before.kind;
    out.carrier = before.carrier;
    out.heading = share === 0 ? before.heading : before.heading + share * turn(before.heading, after!.heading);
    return true;
  }
}

const LOOKS: ReadonlySet<Kind> = new Set([Kind.any, Kind.player, Kind.rider]);

function between(from: number, to: number | undefined, share: number): number {
  return share === 0 ? from : from + share * (to! - from);
}

/** The short way from one direction to another. */
function turn(from: number, to: number): number {
  const way = (to - from) % (2 * Math.PI);
  if (way > Math.PI) return way - 2 * Math.PI;
  return way < -Math.PI ? way + 2 * Math.PI : way;
}
