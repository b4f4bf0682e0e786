/**
 * Keeps objects of a room in a store: a guest of the room that loads them when it comes, and writes what each round changed before anybody hears an
 * answer from that round (docs/decisions/0022-the-seam.md). So whatever a player was told survives the server.
 *
 * While one write is on its way, the changes of later rounds gather; the last state of each object counts, and they leave together. So at most
 * two writes exist, and the waiting one is never larger than the number of kept objects.
 */
import type { ObjectType } from "@nearfield/schema";
import type { Room } from "@nearfield/server";
import type { Guest, Release, RoomSeam, Stay } from "@nearfield/server/seam";
import type { Store } from "@nearfield/store/internal";
import { checkKept, type KeptObject, objectOf, readKept, valuesOf, writeKept } from "./kept-objects.ts";

export interface KeepOptions {
  /** The types whose objects are kept, e.g. `[Chest, House]`. Each object costs a record, each round that changes one a write of that record. */
  readonly types: readonly ObjectType[];
  /** Told when the store fails, and once more only after it has worked again. Answers wait meanwhile; every round tries again. */
  readonly onError: (error: unknown) => void;
}

/**
 * Loads a room's objects from the store and keeps them there from now on. Call it before players join. Objects of these types that the room
 * has already are kept, too: spawn a world's first objects only if `guest.loaded` is 0.
 *
 * @param name of the room's records in the store: the same after a restart, and no other room's.
 */
export async function keepRoom(
  room: Room,
  store: Store,
  name: string,
  options: KeepOptions,
): Promise<Stay<DurableRoom>> {
  for (const type of options.types) checkKept(type);
  const records = await readKept(store, name);
  return room.invite((seam) => new DurableRoom(seam, store, name, options, records));
}

/** Records to put, and keys to remove (undefined). */
type Changes = Map<string, KeptObject | undefined>;

export class DurableRoom implements Guest {
  readonly name = "durable room";
  /** How many objects came from the store. */
  readonly loaded: number;
  readonly #store: Store;
  readonly #room: string;
  readonly #onError: (error: unknown) => void;
  readonly #types: ReadonlySet<ObjectType>;
  readonly #world: RoomSeam["world"];
  /** The key of each kept object's record, by slot. */
  readonly #keys = new Map<number, string>();
  readonly #changedSlots = new Set<number>();
  /** Of objects that are gone since the last round. */
  readonly #goneKeys = new Set<string>();
  #serial: number;
  /** Not yet on their way, with the hold of the first round among them. */
  #waiting: Changes = new Map();
  #hold: Release | undefined;
  #isWriting = false;
  #isFailing = false;
  #whenSafe: (() => void)[] = [];

  constructor(
    seam: RoomSeam,
    store: Store,
    room: string,
    { types, onError }: KeepOptions,
    records: ReadonlyMap<number, KeptObject>,
  ) {
    this.#store = store;
    this.#room = room;
    this.#onError = onError;
    this.#types = new Set(types);
    this.#world = seam.world;
    this.#serial = Math.max(0, ...records.keys());
    const present = types.flatMap((type) => [...seam.world.all(type)]);
    this.loaded = this.#load(records, types);
    for (const { id } of present) this.#spawned(seam.world.store.liveSlot(id));
    seam.observe({
      spawned: (slot) => this.#spawned(slot),
      destroyed: (slot) => this.#destroyed(slot),
      updated: (slot) => this.#changed(slot),
      reclassified: (slot) => this.#changed(slot),
    });
  }

  committed(_round: number, hold: () => Release): void {
    for (const slot of this.#changedSlots) {
      const key = this.#keys.get(slot);
      if (key !== undefined) this.#waiting.set(key, objectOf(this.#world.store.entityAt(slot)));
    }
    for (const key of this.#goneKeys) this.#waiting.set(key, undefined);
    this.#changedSlots.clear();
    this.#goneKeys.clear();
    if (this.#waiting.size === 0) return;
    // This round and all later ones wait until the changes that wait here are safe.
    this.#hold ??= hold();
    if (!this.#isWriting) void this.#write();
  }

  /** Resolves when everything that rounds have changed so far is in the store. Call it after the room has closed, before the store is. */
  safe(): Promise<void> {
    if (!this.#isWriting && this.#waiting.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenSafe.push(resolve));
  }

  #load(records: ReadonlyMap<number, KeptObject>, types: readonly ObjectType[]): number {
    let loaded = 0;
    for (const [serial, record] of records) {
      // Records of a type that is not kept any more stay where they are.
      const type = types.find(({ name }) => name === record.type);
      if (type === undefined) continue;
      const { id } = this.#world.spawn(type, valuesOf(type, record), { tags: record.tags });
      this.#keys.set(this.#world.store.liveSlot(id), this.#keyOf(serial));
      loaded++;
    }
    return loaded;
  }

  #spawned(slot: number): void {
    const { id, type } = this.#world.store.entityAt(slot);
    if (!this.#types.has(type) || this.#world.isForeign(id)) return;
    this.#keys.set(slot, this.#keyOf(++this.#serial));
    this.#changedSlots.add(slot);
  }

  #changed(slot: number): void {
    if (this.#keys.has(slot)) this.#changedSlots.add(slot);
  }

  #destroyed(slot: number): void {
    const key = this.#keys.get(slot);
    if (key === undefined) return;
    this.#keys.delete(slot);
    this.#changedSlots.delete(slot);
    this.#goneKeys.add(key);
  }

  /** Never rejects. */
  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.size > 0) {
      const changes = this.#waiting;
      const release = this.#hold;
      this.#waiting = new Map();
      this.#hold = undefined;
      try {
        await writeKept(this.#store, changes);
      } catch (error) {
        this.#takeBack(changes, release);
        if (!this.#isFailing) this.#onError(error);
        this.#isFailing = true;
        break;
      }
      this.#isFailing = false;
      release?.();
    }
    this.#isWriting = false;
    if (this.#waiting.size === 0) for (const resolve of this.#whenSafe.splice(0)) resolve();
  }

  /** What could not be written waits again, unless it has changed since. The next round tries again. */
  #takeBack(changes: Changes, release: Release | undefined): void {
    for (const [key, record] of changes) if (!this.#waiting.has(key)) this.#waiting.set(key, record);
    const later = this.#hold;
    this.#hold = () => {
      release?.();
      later?.();
    };
  }

  #keyOf(serial: number): string {
    return `${this.#room}/${String(serial).padStart(12, "0")}`;
  }
}
