/**
 * Computes in which (zone, sector) cell of a view an object is, by the definition of the consistency model, without the engine. So the printed
 * figures by cell check the engine independently. It counts pairs by cell, and computes how often each cell's time bound alone would send.
 */

import type { CellBounds } from "./paper.ts";

export class Cells {
  readonly zoneCount: number;
  readonly sectorCount: number;
  readonly #squares: readonly number[];
  readonly #cosines: readonly number[];

  constructor({ radii, sectors }: Pick<CellBounds, "radii" | "sectors">) {
    this.zoneCount = radii.length + 1;
    this.sectorCount = sectors.length + 1;
    this.#squares = radii.map((radius) => radius * radius);
    this.#cosines = sectors.map((degrees) => Math.cos((degrees * Math.PI) / 360));
  }

  get count(): number {
    return this.zoneCount * this.sectorCount;
  }

  /** Number of the cell: zone × sectors + sector. `dx`, `dy` lead from the pivot to the object, `lookX`, `lookY` is where the pivot looks. */
  of(dx: number, dy: number, lookX: number, lookY: number): number {
    const square = dx * dx + dy * dy;
    let zone = 0;
    while (zone < this.#squares.length && square > this.#squares[zone]!) zone += 1;
    return zone * this.sectorCount + this.#sectorOf(dx * lookX + dy * lookY, Math.sqrt(square));
  }

  #sectorOf(dot: number, distance: number): number {
    if (distance === 0) return 0;
    let sector = 0;
    while (sector < this.#cosines.length && dot < this.#cosines[sector]! * distance) sector += 1;
    return sector;
  }

  zoneOf(cell: number): number {
    return Math.floor(cell / this.sectorCount);
  }
}

/** Rounds from one send to the next of an object that changes in every round, in each cell: the first round whose time reaches the bound. */
export function roundsBetweenSends({ bounds }: CellBounds, roundMs: number): number[] {
  return bounds.flat().map(({ time = Number.POSITIVE_INFINITY }) => Math.max(1, Math.ceil(time / roundMs)));
}

/** The ratio that the shares of pairs and the time bounds predict: updates of broadcast ÷ updates of a view in which every cell sends as often as its time bound asks. */
export function predictedRatio(shares: readonly number[], rounds: readonly number[]): number {
  const total = shares.reduce((sum, share) => sum + share, 0);
  return total / shares.reduce((sum, share, cell) => sum + share / rounds[cell]!, 0);
}
