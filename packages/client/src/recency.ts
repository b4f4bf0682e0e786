/**
 * Which objects changed since a mark (F §4.2.2: the ids updated since the last look). Slots are listed by the time of their last change, so
 * the answer takes time proportional to its own length, not to the size of the world. A mark is a count of changes; it only grows.
 */

const NONE = -1;

export class Recency {
  #newer: Int32Array = new Int32Array(64).fill(NONE);
  #older: Int32Array = new Int32Array(64).fill(NONE);
  #stamp: Float64Array = new Float64Array(64);
  #newest = NONE;
  #mark = 0;

  /** The present moment, as a mark. */
  get mark(): number {
    return this.#mark;
  }

  touch(slot: number): void {
    if (slot >= this.#stamp.length) this.#grow(slot);
    this.forget(slot);
    this.#mark += 1;
    this.#stamp[slot] = this.#mark;
    this.#older[slot] = this.#newest;
    if (this.#newest !== NONE) this.#newer[this.#newest] = slot;
    this.#newest = slot;
  }

  /** The slot is empty now. */
  forget(slot: number): void {
    if (slot >= this.#stamp.length || this.#stamp[slot] === 0) return;
    const newer = this.#newer[slot]!;
    const older = this.#older[slot]!;
    if (newer === NONE) this.#newest = older;
    else this.#older[newer] = older;
    if (older !== NONE) this.#newer[older] = newer;
    this.#newer[slot] = NONE;
    this.#older[slot] = NONE;
    this.#stamp[slot] = 0;
  }

  /** Slots changed after the mark, the latest first. */
  *since(mark: number): IterableIterator<number> {
    for (let slot = this.#newest; slot !== NONE && this.#stamp[slot]! > mark; slot = this.#older[slot]!) yield slot;
  }

  #grow(slot: number): void {
    const capacity = Math.max(slot + 1, this.#stamp.length * 2);
    const newer = new Int32Array(capacity).fill(NONE);
    newer.set(this.#newer);
    this.#newer = newer;
    const older = new Int32Array(capacity).fill(NONE);
    older.set(this.#older);
    this.#older = older;
    const stamp = new Float64Array(capacity);
    stamp.set(this.#stamp);
    this.#stamp = stamp;
  }
}
