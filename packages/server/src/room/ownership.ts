/**
 * Who owns what (V §4: the mapping between users and their objects). Observes the world, so it holds whoever changes an
 * owner. A change of owner is no field, yet clients must learn it: `settle` turns it into a new version, and
 * `ownerVersion` tells the frame writer that a client with anything older needs the whole object. Former owners are
 * remembered as long as they and the object are here: an honest one may write on until it learns of the change, and
 * the object may have changed hands again by then.
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
  /** Sessions that owned the object of a slot before; and the other way round. */
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

  /** The session has ended: nothing of it is on its way any more. */
  forget(session: number): void {
    for (const slot of this.#formerSlots.get(session) ?? []) this.#formerOwners.get(slot)?.delete(session);
    this.#formerSlots.delete(session);
  }

  /** Version at which the owner last changed; 0 = as spawned. */
  readonly ownerVersion = (slot: number): number => this.#version[slot] ?? 0;

  /** The objects whose owner changed since the last `settle`. */
  get changedHands(): readonly ObjectId[] {
    return this.#changed.size === 0 ? NONE : [...this.#changed].map((slot) => this.#world.store.idAt(slot));
  }

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

  updated(): void {}

  moved(): void {}

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
