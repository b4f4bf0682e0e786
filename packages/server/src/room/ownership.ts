/**
 * Who owns what (V §4: the mapping between users and their objects). Observes the world, so it holds whoever changes an
 * owner. A change of owner is no field, yet clients must learn it: `settle` turns it into a new version, and
 * `ownerVersion` tells the frame writer that a client with anything older needs the whole object. The former owner is
 * remembered, because its last writes may still be on their way.
 */

import type { ObjectId, World, WorldObserver } from "@nearfield/core";

export class Ownership implements WorldObserver {
  readonly #world: World;
  readonly #owned = new Map<number, Set<ObjectId>>();
  readonly #changed = new Set<number>();
  #owner: number[] = [];
  #former: number[] = [];
  #version: number[] = [];

  constructor(world: World) {
    this.#world = world;
    world.observe(this);
  }

  of(session: number): ReadonlySet<ObjectId> {
    return this.#owned.get(session) ?? new Set();
  }

  /** The session that owned this object before the present owner; 0 if there was none. */
  formerOwner(slot: number): number {
    return this.#former[slot] ?? 0;
  }

  /** Version at which the owner last changed; 0 = as spawned. */
  readonly ownerVersion = (slot: number): number => this.#version[slot] ?? 0;

  /** Makes every change of owner since the last call a version of its object, and names those objects. */
  settle(changed: (id: ObjectId) => void): void {
    for (const slot of this.#changed) {
      const entity = this.#world.store.entityAt(slot);
      this.#world.correct(entity, 1);
      this.#version[slot] = this.#world.version[slot]!;
      changed(entity.id);
    }
    this.#changed.clear();
  }

  spawned(slot: number): void {
    this.#owner[slot] = 0;
    this.#former[slot] = 0;
    this.#version[slot] = 0;
    this.#move(slot, this.#world.store.owner[slot]!);
  }

  destroyed(slot: number): void {
    this.#changed.delete(slot);
    this.#move(slot, 0);
  }

  reclassified(slot: number): void {
    const owner = this.#world.store.owner[slot]!;
    if (owner === this.#owner[slot]) return;
    this.#former[slot] = this.#owner[slot]!;
    this.#move(slot, owner);
    this.#changed.add(slot);
  }

  updated(): void {}

  moved(): void {}

  #move(slot: number, owner: number): void {
    const id = this.#world.store.idAt(slot);
    const before = this.#owner[slot]!;
    if (before !== 0) {
      const owned = this.#owned.get(before);
      owned?.delete(id);
      if (owned?.size === 0) this.#owned.delete(before);
    }
    this.#owner[slot] = owner;
    if (owner === 0) return;
    const owned = this.#owned.get(owner) ?? new Set();
    owned.add(id);
    this.#owned.set(owner, owned);
  }
}
