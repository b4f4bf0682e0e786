/** Which pieces are selected, by id. What is selected together is either own units, own buildings, or one piece of somebody else. */

export class Selection {
  readonly #ids = new Set<number>();
  /** Counted up with every change. */
  version = 0;

  get ids(): ReadonlySet<number> {
    return this.#ids;
  }

  get size(): number {
    return this.#ids.size;
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  set(ids: Iterable<number>): void {
    this.#ids.clear();
    this.add(ids);
  }

  add(ids: Iterable<number>): void {
    for (const id of ids) this.#ids.add(id);
    this.version += 1;
  }

  toggle(id: number): void {
    if (!this.#ids.delete(id)) this.#ids.add(id);
    this.version += 1;
  }

  clear(): void {
    if (this.#ids.size === 0) return;
    this.#ids.clear();
    this.version += 1;
  }

  /** Forgets those that are no longer there. */
  prune(isThere: (id: number) => boolean): void {
    for (const id of this.#ids) {
      if (isThere(id)) continue;
      this.#ids.delete(id);
      this.version += 1;
    }
  }
}
