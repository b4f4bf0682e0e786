/**
 * The primaries: the server's own copy of every object, never quantised, beside the same state in wire form. Stands at the start of
 * the path: writes land here, `commit` folds them into *updates*, and the consistency models are told of each.
 *
 * An update is all writes to one object by one writer between two commits, if they change at least one field in wire form; it makes a
 * new version. Per field the world keeps the version that last changed it and who wrote it, so the fields a client lacks are those
 * newer than what it acknowledged, minus its own. Invariant: outside `commit` the wire columns are the state of `version`.
 * Why so: docs/decisions/0002-acknowledged-baselines.md.
 */

import { MOTION_SIZE } from "@nearfield/presentation";
import { FULL_MOTION_SIZE, PLACE_SIZE } from "@nearfield/presentation/internal";
import type { Fields, ObjectId, ObjectType, Protocol, Values, WorldId } from "@nearfield/schema";
import {
  Columns,
  dequantizeNumberInto,
  GENERATIONS,
  grown,
  MAX_SLOTS,
  reserving,
  roomFor,
  type Wire,
  type WorldIds,
} from "@nearfield/schema/internal";
import type { Entity } from "./entity.ts";
import { WorldError } from "./errors.ts";
import { Identities } from "./identities.ts";
import { ObjectStore, type Table } from "./object-store.ts";

/** What a consistency model is told of a world (V §3.3: "update received"). Whoever leaves a method out costs nothing where it would be called. */
export interface WorldObserver {
  spawned?(slot: number): void;
  /** Called while the object is still readable. */
  destroyed?(slot: number): void;
  /** A new version exists. `writer` is the session that wrote it, or foresaw it exactly (`foresee`); 0 = the server. */
  updated?(slot: number, writer: number): void;
  /** The primary's position or orientation was written, whether or not that shows in wire form. */
  moved?(slot: number): void;
  /** Some field of the primary was written, and nothing of that shows in wire form: there is no new version. */
  written?(slot: number): void;
  /** Tags, owner or predicates changed: the object may belong to another set now. */
  reclassified?(slot: number): void;
}

/** Those of the observers that have a method. */
type Having<Method extends keyof WorldObserver> = readonly Required<Pick<WorldObserver, Method>>[];

export interface SpawnOptions {
  tags?: readonly string[];
  /** Session number of the owning client. Default 0, the server. */
  owner?: number;
  /** Of an object that another server owns: the id it was born with. Default: it is born here. */
  worldId?: WorldId | undefined;
}

/** Angles that tell how an object is turned, at most: its heading, or yaw and pitch. */
export const TURN_AXES = 2;
/** At most this many predicates per world (one bit each). */
const MAX_PREDICATES = 32;
/** A slot rests until this many others are free, so that ids come round slowly. */
const RESTING_SLOTS = 64;

/** Positions beyond this, infinite ones included, are taken to lie here, so that a path still shows single steps after the way back. */
const FARTHEST = 2 ** 40;

/** Per type: the wire form, and who changed which field at which version. */
class WireTable {
  readonly wire: Columns<"wire">;
  readonly fieldCount: number;
  fieldVersion: Uint32Array;
  fieldWriter: Int32Array;
  #rows = 16;

  constructor(table: Table) {
    this.wire = new Columns(table.type.fields, "wire", reserving);
    this.fieldCount = table.type.fields.length;
    this.fieldVersion = new Uint32Array(this.#rows * this.fieldCount);
    this.fieldWriter = new Int32Array(this.#rows * this.fieldCount);
  }

  ensure(row: number): void {
    this.wire.reserve(row + 1);
    if (row < this.#rows) return;
    this.#rows = roomFor(row + 1, this.#rows);
    this.fieldVersion = grown(this.fieldVersion, this.#rows, this.fieldCount);
    this.fieldWriter = grown(this.fieldWriter, this.#rows, this.fieldCount);
  }
}

export interface WorldOptions {
  readonly protocol: Protocol;
  /** Told of what a predicate throws; the object then counts as not matching. Default: the exception goes on to whoever wrote the object. */
  readonly onError?: ((error: unknown, where: string) => void) | undefined;
  /** Gives objects their ids in the whole world. Default: a source of its own, of server 0. */
  readonly worldIds?: WorldIds | undefined;
}

export class World {
  readonly protocol: Protocol;
  readonly store: ObjectStore;
  /** Columns by slot: newest version (1 = as spawned), primary position as of the last commit, the same in wire form, path travelled. */
  version: Uint32Array = new Uint32Array(64);
  x: Float64Array = new Float64Array(64);
  y: Float64Array = new Float64Array(64);
  z: Float64Array = new Float64Array(64);
  wireX: Float64Array = new Float64Array(64);
  wireY: Float64Array = new Float64Array(64);
  wireZ: Float64Array = new Float64Array(64);
  /** Velocity in wire form, world units per second; 0 where the type has none. */
  velX: Float64Array = new Float64Array(64);
  velY: Float64Array = new Float64Array(64);
  velZ: Float64Array = new Float64Array(64);
  /** Version in which the position last changed in wire form. */
  movedVersion: Uint32Array = new Uint32Array(64);
  travelled: Float64Array = new Float64Array(64);
  predicateBits: Uint32Array = new Uint32Array(64);

  #dirtyMask: Uint32Array = new Uint32Array(64);
  #dirty: Int32Array = new Int32Array(64);
  #dirtyCount = 0;
  readonly #wireTables: readonly WireTable[];
  readonly #positionMasks: readonly number[];
  /** By type: the fields from which the columns in wire form are made. */
  readonly #motionMasks: readonly number[];
  readonly #freeSlots: number[] = [];
  #freeHead = 0;
  readonly #observers: WorldObserver[] = [];
  #told: {
    readonly moved: Having<"moved">;
    readonly updated: Having<"updated">;
    readonly written: Having<"written">;
  } = { moved: [], updated: [], written: [] };
  readonly #predicates: { name: string; test: (entity: Entity) => boolean }[] = [];
  readonly #onError: WorldOptions["onError"];
  readonly #identities: Identities;

  constructor({ protocol, onError, worldIds }: WorldOptions) {
    this.protocol = protocol;
    this.#onError = onError;
    this.#identities = new Identities(worldIds);
    this.store = new ObjectStore(protocol, (slot, fieldIndex) => this.#markWritten(slot, 1 << fieldIndex), reserving);
    this.#wireTables = this.store.tables.map((table) => new WireTable(table));
    this.#positionMasks = this.store.tables.map(({ type }) => maskOf([...type.position, ...type.orientation]));
    this.#motionMasks = this.store.tables.map(({ type }) => maskOf([...type.position, ...type.velocity]));
  }

  /** Objects in this world now. */
  get count(): number {
    return this.store.count;
  }

  observe(observer: WorldObserver): void {
    this.#observers.push(observer);
    this.#tellWhoAsks();
  }

  unobserve(observer: WorldObserver): void {
    const index = this.#observers.indexOf(observer);
    if (index >= 0) this.#observers.splice(index, 1);
    this.#tellWhoAsks();
  }

  #tellWhoAsks(): void {
    const having = <Method extends keyof WorldObserver>(method: Method): Having<Method> =>
      this.#observers.filter((observer) => observer[method] !== undefined) as unknown as Having<Method>;
    this.#told = { moved: having("moved"), updated: having("updated"), written: having("written") };
  }

  // ── objects ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Fields that are left out start at their field's initial value. */
  spawn<F extends Fields>(type: ObjectType<F>, values: Partial<Values<F>> = {}, options: SpawnOptions = {}): Entity<F> {
    const table = this.store.tableOf(type);
    for (const name of Object.keys(values)) type.fieldIndex(name);
    for (const { name, field } of type.fields) {
      const value = (values as Record<string, unknown>)[name];
      if (value !== undefined) field.check(value, `${type.name}.${name}`);
    }
    if (options.worldId !== undefined) this.#identities.refuseTwice(options.worldId);
    const slot = this.#takeSlot();
    const fresh = slot >= this.store.slotHigh;
    const generation = fresh ? 0 : (this.store.generation[slot]! + 1) % GENERATIONS;
    const entity = this.store.occupy(slot, generation, table, options.owner ?? 0);
    this.#ensure();
    this.#identities.begin(slot, options.worldId);
    if (options.tags !== undefined && options.tags.length > 0) this.store.setTags(slot, new Set(options.tags));
    for (const [name, value] of Object.entries(values)) {
      if (value !== undefined) (entity as unknown as Record<string, unknown>)[name] = value;
    }
    this.version[slot] = 0;
    this.travelled[slot] = 0;
    this.velX[slot] = 0;
    this.velY[slot] = 0;
    this.velZ[slot] = 0;
    this.#placeRow(slot);
    this.#commitFields(slot, type.allMask, 0, true);
    this.#dirtyMask[slot] = 0;
    this.predicateBits[slot] = this.#evaluatePredicates(slot);
    for (const observer of this.#observers) observer.spawned?.(slot);
    return entity as unknown as Entity<F>;
  }

  destroy(target: { readonly id: ObjectId } | ObjectId): void {
    const slot = this.#slotOrThrow(target);
    for (const observer of this.#observers) observer.destroyed?.(slot);
    this.#dirtyMask[slot] = 0;
    this.store.vacate(slot);
    this.#identities.end(slot);
    this.#freeSlots.push(slot);
  }

  // ── identity in a world of many servers ────────────────────────────────────────────────────────────────────────

  /** The id that the object has on every server and keeps for life. */
  worldIdOf(target: { readonly id: ObjectId } | ObjectId): WorldId {
    return this.#identities.idAt(this.#slotOrThrow(target));
  }

  /** The object of that world id, if it is here. The first call builds an index. */
  byWorldId(id: WorldId): Entity | undefined {
    const slot = this.#identities.slotOf(id);
    return slot < 0 ? undefined : this.store.entityAt(slot);
  }

  /** Whether another server owns the object, and this is a copy. */
  isForeign(target: { readonly id: ObjectId } | ObjectId): boolean {
    return this.#identities.isForeign(this.#slotOrThrow(target));
  }

  setForeign(target: { readonly id: ObjectId } | ObjectId, isForeign: boolean): void {
    this.#identities.setForeign(this.#slotOrThrow(target), isForeign);
  }

  // ── looking ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The object, if it lives; with a type, only if it is of that type. */
  get<F extends Fields>(type: ObjectType<F>, id: ObjectId): Entity<F> | undefined;
  get(id: ObjectId): Entity | undefined;
  get(first: ObjectId | object, id?: ObjectId): unknown {
    if (typeof first === "number") return this.store.get(first);
    const entity = this.store.get(id!);
    return entity?.type === first ? entity : undefined;
  }

  all<F extends Fields>(type: ObjectType<F>): IterableIterator<Entity<F>> {
    return this.store.all(type);
  }

  /** Objects of a type for which `test` holds (V12: validation and anti-cheat over the local pool). */
  *where<F extends Fields>(type: ObjectType<F>, test: (entity: Entity<F>) => boolean): IterableIterator<Entity<F>> {
    for (const entity of this.all(type)) if (test(entity)) yield entity;
  }

  // ── classification ─────────────────────────────────────────────────────────────────────────────────────────────

  tag(target: { readonly id: ObjectId }, tag: string): void {
    const slot = this.#slotOrThrow(target);
    const tags = this.store.tagsAt(slot);
    if (tags.has(tag)) return;
    this.store.setTags(slot, new Set([...tags, tag]));
    this.#reclassify(slot);
  }

  untag(target: { readonly id: ObjectId }, tag: string): void {
    const slot = this.#slotOrThrow(target);
    const tags = this.store.tagsAt(slot);
    if (!tags.has(tag)) return;
    this.store.setTags(slot, new Set([...tags].filter((other) => other !== tag)));
    this.#reclassify(slot);
  }

  setOwner(target: { readonly id: ObjectId }, owner: number): void {
    const slot = this.#slotOrThrow(target);
    if (this.store.owner[slot] === owner) return;
    this.store.owner[slot] = owner;
    this.#reclassify(slot);
  }

  /** Registers a test that views may name. It must be a pure function of the object's fields and tags: it runs at each update and tag change. */
  predicate(name: string, test: (entity: Entity) => boolean): void {
    if (this.#predicates.some((known) => known.name === name)) {
      throw new WorldError("duplicate-name", `predicate "${name}": already registered`);
    }
    if (this.#predicates.length === MAX_PREDICATES) {
      throw new WorldError("too-many", `predicate "${name}": a world has at most ${MAX_PREDICATES} predicates`);
    }
    this.#predicates.push({ name, test });
    for (let slot = 0; slot < this.store.slotHigh; slot++) if (this.store.isLive(slot)) this.#reclassify(slot);
  }

  /** The predicate's bit, or −1 where none has that name. */
  predicateIndex(name: string): number {
    return this.#predicates.findIndex((known) => known.name === name);
  }

  // ── updates ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Folds all writes since the last commit into updates credited to `writer` (a session number; 0 = the server). */
  commit(writer = 0): void {
    for (let i = 0; i < this.#dirtyCount; i++) {
      const slot = this.#dirty[i]!;
      const mask = this.#dirtyMask[slot]!;
      this.#dirtyMask[slot] = 0;
      if (mask !== 0 && this.store.isLive(slot)) this.#commitObject(slot, mask, writer, false);
    }
    this.#dirtyCount = 0;
  }

  /**
   * Commits one object now. Its new state is what session `knower` has already, because it computed the same: that session is not sent it.
   * Otherwise it is an update of the server, so whatever else is sent to that session of this object says these fields too. Returns false if
   * the state is as it was.
   */
  foresee(target: { readonly id: ObjectId }, knower: number): boolean {
    const slot = this.#slotOrThrow(target);
    const mask = this.#dirtyMask[slot]!;
    this.#dirtyMask[slot] = 0;
    const before = this.version[slot];
    if (mask !== 0) this.#commitObject(slot, mask, 0, false, knower);
    return this.version[slot] !== before;
  }

  /**
   * Sends these fields out again as the server has them, as an update of their own: a client wrote something else and was refused
   * or corrected. Writes to them that wait for a commit become part of it.
   */
  correct(target: { readonly id: ObjectId }, mask: number): void {
    const slot = this.#slotOrThrow(target);
    const known = mask & this.store.tableAt(slot).type.allMask;
    this.#dirtyMask[slot] = this.#dirtyMask[slot]! & ~known;
    this.#commitObject(slot, known, 0, true);
  }

  /** Fields newer than `version`, without those last written by session `exceptWriter`. */
  changedSince(slot: number, version: number, exceptWriter: number): number {
    const table = this.#wireTables[this.store.typeIndex[slot]!]!;
    const start = this.store.row[slot]! * table.fieldCount;
    let mask = 0;
    for (let field = 0; field < table.fieldCount; field++) {
      const own = exceptWriter !== 0 && table.fieldWriter[start + field] === exceptWriter;
      if (table.fieldVersion[start + field]! > version && !own) mask |= 1 << field;
    }
    return mask >>> 0;
  }

  /** The wire form of all objects of a type, by row: for loops over many fields. To be read, never written. */
  wireColumns(typeIndex: number): Columns<"wire"> {
    return this.#wireTables[typeIndex]!.wire;
  }

  /** One field in wire form, as of the newest version. */
  wireAt(slot: number, fieldIndex: number): Wire {
    return this.#wireTables[this.store.typeIndex[slot]!]!.wire.get(fieldIndex, this.store.row[slot]!);
  }

  /** One numeric field in wire form. */
  wireNumberAt(slot: number, fieldIndex: number): number {
    return this.#wireTables[this.store.typeIndex[slot]!]!.wire.numbers(fieldIndex)[this.store.row[slot]!]!;
  }

  /** One numeric field of a type in wire form, by row (`store.row`). */
  wireNumbers(type: number, fieldIndex: number): Float64Array {
    return this.#wireTables[type]!.wire.numbers(fieldIndex);
  }

  /** One numeric field of the primary. */
  numberAt(slot: number, fieldIndex: number): number {
    return this.store.tableAt(slot).values.numbers(fieldIndex)[this.store.row[slot]!]!;
  }

  /**
   * Writes what a send says of an object's motion into `out`, in wire form: position, velocity per second and, if `out` has room for
   * `FULL_MOTION_SIZE` numbers, acceleration per second squared; 0 where the type has none.
   */
  readMotion(slot: number, out: Float64Array): void {
    out[0] = this.wireX[slot]!;
    out[1] = this.wireY[slot]!;
    out[2] = this.wireZ[slot]!;
    out[3] = this.velX[slot]!;
    out[4] = this.velY[slot]!;
    out[5] = this.velZ[slot]!;
    if (out.length < FULL_MOTION_SIZE) return;
    const { acceleration } = this.store.tableAt(slot).type;
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      out[MOTION_SIZE + axis] = withinReach(this.#dequantized(slot, acceleration[axis]));
    }
  }

  /**
   * Writes what a send says of how an object is turned into `out`, in wire form: `TURN_AXES` angles in radians, then their rates per second; 0
   * where the type has none.
   */
  readTurn(slot: number, out: Float64Array): void {
    const { orientation, turnRate } = this.store.tableAt(slot).type;
    for (let axis = 0; axis < TURN_AXES; axis++) {
      out[axis] = this.#dequantized(slot, orientation[axis]);
      out[TURN_AXES + axis] = this.#dequantized(slot, turnRate[axis]);
    }
  }

  isSpatial(slot: number): boolean {
    return this.store.tableAt(slot).type.position.length > 0;
  }

  #commitObject(slot: number, mask: number, writer: number, force: boolean, knower = writer): void {
    const moved = (mask & this.#positionMasks[this.store.typeIndex[slot]!]!) !== 0;
    if (moved) this.#place(slot);
    const changed = this.#commitFields(slot, mask, writer, force);
    const told = this.#told;
    if (moved) for (let i = 0; i < told.moved.length; i++) told.moved[i]!.moved(slot);
    if (!changed) {
      for (let i = 0; i < told.written.length; i++) told.written[i]!.written(slot);
      return;
    }
    for (let i = 0; i < told.updated.length; i++) told.updated[i]!.updated(slot, knower);
    const bits = this.#predicates.length > 0 ? this.#evaluatePredicates(slot) : 0;
    if (bits !== this.predicateBits[slot]) {
      this.predicateBits[slot] = bits;
      for (const observer of this.#observers) observer.reclassified?.(slot);
    }
  }

  /** Brings the masked fields' wire form up to date; makes a new version if one changed, or in any case if `force` is set. */
  #commitFields(slot: number, mask: number, writer: number, force: boolean): boolean {
    const table = this.store.tableAt(slot);
    const wireTable = this.#wireTables[table.index]!;
    const row = this.store.row[slot]!;
    wireTable.ensure(row);
    const start = row * wireTable.fieldCount;
    const version = this.version[slot]! + 1;
    let changed = false;
    const { fields } = table.type;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const index = 31 - Math.clz32(rest & -rest);
      const { field } = fields[index]!;
      if (field.numeric) {
        const wires = wireTable.wire.numbers(index);
        const wire = field.quantizeNumber(table.values.numbers(index)[row]!);
        if (wires[row] === wire && !force) continue;
        wires[row] = wire;
      } else {
        const wire = field.toWire(table.values.get(index, row));
        if (!force && field.sameWire(wireTable.wire.get(index, row), wire)) continue;
        wireTable.wire.set(index, row, wire);
      }
      wireTable.fieldVersion[start + index] = version;
      wireTable.fieldWriter[start + index] = writer;
      changed = true;
    }
    if (!changed) return false;
    this.version[slot] = version;
    if ((mask & this.#motionMasks[table.index]!) !== 0 || version === 1) this.#placeWire(slot);
    return true;
  }

  // ── columns by slot ────────────────────────────────────────────────────────────────────────────────────────────

  /** Takes the primary's position over into the columns and adds the way to it to the path. */
  #place(slot: number): void {
    const fromX = this.x[slot]!;
    const fromY = this.y[slot]!;
    const fromZ = this.z[slot]!;
    this.#placeRow(slot);
    const dx = this.x[slot]! - fromX;
    const dy = this.y[slot]! - fromY;
    const dz = this.z[slot]! - fromZ;
    this.travelled[slot] = this.travelled[slot]! + Math.sqrt(dx * dx + dy * dy + dz * dz);
  }

  #placeRow(slot: number): void {
    const { type, values } = this.store.tableAt(slot);
    const row = this.store.row[slot]!;
    const { position } = type;
    const axes = position.length;
    this.x[slot] = axes > 0 ? withinReach(values.numbers(position[0]!)[row]!) : 0;
    this.y[slot] = axes > 1 ? withinReach(values.numbers(position[1]!)[row]!) : 0;
    this.z[slot] = axes > 2 ? withinReach(values.numbers(position[2]!)[row]!) : 0;
  }

  #placeWire(slot: number): void {
    const table = this.store.tableAt(slot);
    const { position, velocity } = table.type;
    const { wire } = this.#wireTables[table.index]!;
    const row = this.store.row[slot]!;
    const { wireX, wireY, wireZ } = this;
    const x = wireX[slot]!;
    const y = wireY[slot]!;
    const z = wireZ[slot]!;
    readWireNumber(table.type, wire, row, position[0], wireX, slot);
    readWireNumber(table.type, wire, row, position[1], wireY, slot);
    readWireNumber(table.type, wire, row, position[2], wireZ, slot);
    const moved = x !== wireX[slot] || y !== wireY[slot] || z !== wireZ[slot];
    if (moved || this.version[slot] === 1) this.movedVersion[slot] = this.version[slot]!;
    if (velocity.length === 0) return;
    this.velX[slot] = withinReach(wireNumber(table.type, wire, row, velocity[0]));
    this.velY[slot] = withinReach(wireNumber(table.type, wire, row, velocity[1]));
    this.velZ[slot] = withinReach(wireNumber(table.type, wire, row, velocity[2]));
  }

  #dequantized(slot: number, fieldIndex: number | undefined): number {
    const table = this.store.tableAt(slot);
    return wireNumber(table.type, this.#wireTables[table.index]!.wire, this.store.row[slot]!, fieldIndex);
  }

  #markWritten(slot: number, bit: number): void {
    const mask = this.#dirtyMask[slot]!;
    if (mask === 0) {
      if (this.#dirtyCount === this.#dirty.length) {
        this.#dirty = grown(this.#dirty, roomFor(this.#dirtyCount + 1, this.#dirtyCount));
      }
      this.#dirty[this.#dirtyCount++] = slot;
    }
    this.#dirtyMask[slot] = mask | bit;
  }

  #takeSlot(): number {
    const resting = this.#freeSlots.length - this.#freeHead;
    const full = this.store.slotHigh === MAX_SLOTS;
    if (resting <= RESTING_SLOTS && !(full && resting > 0)) return this.store.slotHigh;
    const slot = this.#freeSlots[this.#freeHead++]!;
    if (this.#freeHead > 1024) {
      this.#freeSlots.splice(0, this.#freeHead);
      this.#freeHead = 0;
    }
    return slot;
  }

  #ensure(): void {
    const { capacity } = this.store;
    if (capacity === this.version.length) return;
    this.version = grown(this.version, capacity);
    this.x = grown(this.x, capacity);
    this.y = grown(this.y, capacity);
    this.z = grown(this.z, capacity);
    this.wireX = grown(this.wireX, capacity);
    this.wireY = grown(this.wireY, capacity);
    this.wireZ = grown(this.wireZ, capacity);
    this.velX = grown(this.velX, capacity);
    this.velY = grown(this.velY, capacity);
    this.velZ = grown(this.velZ, capacity);
    this.movedVersion = grown(this.movedVersion, capacity);
    this.travelled = grown(this.travelled, capacity);
    this.predicateBits = grown(this.predicateBits, capacity);
    this.#dirtyMask = grown(this.#dirtyMask, capacity);
  }

  #evaluatePredicates(slot: number): number {
    let bits = 0;
    const entity = this.store.entityAt(slot);
    this.#predicates.forEach(({ name, test }, index) => {
      try {
        if (test(entity)) bits |= 1 << index;
      } catch (error) {
        if (this.#onError === undefined) throw error;
        this.#onError(error, `predicate ${name}`);
      }
    });
    return bits >>> 0;
  }

  #reclassify(slot: number): void {
    this.predicateBits[slot] = this.#evaluatePredicates(slot);
    for (const observer of this.#observers) observer.reclassified?.(slot);
  }

  #slotOrThrow(target: { readonly id: ObjectId } | ObjectId): number {
    const id = typeof target === "number" ? target : target.id;
    const slot = this.store.liveSlot(id);
    if (slot < 0) throw new WorldError("unknown-object", `object ${id}: not in this world`);
    return slot;
  }
}

/** A numeric field as its wire form says it; 0 where there is none. */
function wireNumber({ fields }: ObjectType, wire: Columns<"wire">, row: number, index: number | undefined): number {
  if (index === undefined) return 0;
  const { field } = fields[index]!;
  return field.numeric ? field.dequantizeNumber(wire.numbers(index)[row]!) : 0;
}

/** The same, written into a column. */
function readWireNumber(
  { fields }: ObjectType,
  wire: Columns<"wire">,
  row: number,
  index: number | undefined,
  out: Float64Array,
  at: number,
): void {
  const field = index === undefined ? undefined : fields[index]!.field;
  if (field?.numeric === true) dequantizeNumberInto(field, wire.numbers(index!), row, out, at);
  else out[at] = 0;
}

function withinReach(position: number): number {
  return Math.max(-FARTHEST, Math.min(FARTHEST, position));
}

function maskOf(fieldIndices: readonly number[]): number {
  return fieldIndices.reduce((mask, index) => mask | (1 << index), 0);
}
