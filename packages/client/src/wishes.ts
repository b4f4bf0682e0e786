/**
 * What a client wishes for objects: that its writes count, and, answered by the server, locks and objects of its own. All of them fail when the client ends. Made for the first
 * function that needs it.
 */

import type { Entity } from "@nearfield/core";
import {
  type Added,
  type AddRefused,
  encodeWish,
  type LockDenied,
  type LockGranted,
  type LockLost,
  overwrite,
  type Refusal,
  WISH_READERS,
  type Wish,
} from "@nearfield/protocol/internal";
import type { Fields, ObjectId, ObjectType, Values } from "@nearfield/schema";
import { IS_DEVELOPMENT, type Wire } from "@nearfield/schema/internal";
import { ClientError } from "./errors.ts";
import type { Inside } from "./inside.ts";
import { Requests } from "./requests.ts";
import { Writing } from "./writing.ts";

type Answer = LockGranted | LockDenied | LockLost | Added | AddRefused;

export class Wishes {
  readonly #inside: Inside;
  readonly #locks = new Requests<ObjectId, Entity>();
  readonly #additions = new Requests<number, ObjectId>();
  readonly #arrivals = new Requests<ObjectId, Entity>();
  #requests = 0;

  readonly #writing: Writing;

  private constructor(inside: Inside) {
    this.#inside = inside;
    this.#writing = new Writing(inside.store);
    inside.store.writing = this.#writing;
    inside.asked.push(this.#locks, this.#additions, this.#arrivals);
    inside.merged.push(() => this.#merged());
    inside.session.learn<Answer>(WISH_READERS, (message) => this.#take(message));
  }

  /** The one of this client. */
  static of(inside: Inside): Wishes {
    inside.wishes ??= new Wishes(inside);
    return inside.wishes;
  }

  /** Sends what this client wrote to its own objects since the last call. */
  sendWrites(): void {
    this.#writing.takeWrites(this.#inside.session.confirmed, (id, fields) => this.push({ kind: "write", id, fields }));
  }

  push(wish: Wish): number {
    const { session, store } = this.#inside;
    return session.pushAs((number) => encodeWish(wish, store.protocol, number));
  }

  #take(message: Answer): void {
    const { store, news } = this.#inside;
    switch (message.kind) {
      case "lockGranted":
        return this.#granted(message);
      case "lockDenied": {
        const { id, refusal } = message;
        return this.#locks.reject(id, refused(refusal, IS_DEVELOPMENT && `the lock of object ${id} was denied`));
      }
      case "lockLost":
        store.locked.delete(message.id);
        this.#writing.revert(message.id);
        return news.tell("refusal", message.id, message.refusal);
      case "added":
        return this.#additions.resolve(message.request, message.id);
      case "addRefused":
        this.#additions.reject(message.request, refused(message.refusal, IS_DEVELOPMENT && "the object was not added"));
    }
  }

  // ── locks ──────────────────────────────────────────────────────────────────────────────────────────────────────

  lock(entity: Entity): Promise<Entity> {
    const { store } = this.#inside;
    const { id } = entity;
    if (store.get(id) === undefined)
      return Promise.reject(new ClientError("gone", IS_DEVELOPMENT && `object ${id} is not here`));
    if (store.locked.has(id)) return Promise.resolve(entity);
    if (!this.#locks.has(id)) this.push({ kind: "lock", id });
    return this.#locks.wait(id);
  }

  release(id: ObjectId): void {
    const { store } = this.#inside;
    const type = store.locked.get(id);
    if (type === undefined)
      throw new ClientError("not-locked", IS_DEVELOPMENT && `object ${id} is not locked by this client`);
    store.locked.delete(id);
    this.#writing.takeLocked(id, type, (fields) => this.push({ kind: "release", id, fields }));
  }

  /** The client goes on at another gateway of a cluster, which knows nothing of its locks. */
  loseLocks(): void {
    const { store, news } = this.#inside;
    const held = [...store.locked.keys()];
    store.locked.clear();
    for (const id of held) news.tell("refusal", id, "elsewhere");
    this.#locks.rejectAll(refused("elsewhere", IS_DEVELOPMENT && "the lock was asked for at a gateway that is gone"));
  }

  #granted({ id, round, fields }: LockGranted): void {
    const { session, store } = this.#inside;
    const entity = store.get(id);
    if (entity === undefined) {
      this.push({ kind: "release", id, fields: { type: fields.type, mask: 0, wires: [] } });
      this.#locks.reject(id, refused("gone", IS_DEVELOPMENT && `object ${id} is not here any more`));
      return;
    }
    if (session.reader !== undefined && overwrite(session.reader, id, round))
      this.#writing.overwrite(id, round, fields);
    store.locked.set(id, fields.type);
    this.#locks.resolve(id, entity);
  }

  // ── objects of its own ─────────────────────────────────────────────────────────────────────────────────────────

  async add(type: ObjectType, given: Readonly<Partial<Values<Fields>>>): Promise<Entity> {
    for (const name of Object.keys(given)) type.fieldIndex(name);
    const wires: Wire[] = [];
    let mask = 0;
    for (const { name, index, field } of type.fields) {
      if (given[name] === undefined) continue;
      field.check(given[name], `${type.name}.${name}`);
      wires.push(field.toWire(given[name]));
      mask |= 1 << index;
    }
    this.#requests += 1;
    const request = this.#requests;
    this.push({ kind: "add", request, fields: { type, mask: mask >>> 0, wires } });
    const id = await this.#additions.wait(request);
    return this.#inside.store.get(id) ?? (await this.#arrivals.wait(id));
  }

  /** A frame was merged: awaited objects may be here now. */
  #merged(): void {
    for (const id of this.#arrivals.keys()) {
      const entity = this.#inside.store.get(id);
      if (entity !== undefined) this.#arrivals.resolve(id, entity);
    }
  }
}

/** @param what false in a production build. */
function refused(refusal: Refusal, what: string | false): ClientError {
  return new ClientError(refusal, what === false ? what : `${what}: ${refusal}`);
}
