/**
 * What happened to the replicas since the game last looked, collapsed: an object that changed ten times is told once,
 * one that came and went is not told at all. Filled while frames are applied, emptied by the activities; so a tab that
 * was hidden for an hour finds one entry per object. While a client joins, every object that comes is noted, so that listeners which
 * are attached when it has joined hear of all that is there.
 */

import type { Entity } from "@nearfield/core";
import type { Fields, ObjectId, ObjectType, Off, Values } from "@nearfield/schema";
import { Listeners } from "@nearfield/schema/internal";

import type { Guard } from "./guard.ts";

/** An object as it was when it went. */
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

  /** Notes what comes whether or not anybody listens, until the next `flush`. */
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

  /** Whether anybody listens at all: if not, nothing needs to be noted. */
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

  /** Tells the listeners, what went first. What they cause is told next time. */
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
