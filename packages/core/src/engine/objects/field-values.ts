/**
 * The numbers that the metrics `relative:FIELD` compare, where the kernel finds them: of each object the number now, the same as it would be sent, and the most it
 * is taken to change in a round. That cap is a promise like a speed cap (`plans/motion.ts`): a number that changes by more has all pairs of its object
 * looked at. So a pair is not looked at before its percentage can have reached the bound. Numbers often leap once and then rest, as hit points do: the cap
 * rises only if it is broken twice within a few rounds.
 */

import { MAX_SLOTS } from "@nearfield/schema/internal";
import type { World } from "../../world.ts";
import { FIELD, FIELD_BROKEN, FIELD_CAP, FIELD_NOW, FIELD_WIRE } from "../memory/layout.ts";
import { type ColumnSource, enlarged } from "../memory/memory.ts";
import { SpeedCaps } from "../plans/motion.ts";

/** Numbers per object. */
const RECORD: number = FIELD / 8;
const [NOW, WIRE, CAP, BROKEN] = [FIELD_NOW / 8, FIELD_WIRE / 8, FIELD_CAP / 8, FIELD_BROKEN / 8];
/** A cap that is broken again within so many rounds is too low. */
const SOON = 4;
const FIRST_SLOTS = 64;
/** Metrics are told apart by six bits. */
const METRICS = 64;
const NONE = -1;

interface Watched {
  readonly metric: number;
  /** By number of the type: which of its fields it is, or −1. */
  readonly fieldOf: Int32Array;
  readonly caps: SpeedCaps;
  column: Float64Array;
}

export class FieldValues {
  /** By number of the metric: address of its column; 0 = none. */
  readonly addresses: Int32Array;
  readonly #watched: Watched[] = [];
  readonly #world: World;
  readonly #columns: ColumnSource;
  /** Scratch: by how much a number changed. */
  readonly #step = new Float64Array(1);

  constructor(world: World, columns: ColumnSource) {
    this.#world = world;
    this.#columns = columns;
    this.addresses = columns.ints(METRICS);
  }

  /** Watches a field from now on, for the metric of this number. */
  heed(metric: number, name: string, round: number): void {
    if (this.addresses[metric] !== 0) return;
    const { protocol, store } = this.#world;
    const fieldOf = Int32Array.from(protocol.objects, ({ fields }) => {
      const named = fields.find((field) => field.name === name);
      return named?.field.numeric === true ? named.index : NONE;
    });
    const watched = { metric, fieldOf, caps: new SpeedCaps(), column: this.#columns.reals(FIRST_SLOTS * RECORD) };
    this.#watched.push(watched);
    this.#publish(watched);
    for (let slot = 0; slot < store.slotHigh; slot++) if (store.isLive(slot)) this.#start(watched, slot, round);
  }

  /** A new object. */
  add(slot: number, round: number): void {
    for (const watched of this.#watched) this.#start(watched, slot, round);
  }

  /** The object was written since the last round; true if a number of it changed by more than was promised. */
  note(slot: number, round: number): boolean {
    let isBroken = false;
    for (const watched of this.#watched) if (this.#takeOver(watched, slot, round)) isBroken = true;
    return isBroken;
  }

  #start(watched: Watched, slot: number, round: number): void {
    while (slot * RECORD >= watched.column.length) {
      const length = Math.min(watched.column.length * 2, MAX_SLOTS * RECORD);
      watched.column = enlarged(this.#columns, watched.column, length, MAX_SLOTS * RECORD);
      this.#publish(watched);
    }
    watched.caps.start(slot, round);
    watched.column.fill(0, slot * RECORD, (slot + 1) * RECORD);
    watched.column[slot * RECORD + BROKEN] = Number.NEGATIVE_INFINITY;
    this.#read(watched, slot);
  }

  #takeOver(watched: Watched, slot: number, round: number): boolean {
    const { caps, column } = watched;
    const at = slot * RECORD;
    const before = column[at + NOW]!;
    this.#read(watched, slot);
    const step = Math.abs(column[at + NOW]! - before);
    if (step === 0) return false;
    const isBroken = !(step <= column[at + CAP]!);
    const isLeap = isBroken && round - column[at + BROKEN]! > SOON;
    if (isBroken) column[at + BROKEN] = round;
    if (isLeap) return true;
    // Between two infinite numbers lies whatever one fears.
    this.#step[0] = Number.isNaN(step) ? Number.POSITIVE_INFINITY : step;
    caps.exceedsAt(slot, this.#step, 0, round);
    caps.copyTo(column, at + CAP, slot);
    return isBroken;
  }

  #read({ fieldOf, column }: Watched, slot: number): void {
    const world = this.#world;
    const { type, index } = world.store.tableAt(slot);
    const field = fieldOf[index]!;
    if (field === NONE) return;
    const described = type.fields[field]!.field;
    if (!described.numeric) return;
    const at = slot * RECORD;
    column[at + NOW] = world.numberAt(slot, field);
    column[at + WIRE] = described.dequantizeNumber(world.wireNumberAt(slot, field));
  }

  #publish({ metric, column }: Watched): void {
    this.addresses[metric] = column.byteOffset;
  }
}
