/**
 * The world as this client has it: full local replicas, read without locks (V §3.2). `ship.x` is the value last received, `ship.shown.x`
 * the one to draw.
 *
 * Writing `ship.x = …` is allowed on objects that this client owns (`owner` mode) or has locked (`locked` mode). The write is sent with the
 * next update, or with the release of the lock. Any other write throws and changes nothing.
 */

import type { Fields, ObjectId, ObjectType } from "@nearfield/schema";
import type { Wire } from "@nearfield/schema/internal";
import type { Replicated, Sight } from "./presented.ts";
import type { ReplicaStore } from "./replica-store.ts";

export class ReplicaWorld {
  readonly #store: ReplicaStore;

  constructor(store: ReplicaStore) {
    this.#store = store;
  }

  /** Session number of this client, which owns its objects; 0 until it has joined. */
  get session(): number {
    return this.#store.session;
  }

  /** Newest round of which state was applied. */
  get round(): number {
    return this.#store.round;
  }

  /** Objects here now. */
  get count(): number {
    return this.#store.objects.count;
  }

  /** The object, if it is here; with a type, only if it is of that type. */
  get<F extends Fields>(type: ObjectType<F>, id: ObjectId): Replicated<F> | undefined;
  get(id: ObjectId): Replicated | undefined;
  get(first: ObjectId | object, id?: ObjectId): unknown {
    if (typeof first === "number") return this.#store.get(first);
    const entity = this.#store.get(id!);
    return entity?.type === first ? entity : undefined;
  }

  all<F extends Fields>(type: ObjectType<F>): IterableIterator<Replicated<F>> {
    return this.#store.objects.all(type) as IterableIterator<Replicated<F>>;
  }

  *where<F extends Fields>(
    type: ObjectType<F>,
    test: (entity: Replicated<F>) => boolean,
  ): IterableIterator<Replicated<F>> {
    for (const entity of this.all(type)) if (test(entity)) yield entity;
  }

  /** Every object, of whatever type. */
  *objects(): IterableIterator<Replicated> {
    const { objects } = this.#store;
    for (let slot = 0; slot < objects.slotHigh; slot++)
      if (objects.isLive(slot)) yield objects.entityAt(slot) as Replicated;
  }

  isMine(entity: { readonly owner: number }): boolean {
    return this.#store.isMine(entity);
  }

  /** Whether this client holds the object's lock. */
  isLocked(entity: { readonly id: ObjectId }): boolean {
    return this.#store.locked.has(entity.id);
  }

  /** The round of this object's state: the newest round of which a record of it was applied. */
  roundOf(id: ObjectId): number {
    return this.#store.roundOf(id);
  }

  /** Whether the server said that this object rests where it is. Then it does not move, whatever its last steps suggest. */
  isSettled(id: ObjectId): boolean {
    return this.#store.isSettled(id);
  }

  /** The render time of `shown`, in ms of the server's time. */
  get renderMs(): number {
    return this.#store.presented.renderMs;
  }

  /**
   * What is on the screen of this object in this frame. A shot at the object sends it, so that the server can compute the same picture
   * (docs/guide/hits.md).
   */
  sightOf(id: ObjectId): Sight {
    return this.#store.sightOf(id);
  }

  /** One field in wire form, as last received or sent. */
  wireOf(id: ObjectId, fieldIndex: number): Wire {
    return this.#store.wireOf(id, fieldIndex);
  }
}
