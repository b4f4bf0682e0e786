/**
 * What is drawn. For each object of a presented type, its presentation makes a picture from the sends, at the render time of the frame.
 * `ship.shown.x` reads it. Sends are taken in while frames are applied; a picture is made when it is first read in a frame. Neither
 * allocates.
 *
 * A type is presented from `present` on, or from the first read of a `shown`; before that it costs nothing. Objects that this client writes
 * itself are shown as they are.
 */

import type { Entity } from "@nearfield/core";
import type { ObjectStore, Table } from "@nearfield/core/internal";
import {
  DEFAULT_PRESENTER,
  linear,
  type MotionKind,
  PICTURE_SIZE,
  PLACE_SIZE,
  Presentation,
  type PresentedBy,
  type placeOnCourse,
  type ResolvedPresenterSettings,
  SEND_SIZE,
  SendField,
} from "@nearfield/presentation/internal";
import { type Fields, type ObjectId, type ObjectType, slotOf, type Values } from "@nearfield/schema";
import { Playout } from "./playout.ts";

/** An object as it is drawn: position and orientation as its presentation says, the other fields as the replica has them. */
export type Shown<F extends Fields = Fields> = Readonly<Values<F>>;

/** A replica: `ship.x` is what was last received, `ship.shown.x` what to draw. */
export type Replicated<F extends Fields = Fields> = Entity<F> & { readonly shown: Shown<F> };

interface ByEntity<F extends Fields> {
  /**
   * Time bound of the zone an object is in, ms (`zoneTimeMs`); the delay of interpolation follows it. Default: not known, and the delay
   * follows the time between sends.
   */
  readonly timeBound?: (entity: Entity<F>) => number;
  /**
   * For objects whose whole course is known when it begins: a lift, a swaying lamp, a thrown stone. Returns the course, computed from the
   * fields that were sent, and the server's time at which it began. Called when the object is received. From then on the object is shown on
   * its course, without delay and without a further send; it turns as its model says (default: as sent). `undefined`: shown by the model.
   * Default: no courses. The server does not know of courses: lag compensation and the metric `predicted` ignore them.
   */
  readonly course?: (entity: Entity<F>) => BegunCourse | undefined;
}

/** A course on which an object is, and since when, in ms of the server's time (`round × roundMs`). */
export interface BegunCourse {
  readonly course: MotionKind;
  readonly begunMs: number;
}

/** How a type is shown: settings, or a genre's preset as it is: `present(client, Ship, shooter)`. */
export type ClientPresentation<F extends Fields = Fields> = PresentedBy & ByEntity<F>;

/** What differs by object. A page whose types have no courses does not load the code that computes them: it comes along with them. */
export interface ShownByEntity<F extends Fields = Fields> extends ByEntity<F> {
  readonly placeOnCourse?: typeof placeOnCourse;
}

/** One presented type: for each row its state, its picture, and the frame that the picture is of. */
interface PresentedTable {
  readonly table: Table;
  readonly presentation: Presentation;
  /** True for interpolation: shown at the playout moment instead of the render time. */
  readonly isLate: boolean;
  readonly timeBound: ((entity: Entity) => number) | undefined;
  readonly course: ((entity: Entity) => BegunCourse | undefined) | undefined;
  readonly placeOnCourse: typeof placeOnCourse | undefined;
  /** By row; empty where there are no courses. */
  readonly courses: (BegunCourse | undefined)[];
  states: Float64Array;
  pictures: Float64Array;
  frames: Float64Array;
}

/** What was on the screen of one object: everything that a server needs to compute it again (`ShotClaim` of its lag compensation). */
export interface Sight {
  /** The render time, in ms of the server's time. */
  readonly renderMs: number;
  readonly target: ObjectId;
  /** Round of its replica. */
  readonly round: number;
  /** For extrapolated objects: the render time at which that round took effect, ms. */
  readonly appliedMs: number;
  /** For interpolated objects: the moment of the server's time that is shown, ms. For others it is the render time. */
  readonly momentMs: number;
}

/** What `Presented` needs of the client that holds the replicas. */
export interface PresentedSource {
  readonly objects: ObjectStore;
  /** Server time of the state that the slot's object has, ms. */
  timeOf(slot: number): number;
  isSettled(slot: number): boolean;
  /** Whether this client writes the object itself. Such an object is shown as it is. */
  writes(entity: Entity): boolean;
}

export class Presented {
  readonly #source: PresentedSource;
  /** By type; undefined: not presented. */
  readonly #tables: (PresentedTable | undefined)[] = [];
  readonly #send: Float64Array = new Float64Array(SEND_SIZE);
  readonly #overrides = new Map<ObjectId, Float64Array>();
  readonly #playout: Playout = new Playout();
  #renderMs = Number.NaN;
  /** The moment that interpolation shows, never later than the render time; and the client's clock at that time. */
  #playoutMs = Number.NaN;
  #localMs = 0;
  #isGuess = false;
  /** Number of the frame. Pictures of earlier frames are made anew when they are read. */
  #frame = 1;

  constructor(source: PresentedSource) {
    this.#source = source;
  }

  // ── time and sends ─────────────────────────────────────────────────────────────────────────────────────────────

  /** Render time of what is read and applied from now on, in ms of the server's time; NaN before the first frame. */
  get renderMs(): number {
    return this.#renderMs;
  }

  /**
   * Sets the moments to show from now on.
   *
   * @param localMs the client's own clock.
   * @param isGuess the server's clock has not answered yet. Then the render time moves up to every newer server time that is heard of.
   */
  look(renderMs: number, localMs: number, isGuess = false): void {
    this.#localMs = localMs;
    this.#isGuess = isGuess;
    if (!Number.isFinite(renderMs)) return;
    const playoutMs = Math.min(renderMs, this.#playout.at(localMs));
    if (renderMs === this.#renderMs && playoutMs === this.#playoutMs) return;
    this.#renderMs = renderMs;
    this.#playoutMs = playoutMs;
    this.#frame += 1;
  }

  /** State of server time `serverMs` is about to be applied. Until a clock tells the time, the first such moment is shown. */
  heard(serverMs: number): void {
    this.#playout.heard(serverMs, this.#localMs);
    const isBehind = Number.isNaN(this.#renderMs) || (this.#isGuess && serverMs > this.#renderMs);
    if (isBehind || Number.isNaN(this.#playoutMs))
      this.look(isBehind ? serverMs : this.#renderMs, this.#localMs, this.#isGuess);
  }

  /** Shows objects of a type by these settings, starting from where they are now. The type must have the fields that the settings need. */
  present<F extends Fields>(
    type: ObjectType<F>,
    settings: ResolvedPresenterSettings,
    { timeBound, course, placeOnCourse }: ShownByEntity<F> = {},
  ): void {
    const { objects } = this.#source;
    const table = objects.tableOf(type);
    const presentation = new Presentation(settings);
    this.#tables[table.index] = {
      table,
      presentation,
      isLate: presentation.settings.model === "interpolation",
      timeBound: timeBound as PresentedTable["timeBound"],
      course: course as PresentedTable["course"],
      placeOnCourse,
      courses: [],
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

  /** The object is new in its slot, or its picture must start again: it is shown where it is. */
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

  #receive(presented: PresentedTable, slot: number): void {
    const { table, presentation, timeBound, states, frames } = presented;
    const { objects } = this.#source;
    const row = objects.row[slot]!;
    const { position, velocity, acceleration, orientation, turnRate } = table.type;
    const send = this.#send;
    send[SendField.time] = this.#source.timeOf(slot);
    send[SendField.bound] = timeBound?.(objects.entityAt(slot)) ?? Number.POSITIVE_INFINITY;
    send[SendField.settles] = this.#source.isSettled(slot) ? 1 : 0;
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      send[SendField.motion + axis] = numberAt(table, position[axis], row);
      send[SendField.motion + PLACE_SIZE + axis] = numberAt(table, velocity[axis], row);
      send[SendField.motion + 2 * PLACE_SIZE + axis] = numberAt(table, acceleration[axis], row);
      send[SendField.orientation + axis] = numberAt(table, orientation[axis], row);
      send[SendField.turnRate + axis] = numberAt(table, turnRate[axis], row);
    }
    presentation.receive(states, row * presentation.stateSize, send, 0, this.#timeOf(presented));
    frames[row] = 0;
    if (presented.course !== undefined) presented.courses[row] = presented.course(objects.entityAt(slot));
  }

  #timeOf({ isLate }: PresentedTable): number {
    return isLate ? this.#playoutMs : this.#renderMs;
  }

  // ── pictures ───────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Shows an object at another place than its presentation says, until undefined is given: for objects that this client predicts. `picture`
   * is position and orientation, three numbers each. It is read, not copied, so the caller may go on changing it.
   */
  override(id: ObjectId, picture: Float64Array | undefined): void {
    if (picture === undefined) this.#overrides.delete(id);
    else this.#overrides.set(id, picture);
  }

  /** One number of the object's picture in this frame; NaN if the replica itself is shown. The object must be alive. */
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
      presentation.show(states, row * presentation.stateSize, this.#timeOf(presented), pictures, row * PICTURE_SIZE);
      presented.frames[row] = this.#frame;
      const begun = presented.courses[row];
      if (begun !== undefined)
        presented.placeOnCourse?.(begun.course, this.#renderMs - begun.begunMs, pictures, row * PICTURE_SIZE);
    }
    return presented.pictures[row * PICTURE_SIZE + part]!;
  }

  /** What is on the screen of the object now. */
  sightOf({ id }: Entity, table: Table, round: number): Sight {
    const presented = this.#tables[table.index] ?? this.#begin(table);
    const { presentation, states } = presented;
    const at = this.#source.objects.row[slotOf(id)]! * presentation.stateSize;
    const appliedMs = presentation.appliedAtMs(states, at);
    const momentMs = presentation.momentOf(states, at, this.#timeOf(presented));
    return { renderMs: this.#renderMs, target: id, round, appliedMs, momentMs };
  }

  /** `shown` is read of a type without settings. With a velocity it is extrapolated; without one it is interpolated. */
  #begin({ type, index }: Table): PresentedTable {
    const model = type.velocity.length > 0 ? linear : "interpolation";
    this.present(type, { ...DEFAULT_PRESENTER, model, deltaMs: Number.NaN });
    return this.#tables[index]!;
  }

  /** The object left: drops what was kept for its id. */
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
