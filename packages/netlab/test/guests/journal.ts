/**
 * A guest that writes down what each round changed before anybody is told that it happened: the least that a store needs of the seam. The disk
 * is played by whoever calls `sync`.
 */

import type { WorldObserver } from "@nearfield/core/internal";
import type { WorldId } from "@nearfield/schema";
import type { Guest, Release, RoomSeam } from "@nearfield/server/seam";

export interface Page {
  readonly round: number;
  readonly changed: readonly WorldId[];
}

export class Journal implements Guest, WorldObserver {
  readonly name = "journal";
  /** What survives a crash. */
  readonly safe: Page[] = [];
  /** What does not. */
  readonly #written: { readonly page: Page; readonly release: Release }[] = [];
  readonly #changed = new Set<WorldId>();
  readonly #seam: RoomSeam;

  constructor(seam: RoomSeam) {
    this.#seam = seam;
    seam.observe(this);
  }

  updated(slot: number): void {
    const { world } = this.#seam;
    this.#changed.add(world.worldIdOf(world.store.idAt(slot)));
  }

  committed(round: number, hold: () => Release): void {
    if (this.#changed.size === 0) return;
    this.#written.push({ page: { round, changed: [...this.#changed] }, release: hold() });
    this.#changed.clear();
  }

  /** Everything that was written is safe now. */
  sync(): void {
    for (const { page, release } of this.#written.splice(0)) {
      this.safe.push(page);
      release();
    }
  }

  spawned(slot: number): void {
    this.updated(slot);
  }

  destroyed(slot: number): void {
    this.updated(slot);
  }
}
