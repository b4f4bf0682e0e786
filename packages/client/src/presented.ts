/**
 * What is drawn: for each object of a type that is presented, the picture that its presentation makes of the sends, at the render time of
 * the frame. `ship.shown.x` reads it. Sends are taken in while frames are applied, pictures are made when they are first read in a
 * frame, and neither allocates.
 *
 * A type is presented from `present` on, or from the first look at a `shown` of it; before that it costs nothing. What this client writes
 * itself is shown as it is.
 */

import { type Entity, type ObjectId, type ObjectStore, slotOf, type Table } from "@nearfield/core";
import {
  PICTURE_SIZE,
  PLACE_SIZE,
  Presentation,
  type PresenterSettings,
  SEND_SIZE,
  SendField,
} from "@nearfield/presentation";
import type { Fields, ObjectType, Values } from "@nearfield/schema";

/** An object as it is drawn: position and orientation as its presentation says, the other fields as the replica has them. */
export type Shown<F extends Fields = Fields> = Readonly<Values<F>>;

/** A replica: `ship.x` is what was last received, `ship.shown.x` what to draw. */
export type Replicated<F extends Fields = Fields> = Entity<F> & { readonly shown: Shown<F> };

export interface ClientPresentation<F extends Fields = Fields> extends PresenterSettings {
  /**
   * Time bound of the zone an object is in, ms (`zoneTimeMs`); the delay of interpolation follows it. Default: not known, and the delay
   * follows the time between sends.
   */
  readonly timeBound?: (entity: Entity<F>) => number;
}

/** One type: the state of each row and its picture in the frame of that number. */
interface PresentedTable {
  readonly table: Table;
  readonly presentation: Presentation;
  readonly timeBound: ((entity: Entity) => number) | undefined;
  states: Float64Array;
  pictures: Float64Array;
  frames: Float64Array;
}

/** What a picture is made of, by the client that holds the replicas. */
export interface PresentedSource {
  readonly objects: ObjectStore;
  /** Server time of the state that the slot's object has, ms. */
  timeOf(slot: number): number;
  isSettled(slot: number): boolean;
  /** Whether this client writes the object itself: then it is shown as it is. */
  writes(entity: Entity): boolean;
}

export class Presented {
  readonly #source: PresentedSource;
  /** By type; undefined: not presented. */
  readonly #tables: (PresentedTable | undefined)[] = [];
  readonly #send: Float64Array = new Float64Array(SEND_SIZE);
  readonly #overrides = new Map<ObjectId, Float64Array>();
  #renderMs = Number.NaN;
  /** Number of the frame; pictures of other frames are made anew. */
  #frame = 1;

  constructor(source: PresentedSource) {
    this.#source = source;
  }

  // ── time and sends ─────────────────────────────────────────────────────────────────────────────────────────────

  /** Render time of what is read and applied from now on, in ms of the server's time; NaN before the first frame. */
  get renderMs(): number {
    return this.#renderMs;
  }

  set renderMs(renderMs: number) {
    if (renderMs === this.#renderMs || !Number.isFinite(renderMs)) return;
    this.#renderMs = renderMs;
    this.#frame += 1;
  }

  /** State of that moment of the server's time is about to be applied. Until a clock tells the time, the first such moment is shown. */
  heard(serverMs: number): void {
    if (Number.isNaN(this.#renderMs)) this.renderMs = serverMs;
  }

  /** Shows objects of a type by these settings, beginning with where they are now. */
  present<F extends Fields>(type: ObjectType<F>, { timeBound, ...settings }: ClientPresentation<F>): void {
    const { objects } = this.#source;
    const table = objects.tableOf(type);
    this.#tables[table.index] = {
      table,
      presentation: new Presentation(settings),
      timeBound: timeBound as PresentedTable["timeBound"],
      states: new Float64Array(0),
      pictures: new Float64Array(0),
      frames: new Float64Array(0),
    };
    for (let row = 0; row < table.high; row++) if (table.slots[row]! >= 0) this.restarted(table.slots[row]!);
  }

  /** A record of the object was applied. */
  applied(slot: number): void {
    const presented = this.#tables[this.#source.objects.typeIndex[slot]!];
    if (presented !== undefined) this.#receive(presented, slot);
  }

  /** The object is new in its slot, or what was shown of it counts no more: it is shown where it is. */
  restarted(slot: number): void {
    const { objects } = this.#source;
    const presented = this.#tables[objects.typeIndex[slot]!];
    if (presented === undefined) return;
    const row = objects.row[slot]!;
    reserve(presented, row + 1);
    const { stateSize } = presented.presentation;
    presented.states.fill(0, row * stateSize, (row + 1) * stateSize);
    this.#receive(presented, slot);
  }

  #receive({ table, presentation, timeBound, states, frames }: PresentedTable, slot: number): void {
    const { objects } = this.#source;
    const row = objects.row[slot]!;
    const { position, velocity, orientation } = table.type;
    const send = this.#send;
    send[SendField.time] = this.#source.timeOf(slot);
    send[SendField.bound] = timeBound?.(objects.entityAt(slot)) ?? Number.POSITIVE_INFINITY;
    send[SendField.settles] = this.#source.isSettled(slot) ? 1 : 0;
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      send[SendField.motion + axis] = numberAt(table, position[axis], row);
      send[SendField.motion + PLACE_SIZE + axis] = numberAt(table, velocity[axis], row);
      send[SendField.orientation + axis] = numberAt(table, orientation[axis], row);
    }
    presentation.receive(states, row * presentation.stateSize, send, 0, this.#renderMs);
    frames[row] = 0;
  }

  // ── pictures ───────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Shows an object elsewhere than its presentation says, until undefined is given: for what this client predicts. `picture` is position and
   * orientation, three numbers each; it is read, not copied, so it may go on changing.
   */
  override(id: ObjectId, picture: Float64Array | undefined): void {
    if (picture === undefined) this.#overrides.delete(id);
    else this.#overrides.set(id, picture);
  }

  /** One number of the object's picture in this frame; NaN where the replica itself is shown. The object is alive. */
  numberOf(entity: Entity, table: Table, part: number): number {
    const { id } = entity;
    if (this.#overrides.size > 0) {
      const picture = this.#overrides.get(id);
      if (picture !== undefined) return picture[part]!;
    }
    if (table.type.write !== "server" && this.#source.writes(entity)) return Number.NaN;
    const presented = this.#tables[table.index] ?? this.#begin(table);
    const row = this.#source.objects.row[slotOf(id)]!;
    if (presented.frames[row] !== this.#frame) {
      const { presentation, states, pictures } = presented;
      presentation.show(states, row * presentation.stateSize, this.#renderMs, pictures, row * PICTURE_SIZE);
      presented.frames[row] = this.#frame;
    }
    return presented.pictures[row * PICTURE_SIZE + part]!;
  }

  /** Somebody looks at a type that nobody gave settings for: where no velocity is sent, nothing is guessed. */
  #begin({ type, index }: Table): PresentedTable {
    this.present(type, { model: type.velocity.length > 0 ? "linear" : "interpolation" });
    return this.#tables[index]!;
  }

  /** The object left: its id is of no use any more. */
  forget(id: ObjectId): void {
    this.#overrides.delete(id);
  }
}

function numberAt({ values }: Table, fieldIndex: number | undefined, row: number): number {
  return fieldIndex === undefined ? 0 : values.numbers(fieldIndex)[row]!;
}

/** Makes room for so many rows. */
function reserve(presented: PresentedTable, rows: number): void {
  if (presented.frames.length >= rows) return;
  const capacity = Math.max(16, rows, presented.frames.length * 2);
  presented.states = grown(presented.states, capacity * presented.presentation.stateSize);
  presented.pictures = grown(presented.pictures, capacity * PICTURE_SIZE);
  presented.frames = grown(presented.frames, capacity);
}

function grown(old: Float64Array, length: number): Float64Array {
  const fresh = new Float64Array(length);
  fresh.set(old);
  return fresh;
}
