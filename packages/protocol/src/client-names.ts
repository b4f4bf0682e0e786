/**
 * Ids of objects that are one client's own. In the world, ids are handed out in the order of births, so an id would tell a client how many objects were born
 * that it may not know of. Here an object gets its id, its *name*, when it is first told to this client, and names count on in the order in which
 * the client learns of objects. Invariant: names follow from what this client was told and has acknowledged, and from nothing else.
 *
 * Of objects that are told for the first time in the same round, the older one gets its name first: slots of the world are used again, so their order would tell of
 * deaths. A name ends when the client is known to have heard that the object is gone, or has left. Its slot then rests, and comes back with
 * another generation. An object that comes into sight again has another name. No name is 0.
 */

import type { World } from "@nearfield/core";
import { type ObjectId, slotOf } from "@nearfield/schema";
import { GENERATIONS, generationOf, grown, MAX_SLOTS, objectId, roomFor } from "@nearfield/schema/internal";

const NONE = -1;
/** A slot rests until this many others are free. */
const RESTING_SLOTS = 64;
const FIRST_ROOM = 64;
// A constant of this module is inlined; an imported one would be looked up at every use.
const SLOT_MASK: number = MAX_SLOTS - 1;

export class ClientNames {
  readonly #world: World;
  /** By slot of the world: the object, its name's slot or −1, and the packet that told of its removal or −1. */
  #ids: Uint32Array = new Uint32Array(FIRST_ROOM);
  #nameSlots: Int32Array = new Int32Array(FIRST_ROOM).fill(NONE);
  #removedIn: Int32Array = new Int32Array(FIRST_ROOM);
  /** By slot of a name: its generation, and the object, if it is in use. */
  #generations: Uint16Array = new Uint16Array(FIRST_ROOM);
  #objects: Uint32Array = new Uint32Array(FIRST_ROOM);
  #isUsed: Uint8Array = new Uint8Array(FIRST_ROOM);
  /** Slots below this were given. The first is left out, so that no name is 0. */
  #high = 1;
  readonly #free: number[] = [];
  #freeHead = 0;
  /** Objects that are gone, and whose slot in the world is another's by now: their names' slots. */
  readonly #outlived = new Map<ObjectId, number>();
  /** By decision: the name. Replaced when there are more decisions. */
  #names: Uint32Array = new Uint32Array(FIRST_ROOM);
  readonly #unnamed: ObjectId[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** The names of the first `count` objects of a list. They are valid until the next call. */
  namesOf(ids: Uint32Array, count: number): Uint32Array {
    if (count > this.#names.length) this.#names = new Uint32Array(roomFor(count, this.#names.length));
    const names = this.#names;
    for (let i = 0; i < count; i++) {
      const id = ids[i]! as ObjectId;
      if (this.#slotOf(id) === NONE) this.#unnamed.push(id);
    }
    if (this.#unnamed.length > 0) this.#nameAll();
    for (let i = 0; i < count; i++) names[i] = this.nameOf(ids[i]! as ObjectId);
    return names;
  }

  /** The name of an object. It is given one if it has none. */
  nameOf(id: ObjectId): ObjectId {
    const known = this.#slotOf(id);
    const slot = known === NONE ? this.#take(id) : known;
    return objectId(slot, this.#generations[slot]!);
  }

  /** The object of a name; `undefined` if it names none, or none any more. */
  objectOf(name: ObjectId): ObjectId | undefined {
    const slot = slotOf(name);
    const isUsed = slot < this.#high && this.#isUsed[slot] === 1 && this.#generations[slot] === generationOf(name);
    return isUsed ? (this.#objects[slot]! as ObjectId) : undefined;
  }

  /** Whether the object has a name. */
  has(id: ObjectId): boolean {
    return this.#slotOf(id) !== NONE;
  }

  /** The packet tells of the object, so an earlier removal no longer counts. */
  told(id: ObjectId): void {
    if (this.#ids[id & SLOT_MASK] === id) this.#removedIn[id & SLOT_MASK] = NONE;
  }

  /** The packet tells that the object is gone, or has left. */
  removed(id: ObjectId, packet: number): void {
    if (this.#ids[id & SLOT_MASK] === id) this.#removedIn[id & SLOT_MASK] = packet;
  }

  /** The client has that packet: if nothing was told of the object since, its name ends. */
  readonly release = (id: ObjectId, packet: number): void => {
    const at = id & SLOT_MASK;
    if (this.#ids[at] === id && this.#nameSlots[at] !== NONE) {
      if (this.#removedIn[at] !== packet) return;
      this.#end(this.#nameSlots[at]!);
      this.#nameSlots[at] = NONE;
      return;
    }
    const slot = this.#outlived.get(id);
    if (slot === undefined) return;
    this.#outlived.delete(id);
    this.#end(slot);
  };

  // ── names ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The slot of the object's name; −1 if it has none. */
  #slotOf(id: ObjectId): number {
    const at = id & SLOT_MASK;
    if (at < this.#ids.length && this.#ids[at] === id) return this.#nameSlots[at]!;
    return this.#outlived.size === 0 ? NONE : (this.#outlived.get(id) ?? NONE);
  }

  /** Names those that have none, the oldest first. */
  #nameAll(): void {
    const unnamed = this.#unnamed;
    if (unnamed.length > 1) unnamed.sort((a, b) => this.#birthOf(a) - this.#birthOf(b));
    for (const id of unnamed) if (this.#slotOf(id) === NONE) this.#take(id);
    unnamed.length = 0;
  }

  #birthOf(id: ObjectId): number {
    return this.#world.store.liveSlot(id) < 0 ? 0 : this.#world.worldIdOf(id);
  }

  #take(id: ObjectId): number {
    const slot = this.#freeSlot();
    this.#objects[slot] = id;
    this.#isUsed[slot] = 1;
    if (this.#world.store.liveSlot(id) < 0) {
      this.#outlived.set(id, slot);
      return slot;
    }
    const at = slotOf(id);
    if (at >= this.#ids.length) this.#reserve(at);
    if (this.#nameSlots[at] !== NONE) this.#outlived.set(this.#ids[at]! as ObjectId, this.#nameSlots[at]!);
    this.#ids[at] = id;
    this.#nameSlots[at] = slot;
    this.#removedIn[at] = NONE;
    return slot;
  }

  #freeSlot(): number {
    const resting = this.#free.length - this.#freeHead;
    if (resting > RESTING_SLOTS) {
      const slot = this.#free[this.#freeHead++]!;
      if (this.#freeHead > 1024) {
        this.#free.splice(0, this.#freeHead);
        this.#freeHead = 0;
      }
      this.#generations[slot] = (this.#generations[slot]! + 1) % GENERATIONS;
      return slot;
    }
    const slot = this.#high++;
    if (slot >= this.#objects.length) {
      const room = roomFor(slot + 1, this.#objects.length);
      this.#generations = grown(this.#generations, room);
      this.#objects = grown(this.#objects, room);
      this.#isUsed = grown(this.#isUsed, room);
    }
    return slot;
  }

  #end(slot: number): void {
    this.#isUsed[slot] = 0;
    this.#free.push(slot);
  }

  #reserve(at: number): void {
    const before = this.#ids.length;
    const room = roomFor(at + 1, before);
    this.#ids = grown(this.#ids, room);
    this.#nameSlots = grown(this.#nameSlots, room).fill(NONE, before);
    this.#removedIn = grown(this.#removedIn, room);
  }
}
