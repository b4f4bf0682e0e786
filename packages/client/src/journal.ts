/**
 * What happened to the replicas since the game last looked, summed up: an object that changed ten times is told once, one that came and
 * went is not told at all. It is filled while frames are applied and emptied by the activities. So a tab that was hidden for an hour finds
 * one entry per object. While a client joins, every object is noted, so listeners that are attached at the end of the join hear of all of
 * them.
 */

import type { Entity } from "@nearfield/core";
import type { Fields, ObjectId, ObjectType, Off, Values } from "@nearfield/schema";
import { Listeners } from "@nearfield/schema/internal";

import type { Guard } from "./guard.ts";

/** The last state of an object that is gone. */
export type Farewell<F extends Fields = Fields> = {
  readonly id: ObjectId;
  readonly type: ObjectType<F>;
  readonly owner: number;
} & Readonly<Values<F>>;

export type Listener = {
  readonly spawn: (entity: Entity) => void;
  readonly update: (entity: Entity, mask: number) => void;
  readonly leave: (last: Farewell) => void;
  readonly destroy: (last: Farewell) => void;
};

type Lists = { readonly [K in keyof Listener]: Listeners<Listener[K]> };

export class Journal {
  readonly #listeners = new Map<ObjectType, Lists>();
  readonly #spawned = new Set<Entity>();
  readonly #updated = new Map<Entity, number>();
  readonly #removed: { last: Farewell; destroyed: boolean }[] = [];
  #isHolding = false;

  /** Until the next `flush`, notes every object even if nobody listens. */
  hold(): void {
    this.#isHolding = true;
  }

  on<K extends keyof Listener>(type: ObjectType, what: K, listener: Listener[K]): Off {
    let lists = this.#listeners.get(type);
    if (lists === undefined) {
      lists = { spawn: new Listeners(), update: new Listeners(), leave: new Listeners(), destroy: new Listeners() };
      this.#listeners.set(type, lists);
    }
    return lists[what].add(listener);
  }

  /** Whether the listeners were not called yet. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  /** Whether nobody listens, so that nothing needs to be noted. */
  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }

  created(entity: Entity): void {
    if (this.#isHolding || this.#listeners.has(entity.type)) this.#spawned.add(entity);
  }

  changed(entity: Entity, mask: number): void {
    const lists = this.#listeners.get(entity.type);
    if (lists === undefined || lists.update.size === 0 || this.#spawned.has(entity)) return;
    this.#updated.set(entity, (this.#updated.get(entity) ?? 0) | mask);
  }

  /** Called while the object can still be read. */
  removed(entity: Entity, destroyed: boolean): void {
    this.#updated.delete(entity);
    if (this.#spawned.delete(entity)) return;
    const lists = this.#listeners.get(entity.type);
    if (lists === undefined || (destroyed ? lists.destroy : lists.leave).size === 0) return;
    const last: Record<string, unknown> = { id: entity.id, type: entity.type, owner: entity.owner };
    for (const { name } of entity.type.fields) last[name] = (entity as unknown as Record<string, unknown>)[name];
    this.#removed.push({ last: last as unknown as Farewell, destroyed });
  }

  /** Calls the listeners, for removed objects first. What they cause is told next time. */
  flush(guard: Guard): void {
    const removed = this.#removed.splice(0);
    const spawned = [...this.#spawned];
    const updated = [...this.#updated];
    this.#isHolding = false;
    this.#spawned.clear();
    this.#updated.clear();
    for (const { last, destroyed } of removed) {
      const lists = this.#listeners.get(last.type)!;
      for (const listener of (destroyed ? lists.destroy : lists.leave).list)
        guard.run(destroyed ? "onDestroy" : "onLeave", listener, last, undefined);
    }
    for (const entity of spawned)
      for (const listener of this.#listeners.get(entity.type)?.spawn.list ?? [])
        guard.run("onSpawn", listener, entity, undefined);
    for (const [entity, mask] of updated) {
      for (const listener of this.#listeners.get(entity.type)!.update.list)
        guard.run("onUpdate", listener, entity, mask >>> 0);
    }
  }
}
