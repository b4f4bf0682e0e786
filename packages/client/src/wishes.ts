/** Requests of a client that the server answers: locks, objects of its own, views, units. All of them fail when the client ends. */

import type { Entity } from "@nearfield/core";
import type { LockGranted, Refusal } from "@nearfield/protocol/internal";
import type { Fields, ObjectId, ObjectType, Values } from "@nearfield/schema";
import { IS_DEVELOPMENT, type Wire } from "@nearfield/schema/internal";
import { ClientError } from "./errors.ts";
import type { ReplicaStore } from "./replica-store.ts";
import type { ReplicaWorld } from "./replica-world.ts";
import { Requests } from "./requests.ts";
import type { Session } from "./session.ts";
import type { AuthorisedView } from "./view-in-force.ts";

export class Wishes {
  readonly #session: Session;
  readonly #store: ReplicaStore;
  readonly #world: ReplicaWorld;
  readonly #locks = new Requests<ObjectId, Entity>();
  readonly #additions = new Requests<number, ObjectId>();
  readonly #arrivals = new Requests<ObjectId, Entity>();
  readonly #views = new Requests<number, AuthorisedView>();
  readonly #groupings = new Requests<number, void>();
  #requests = 0;

  constructor(session: Session, store: ReplicaStore, world: ReplicaWorld) {
    this.#session = session;
    this.#store = store;
    this.#world = world;
  }

  /** The client has ended. */
  fail(error: ClientError): void {
    for (const requests of [this.#locks, this.#additions, this.#arrivals, this.#views, this.#groupings])
      requests.rejectAll(error);
  }

  // ── locks ──────────────────────────────────────────────────────────────────────────────────────────────────────

  lock(entity: Entity): Promise<Entity> {
    const { id } = entity;
    if (this.#world.get(id) === undefined)
      return Promise.reject(refused("gone", IS_DEVELOPMENT && `object ${id} is not here`));
    if (this.#store.locked.has(id)) return Promise.resolve(entity);
    if (!this.#locks.has(id)) this.#session.push({ kind: "lock", id });
    return this.#locks.wait(id);
  }

  release(id: ObjectId): void {
    const type = this.#store.locked.get(id);
    if (type === undefined) throw refused("not-locked", IS_DEVELOPMENT && `object ${id} is not locked by this client`);
    this.#store.locked.delete(id);
    this.#store.takeLocked(id, type, (fields) => this.#session.push({ kind: "release", id, fields }));
  }

  lockGranted({ id, round, fields }: LockGranted): void {
    const entity = this.#world.get(id);
    if (entity === undefined) {
      this.#session.push({ kind: "release", id, fields: { type: fields.type, mask: 0, wires: [] } });
      this.#locks.reject(id, refused("gone", IS_DEVELOPMENT && `object ${id} is not here any more`));
      return;
    }
    if (this.#session.supersedes(id, round)) this.#store.overwrite(id, round, fields);
    this.#store.locked.set(id, fields.type);
    this.#locks.resolve(id, entity);
  }

  lockDenied(id: ObjectId, refusal: Refusal): void {
    this.#locks.reject(id, refused(refusal, IS_DEVELOPMENT && `the lock of object ${id} was denied`));
  }

  lockLost(id: ObjectId): void {
    this.#store.locked.delete(id);
    this.#store.revert(id);
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
    this.#session.push({ kind: "add", request, fields: { type, mask: mask >>> 0, wires } });
    const id = await this.#additions.wait(request);
    return this.#world.get(id) ?? (await this.#arrivals.wait(id));
  }

  added(request: number, id: ObjectId): void {
    this.#additions.resolve(request, id);
  }

  addRefused(request: number, refusal: Refusal): void {
    this.#additions.reject(request, refused(refusal, IS_DEVELOPMENT && "the object was not added"));
  }

  /** A frame was merged: awaited objects may be here now. */
  merged(): void {
    for (const id of this.#arrivals.keys()) {
      const entity = this.#world.get(id);
      if (entity !== undefined) this.#arrivals.resolve(id, entity);
    }
  }

  // ── views and units ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** @param propose sends the proposal, under this number. */
  proposeView(propose: (request: number) => void): Promise<AuthorisedView> {
    this.#requests += 1;
    propose(this.#requests);
    return this.#views.wait(this.#requests);
  }

  /** @param send sends the grouping, under this number. */
  group(send: (request: number) => void): Promise<void> {
    this.#requests += 1;
    send(this.#requests);
    return this.#groupings.wait(this.#requests);
  }

  grouped(request: number, refusal: Refusal | undefined): void {
    if (refusal === undefined) this.#groupings.resolve(request, undefined);
    else this.#groupings.reject(request, refused(refusal, IS_DEVELOPMENT && "the objects were not grouped"));
  }

  viewSet(request: number, view: AuthorisedView): void {
    this.#views.resolve(request, view);
  }

  viewRefused(request: number, text: string): void {
    this.#views.reject(request, new ClientError("view-refused", text));
  }
}

/** @param what false in a production build. */
function refused(refusal: Refusal, what: string | false): ClientError {
  return new ClientError(refusal, what === false ? what : `${what}: ${refusal}`);
}
