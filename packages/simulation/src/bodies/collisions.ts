/**
 * Collisions between entities (N §3.5.2.1): which of the bodies that a game adds in a round overlap. A grid finds the pairs that may overlap,
 * and an exact test finds those that do.
 *
 *     collisions.clear();
 *     for (const ship of world.all(Ship)) collisions.add(ship.id, hull, ship.x, ship.y);
 *     const pairs = collisions.find();
 *     for (let i = 0; i < pairs; i++) bounce(collisions.first[i]!, collisions.second[i]!);
 *
 * A body lies in every grid cell that its bounding box touches. A pair that shares several cells is tested in only one of them, the cell with
 * the lower corner of the boxes' intersection, so no pair is found twice. A body over too many cells is compared with all others
 * instead. Invariant: the pairs and their order depend on the bodies and the order in which they were added, not on the grid.
 *
 * Columns grow by doubling and are used again: a steady round allocates nothing but two array views.
 */

import type { ObjectId } from "@nearfield/schema";
import { grown } from "@nearfield/schema/internal";
import { SimulationError } from "../errors.ts";
import { BODY_SIZE, type BodyShape, type Contact, findContact } from "./contact.ts";

export interface CollisionOptions {
  /** Edge of a grid cell in world units; best a little more than the size of a usual body. */
  readonly cell: number;
  /** Default 2. In 2D every z is 0. */
  readonly axes?: 2 | 3;
  /** Most bodies at once. Default 65,536; one more throws. */
  readonly maxBodies?: number;
}

/** A body that touches more cells than this is compared with every other one. */
const MOST_CELLS = 64;
const FIRST_BODIES = 64;

export class Collisions {
  /** What was found, by columns that are valid until the next `find`: ids, unit normal from first to second, depth. */
  first: Uint32Array = new Uint32Array(FIRST_BODIES);
  second: Uint32Array = new Uint32Array(FIRST_BODIES);
  normalX: Float64Array = new Float64Array(FIRST_BODIES);
  normalY: Float64Array = new Float64Array(FIRST_BODIES);
  normalZ: Float64Array = new Float64Array(FIRST_BODIES);
  depth: Float64Array = new Float64Array(FIRST_BODIES);
  readonly #cell: number;
  readonly #axes: 2 | 3;
  readonly #maxBodies: number;
  readonly #contact: Contact = { normalX: 0, normalY: 0, normalZ: 0, depth: 0 };
  readonly #bodies: { numbers: Float64Array; round: Uint8Array } = {
    numbers: new Float64Array(FIRST_BODIES * BODY_SIZE),
    round: new Uint8Array(FIRST_BODIES),
  };
  #ids: Uint32Array = new Uint32Array(FIRST_BODIES);
  #count = 0;
  /** Cells that bodies lie in: whose, and which (three numbers each); `#next` chains those of one bucket. */
  #entryBody: Int32Array = new Int32Array(FIRST_BODIES);
  #entryCell: Int32Array = new Int32Array(FIRST_BODIES * 3);
  #next: Int32Array = new Int32Array(FIRST_BODIES);
  #entries = 0;
  #buckets: Int32Array = new Int32Array(FIRST_BODIES * 2).fill(-1);
  #large: Int32Array = new Int32Array(FIRST_BODIES);
  #isLarge: Uint8Array = new Uint8Array(FIRST_BODIES);
  #largeCount = 0;
  /** Pairs that overlap: index of the first × count + index of the second. */
  #pairs: Float64Array = new Float64Array(FIRST_BODIES);
  #pairCount = 0;

  constructor({ cell, axes = 2, maxBodies = 65_536 }: CollisionOptions) {
    if (!(cell > 0 && Number.isFinite(cell))) throw badOption(`cell is ${cell}, but must be above 0`);
    if (!(maxBodies >= 1)) throw badOption(`maxBodies is ${maxBodies}, but must be at least 1`);
    this.#cell = cell;
    this.#axes = axes;
    this.#maxBodies = maxBodies;
  }

  /** Bodies added since `clear`. */
  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Adds a body with its centre there. Pairs are reported by their ids. Several bodies may have the same id; these never form a pair. */
  add(id: ObjectId, shape: BodyShape, x: number, y: number, z = 0): void {
    const index = this.#count;
    if (index >= this.#maxBodies) throw badOption(`more than maxBodies (${this.#maxBodies}) were added in one round`);
    if (!(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z)))
      throw badOption(`body ${id} lies at ${x}, ${y}, ${z}, but must have finite coordinates`);
    if (index === this.#ids.length) this.#growBodies();
    const at = index * BODY_SIZE;
    const { numbers, round } = this.#bodies;
    const isRound = shape.kind === "circle";
    this.#ids[index] = id;
    round[index] = isRound ? 1 : 0;
    numbers[at] = x;
    numbers[at + 1] = y;
    numbers[at + 2] = this.#axes === 3 ? z : 0;
    numbers[at + 3] = isRound ? shape.radius : shape.halfX;
    numbers[at + 4] = isRound ? shape.radius : shape.halfY;
    numbers[at + 5] = isRound ? shape.radius : (shape.halfZ ?? 0);
    for (let axis = 0; axis < this.#axes; axis++) {
      const half = numbers[at + 3 + axis]!;
      if (!(half >= 0 && half < 2 ** 40))
        throw badOption(`body ${id} has a half size of ${half}, but must have 0 or more`);
    }
    this.#count = index + 1;
  }

  /** Finds all pairs that overlap and returns how many; they stand in the columns, in the order in which the bodies were added. */
  find(): number {
    this.#fillGrid();
    this.#pairCount = 0;
    for (let entry = 0; entry < this.#entries; entry++) this.#meetBucket(entry);
    this.#meetLarge();
    this.#pairs.subarray(0, this.#pairCount).sort();
    this.#writeColumns();
    return this.#pairCount;
  }

  // ── the grid ───────────────────────────────────────────────────────────────────────────────────────────────────

  #fillGrid(): void {
    this.#entries = 0;
    this.#largeCount = 0;
    let buckets = this.#buckets.length;
    while (buckets < this.#count * 4) buckets *= 2;
    if (buckets > this.#buckets.length) this.#buckets = new Int32Array(buckets);
    this.#buckets.fill(-1);
    for (let body = 0; body < this.#count; body++) this.#enter(body);
  }

  #enter(body: number): void {
    const fromX = this.#lowCell(body, 0);
    const fromY = this.#lowCell(body, 1);
    const fromZ = this.#axes === 3 ? this.#lowCell(body, 2) : 0;
    const toX = this.#highCell(body, 0);
    const toY = this.#highCell(body, 1);
    const toZ = this.#axes === 3 ? this.#highCell(body, 2) : 0;
    const isLarge = (toX - fromX + 1) * (toY - fromY + 1) * (toZ - fromZ + 1) > MOST_CELLS;
    this.#isLarge[body] = isLarge ? 1 : 0;
    if (isLarge) {
      this.#large[this.#largeCount++] = body;
      return;
    }
    for (let x = fromX; x <= toX; x++)
      for (let y = fromY; y <= toY; y++) for (let z = fromZ; z <= toZ; z++) this.#enterCell(body, x, y, z);
  }

  #enterCell(body: number, x: number, y: number, z: number): void {
    const entry = this.#entries;
    if (entry === this.#entryBody.length) this.#growEntries();
    const bucket = this.#bucketOf(x, y, z);
    this.#entryBody[entry] = body;
    this.#entryCell[entry * 3] = x;
    this.#entryCell[entry * 3 + 1] = y;
    this.#entryCell[entry * 3 + 2] = z;
    this.#next[entry] = this.#buckets[bucket]!;
    this.#buckets[bucket] = entry;
    this.#entries = entry + 1;
  }

  #bucketOf(x: number, y: number, z: number): number {
    const mixed = Math.imul(x, 0x9e37_79b1) ^ Math.imul(y, 0x85eb_ca77) ^ Math.imul(z, 0xc2b2_ae3d);
    return (mixed ^ (mixed >>> 15)) & (this.#buckets.length - 1);
  }

  #lowCell(body: number, axis: number): number {
    const at = body * BODY_SIZE + axis;
    return cellAt((this.#bodies.numbers[at]! - this.#bodies.numbers[at + 3]!) / this.#cell);
  }

  #highCell(body: number, axis: number): number {
    const at = body * BODY_SIZE + axis;
    return cellAt((this.#bodies.numbers[at]! + this.#bodies.numbers[at + 3]!) / this.#cell);
  }

  // ── pairs ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The entry's body against those that entered the same cell before it. */
  #meetBucket(entry: number): void {
    const x = this.#entryCell[entry * 3]!;
    const y = this.#entryCell[entry * 3 + 1]!;
    const z = this.#entryCell[entry * 3 + 2]!;
    const body = this.#entryBody[entry]!;
    for (let other = this.#next[entry]!; other >= 0; other = this.#next[other]!) {
      const at = other * 3;
      if (this.#entryCell[at] !== x || this.#entryCell[at + 1] !== y || this.#entryCell[at + 2] !== z) continue;
      const earlier = this.#entryBody[other]!;
      if (this.#isTheirCell(body, earlier, 0, x) && this.#isTheirCell(body, earlier, 1, y)) {
        if (this.#axes === 2 || this.#isTheirCell(body, earlier, 2, z)) this.#meet(earlier, body);
      }
    }
  }

  #isTheirCell(a: number, b: number, axis: number, cell: number): boolean {
    return Math.max(this.#lowCell(a, axis), this.#lowCell(b, axis)) === cell;
  }

  #meetLarge(): void {
    for (let i = 0; i < this.#largeCount; i++) {
      const body = this.#large[i]!;
      for (let other = 0; other < this.#count; other++) {
        if (other === body || (other < body && this.#isLarge[other] === 1)) continue;
        this.#meet(Math.min(body, other), Math.max(body, other));
      }
    }
  }

  #meet(first: number, second: number): void {
    if (this.#ids[first] === this.#ids[second]) return;
    if (!findContact(this.#bodies, first, second, this.#axes, this.#contact)) return;
    if (this.#pairCount === this.#pairs.length) this.#growPairs();
    this.#pairs[this.#pairCount++] = first * this.#count + second;
  }

  #writeColumns(): void {
    for (let i = 0; i < this.#pairCount; i++) {
      const first = Math.floor(this.#pairs[i]! / this.#count);
      const second = this.#pairs[i]! - first * this.#count;
      findContact(this.#bodies, first, second, this.#axes, this.#contact);
      this.first[i] = this.#ids[first]!;
      this.second[i] = this.#ids[second]!;
      this.normalX[i] = this.#contact.normalX;
      this.normalY[i] = this.#contact.normalY;
      this.normalZ[i] = this.#contact.normalZ;
      this.depth[i] = this.#contact.depth;
    }
  }

  // ── room ───────────────────────────────────────────────────────────────────────────────────────────────────────

  #growBodies(): void {
    const size = this.#ids.length * 2;
    this.#ids = grown(this.#ids, size);
    this.#bodies.round = grown(this.#bodies.round, size);
    this.#bodies.numbers = grown(this.#bodies.numbers, size, BODY_SIZE);
    this.#large = new Int32Array(size);
    this.#isLarge = new Uint8Array(size);
  }

  #growEntries(): void {
    const size = this.#entryBody.length * 2;
    this.#entryBody = grown(this.#entryBody, size);
    this.#entryCell = grown(this.#entryCell, size, 3);
    this.#next = grown(this.#next, size);
  }

  #growPairs(): void {
    const size = this.#pairs.length * 2;
    this.#pairs = grown(this.#pairs, size);
    this.first = new Uint32Array(size);
    this.second = new Uint32Array(size);
    this.normalX = new Float64Array(size);
    this.normalY = new Float64Array(size);
    this.normalZ = new Float64Array(size);
    this.depth = new Float64Array(size);
  }
}

/** Cells beyond 32 bits are taken to lie at their edge: bodies there share a cell, and the exact test tells them apart. */
function cellAt(cells: number): number {
  return Math.max(-FARTHEST_CELL, Math.min(FARTHEST_CELL, Math.floor(cells)));
}

const FARTHEST_CELL = 2 ** 30;

function badOption(text: string): SimulationError {
  return new SimulationError("bad-option", `collisions: ${text}`);
}
