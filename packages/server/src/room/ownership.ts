/**
 * Which session owns which object (V §4). It observes the world, so it notices every change of owner, whoever makes it. The owner is not a
 * field, but clients must learn of a change: `settle` makes a new version of the object, and `ownerVersion` tells the frame writer that a
 * client with an older version needs the whole object. Former owners are remembered as long as they and the object exist: an honest former
 * owner may go on writing until it learns of the change, and the object may have changed its owner again by then.
 */

import type { World } from "@nearfield/core";
import type { WorldObserver } from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";

const NONE: readonly ObjectId[] = [];

export class Ownership implements WorldObserver {
  readonly #world: World;
  readonly #owned = new Map<number, Set<ObjectId>>();
  readonly #changed = new Set<number>();
  #owner: number[] = [];
  /** Former owners of the object in each slot; and the slots that each session owned. */
  readonly #formerOwners = new Map<number, Set<number>>();
  readonly #formerSlots = new Map<number, Set<number>>();
  #version: number[] = [];

  constructor(world: World) {
    this.#world = world;
    world.observe(this);
  }

  of(session: number): ReadonlySet<ObjectId> {
    return this.#owned.get(session) ?? new Set();
  }

  /** Whether the session owned this object at some time before. */
  wasOwner(slot: number, session: number): boolean {
    return this.#formerOwners.get(slot)?.has(session) === true;
  }

  /** The session has ended: no write of it can arrive any more. */
  forget(session: number): void {
    for (const slot of this.#formerSlots.get(session) ?? []) this.#formerOwners.get(slot)?.delete(session);
    this.#formerSlots.delete(session);
  }

  /** The version at which the owner last changed; 0: the owner is the first one. */
  readonly ownerVersion = (slot: number): number => this.#version[slot] ?? 0;

  /** The objects whose owner changed since the last `settle`. */
  get changedHands(): readonly ObjectId[] {
    return this.#changed.size === 0 ? NONE : [...this.#changed].map((slot) => this.#world.store.idAt(slot));
  }

  /** Makes a new version of each object whose owner changed since the last call, and calls `changed` for each. */
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
    this.#version[slot] = 0;
    this.#move(slot, this.#world.store.owner[slot]!);
  }

  destroyed(slot: number): void {
    this.#changed.delete(slot);
    this.#move(slot, 0);
    for (const session of this.#formerOwners.get(slot) ?? []) this.#formerSlots.get(session)?.delete(slot);
    this.#formerOwners.delete(slot);
  }

  reclassified(slot: number): void {
    const owner = this.#world.store.owner[slot]!;
    if (owner === this.#owner[slot]) return;
    if (this.#owner[slot] !== 0) this.#remember(slot, this.#owner[slot]!);
    this.#move(slot, owner);
    this.#changed.add(slot);
  }

  #remember(slot: number, session: number): void {
    add(this.#formerOwners, slot, session);
    add(this.#formerSlots, session, slot);
  }

  #move(slot: number, owner: number): void {
    const id = this.#world.store.idAt(slot);
    const before = this.#owner[slot]!;
    if (before !== 0) {
      const owned = this.#owned.get(before);
      owned?.delete(id);
      if (owned?.size === 0) this.#owned.delete(before);
    }
    this.#owner[slot] = owner;
    if (owner !== 0) add(this.#owned, owner, id);
  }
}

function add<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}
