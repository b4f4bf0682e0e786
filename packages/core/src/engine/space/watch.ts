/**
 * One pivot of a view as the engine follows it: where it is, where it was a round ago, and the borders around it. The zones of a group grow and shrink with the
 * group, so a border has two distances: that of this round and that of the round before.
 */

import type { ObjectId } from "@nearfield/schema";
import type { Frame } from "../../camera-frame.ts";
import { LEAVE_FACTOR } from "../../judge.ts";
import { type PlacedPivot, pivotRadius } from "../../pivots.ts";
import type { ResolvedSet } from "../../resolve-view.ts";
import type { Shape } from "../../view.ts";
import { squareOfAtMost } from "../judges/thresholds.ts";
import {
  BORDER,
  BORDER_BAND,
  BORDER_ENTRY,
  BORDER_NOW,
  BORDER_OLD,
  BORDER_OUTWARD,
  BORDER_RINGS,
  BORDER_SHAPE,
  FRAME,
  FRAME_ACROSS_X,
  FRAME_ACROSS_Y,
  FRAME_ALONG_X,
  FRAME_ALONG_Y,
  FRAMED,
  ROUND,
  SQUARE,
  STRIP,
  SUBCELLS,
  WATCH,
  WATCH_BORDER_COUNT,
  WATCH_BORDERS,
  WATCH_DIR_X,
  WATCH_DIR_Y,
  WATCH_DIR_Z,
  WATCH_EDGES,
  WATCH_FRAME,
  WATCH_ID,
  WATCH_OLD_X,
  WATCH_OLD_Y,
  WATCH_OLD_Z,
  WATCH_SLOT,
  WATCH_SNAPSHOT,
  WATCH_STRIDE,
  WATCH_X,
  WATCH_Y,
  WATCH_Z,
} from "../memory/layout.ts";
import type { ColumnSource } from "../memory/memory.ts";
import type { Rings } from "./borders.ts";

// Constants of this module: see `pair-table.ts`.
const [X, Y, Z] = [WATCH_X / 8, WATCH_Y / 8, WATCH_Z / 8];
const [DIR_X, DIR_Y, DIR_Z] = [WATCH_DIR_X / 8, WATCH_DIR_Y / 8, WATCH_DIR_Z / 8];
const [OLD_X, OLD_Y, OLD_Z] = [WATCH_OLD_X / 8, WATCH_OLD_Y / 8, WATCH_OLD_Z / 8];

/** Ways are rounded when they are summed up over rounds; the sum stays this much on the safe side. */
export const WAY_CAUTION: number = 1 + 2 ** -20;

/** The zones of a camera end at distances in its frame. */
export type BorderShape = Shape | "framed";
const SHAPES = { round: ROUND, square: SQUARE, framed: FRAMED };

/** A distance at which a pair must be judged anew. */
export interface Border {
  readonly shape: BorderShape;
  readonly outward: boolean;
  /** Zone and radius whose outer edge it is; −1 where it is a range. */
  readonly zone: number;
  readonly radius: number;
  /** Who crosses it may come to be in the replica. */
  isEntry: boolean;
  /** World units. */
  distance: number;
  /** Its rings are made for this distance, from which the true one may differ by `play`. */
  madeFor: number;
  play: number;
}

/** The borders around a pivot, as the engine and its kernel know them. */
export class Borders {
  readonly borders: readonly Border[];
  /** Around a group, so that they grow and shrink with it. */
  readonly elastic: boolean;
  /** Around a camera. */
  readonly frame: Frame | undefined;
  /** What the kernel is told of them, one after the other, see `layout.ts`; and the same memory as integers. */
  readonly sheet: Float64Array;
  readonly sheetInts: Int32Array;
  /** The edition of the space for which they have their rings. */
  edition = -1;
  /** How far the border that moved farthest came when they were last stretched. */
  stretched = 0;
  /** Rounds since one of them last moved. */
  steadyFor = 0;
  /** Its rings are made for the distances as they are, without play. */
  isFitted = false;
  /** Those that lie close together share a ring. */
  isBanded = false;
  /** Watches that have them. */
  users = 0;
  readonly #rings: (Rings | undefined)[] = [];
  readonly #columns: ColumnSource;
  /** The size of the group for which they were last stretched, and whether what was before is the same as what is now. */
  #size = Number.NaN;
  #scale = Number.NaN;
  #isSettled = false;

  constructor(columns: ColumnSource, borders: readonly Border[], elastic: boolean, frame: Frame | undefined) {
    this.#columns = columns;
    this.borders = borders;
    this.elastic = elastic;
    this.frame = frame;
    this.sheet = columns.reals((borders.length * BORDER) / 8);
    this.sheetInts = new Int32Array(this.sheet.buffer, this.sheet.byteOffset, this.sheet.length * 2);
    for (const [index, { shape, outward, isEntry }] of borders.entries()) {
      const ints = (index * BORDER) / 4;
      this.sheetInts[ints + BORDER_OUTWARD / 4] = outward ? 3 : 0;
      this.sheetInts[ints + BORDER_SHAPE / 4] = SHAPES[shape];
      this.sheetInts[ints + BORDER_ENTRY / 4] = isEntry ? 1 : 0;
      this.#compare(index);
    }
    this.#settle();
  }

  /** Gives its memory back. */
  dispose(): void {
    for (const rings of this.#rings) rings?.dispose();
    this.#columns.release(this.sheet);
  }

  /** Gives a band of borders its rings, or none. */
  equip(index: number, band: number, rings: Rings | undefined): void {
    this.sheetInts[(index * BORDER + BORDER_BAND) / 4] = band;
    this.#rings[index]?.dispose();
    this.#rings[index] = rings;
    for (let sub = 0; sub < SUBCELLS; sub++) {
      const at = (index * BORDER + BORDER_RINGS) / 4 + sub * 2;
      this.sheetInts[at] = rings?.rings[sub]?.byteOffset ?? 0;
      this.sheetInts[at + 1] = (rings?.rings[sub]?.byteLength ?? 0) / STRIP;
    }
  }

  /** Whether the zones of a group are as large as in the last two rounds; that is noted. */
  rests({ radii, scale }: PlacedPivot): boolean {
    if (!this.#isSettled || radii![0] !== this.#size || scale !== this.#scale) return false;
    this.steadyFor++;
    return true;
  }

  /** Takes over how large the zones of a group are. */
  stretch(pivot: PlacedPivot): void {
    this.stretched = 0;
    if (!this.#isSettled) this.#settle();
    // The radii of a group all follow from its first.
    if (pivot.radii![0] === this.#size && pivot.scale === this.#scale) {
      this.#isSettled = true;
      this.steadyFor++;
      return;
    }
    this.#size = pivot.radii![0]!;
    this.#scale = pivot.scale;
    for (let index = 0; index < this.borders.length; index++) {
      const border = this.borders[index]!;
      if (border.zone < 0) continue;
      const distance = pivotRadius(pivot, border.zone, border.radius);
      if (distance === border.distance) continue;
      this.stretched = Math.max(this.stretched, Math.abs(distance - border.distance));
      border.distance = distance;
      this.#compare(index);
    }
    this.#isSettled = this.stretched === 0;
    this.steadyFor = this.#isSettled ? this.steadyFor + 1 : 0;
    if (!this.#isSettled) this.isFitted = false;
  }

  /** What is now is what was before. */
  #settle(): void {
    for (let at = 0; at < this.sheet.length; at += BORDER / 8) {
      this.sheet[at + BORDER_OLD / 8] = this.sheet[at + BORDER_NOW / 8]!;
    }
  }

  #compare(index: number): void {
    const { shape, distance } = this.borders[index]!;
    this.sheet[(index * BORDER + BORDER_NOW) / 8] = shape === "round" ? squareOfAtMost(distance) : distance;
  }
}

export class Watch {
  readonly pivot: PlacedPivot;
  readonly around: Borders;
  /** Whether pivot or borders moved in this round, and how far the one that moved farthest. */
  moved = true;
  step = 0;
  /** How far the pivot came in this round and the border that moved farthest, together. */
  way = 0;
  /** What the kernel is told of it, see `layout.ts`, and where that is. */
  readonly sheet: Float64Array;
  readonly address: number;
  readonly #ints: Int32Array;
  readonly #frame: Float64Array | undefined;
  readonly #columns: ColumnSource;

  constructor(columns: ColumnSource, pivot: PlacedPivot, around: Borders) {
    this.#columns = columns;
    this.pivot = pivot;
    this.around = around;
    this.sheet = columns.reals(WATCH / 8);
    this.address = this.sheet.byteOffset;
    this.#ints = new Int32Array(this.sheet.buffer, this.sheet.byteOffset, WATCH / 4);
    this.#ints[WATCH_BORDERS / 4] = around.sheet.byteOffset;
    this.#ints[WATCH_BORDER_COUNT / 4] = around.borders.length;
    this.#frame = pivot.frame && frameSheet(columns, pivot.frame);
    this.#ints[WATCH_FRAME / 4] = this.#frame?.byteOffset ?? 0;
    // Twice: where it is now is where it was before.
    this.follow();
    this.follow();
  }

  /** Gives its memory back. */
  dispose(): void {
    this.#columns.release(this.sheet);
    if (this.#frame !== undefined) this.#columns.release(this.#frame);
  }

  /** The kernel follows the pivot from now on, which lies on that object. */
  carryOn(slot: number, id: ObjectId): void {
    this.#ints[WATCH_SLOT / 4] = slot;
    this.#ints[WATCH_ID / 4] = id;
  }

  /** Where the kernel has followed the pivot to. */
  recall(): void {
    this.pivot.x = this.sheet[X]!;
    this.pivot.y = this.sheet[Y]!;
    this.pivot.z = this.sheet[Z]!;
  }

  /** Where the edges of the zones around it lie: by zone of the first set, and so many bytes on of the next. */
  setEdges(address: number, stride: number): void {
    this.#ints[WATCH_EDGES / 4] = address;
    this.#ints[WATCH_STRIDE / 4] = stride;
  }

  /** With which objects its borders are compared in this round. */
  setSnapshot(address: number): void {
    this.#ints[WATCH_SNAPSHOT / 4] = address;
  }

  /** Takes note of where the pivot is in this round. */
  follow(): void {
    if (!this.moved && this.#rests()) return;
    const { sheet } = this;
    const { x, y, z } = this.pivot;
    sheet[DIR_X] = this.pivot.dirX;
    sheet[DIR_Y] = this.pivot.dirY;
    sheet[DIR_Z] = this.pivot.dirZ;
    sheet[OLD_X] = sheet[X]!;
    sheet[OLD_Y] = sheet[Y]!;
    sheet[OLD_Z] = sheet[Z]!;
    sheet[X] = x;
    sheet[Y] = y;
    sheet[Z] = z;
    const dx = x - sheet[OLD_X]!;
    const dy = y - sheet[OLD_Y]!;
    const dz = z - sheet[OLD_Z]!;
    this.step = Math.sqrt(dx * dx + dy * dy + dz * dz);
    this.way = this.step;
    if (this.around.elastic) {
      this.around.stretch(this.pivot);
      this.way += this.around.stretched;
      this.step = Math.max(this.step, this.around.stretched);
    }
    this.moved = this.step > 0;
  }

  /** Whether all is as in the round before, in which nothing had moved either. */
  #rests(): boolean {
    const { sheet, pivot, around } = this;
    return (
      sheet[X] === pivot.x &&
      sheet[Y] === pivot.y &&
      sheet[Z] === pivot.z &&
      sheet[DIR_X] === pivot.dirX &&
      sheet[DIR_Y] === pivot.dirY &&
      sheet[DIR_Z] === pivot.dirZ &&
      (!around.elastic || around.rests(pivot))
    );
  }
}

function frameSheet(columns: ColumnSource, { across, along }: Frame): Float64Array {
  const sheet = columns.reals(FRAME / 8);
  sheet[FRAME_ACROSS_X / 8] = across[0];
  sheet[FRAME_ACROSS_Y / 8] = across[1];
  sheet[FRAME_ALONG_X / 8] = along[0];
  sheet[FRAME_ALONG_Y / 8] = along[1];
  return sheet;
}

/** Borders around objects and points are one and the same for all views of an engine that have them. */
export class BorderStore {
  readonly #columns: ColumnSource;
  readonly #byKey = new Map<string, Borders>();

  constructor(columns: ColumnSource) {
    this.#columns = columns;
  }

  /** @param bothWays edges of zones count for whoever crosses them outward, too. */
  watch(pivot: PlacedPivot, sets: readonly ResolvedSet[], bothWays = false): Watch {
    const around = this.#of(pivot, sets, bothWays);
    around.users++;
    return new Watch(this.#columns, pivot, around);
  }

  /** Nobody has the watch any more. */
  release(watch: Watch): void {
    const { around } = watch;
    watch.dispose();
    if (--around.users > 0) return;
    if (!around.elastic && around.frame === undefined) this.#byKey.delete(keyOf(around.borders));
    around.dispose();
  }

  #of(pivot: PlacedPivot, sets: readonly ResolvedSet[], bothWays: boolean): Borders {
    const borders = bordersOf(pivot, sets, bothWays);
    if (pivot.radii !== undefined) return new Borders(this.#columns, borders, pivot.frame === undefined, pivot.frame);
    const key = keyOf(borders);
    let around = this.#byKey.get(key);
    if (around === undefined) {
      around = new Borders(this.#columns, borders, false, undefined);
      this.#byKey.set(key, around);
    }
    return around;
  }
}

/** All that the borders of an object or a point differ in. */
function keyOf(borders: readonly Border[]): string {
  return borders.map(({ shape, outward, isEntry, distance }) => `${shape} ${outward} ${isEntry} ${distance}`).join();
}

/** From the nearest to the farthest, shape by shape. A zone's edge and a range at the same distance are one border. */
function bordersOf(pivot: PlacedPivot, sets: readonly ResolvedSet[], bothWays: boolean): Border[] {
  const borders = new Map<string, Border>();
  const add = (shape: BorderShape, outward: boolean, zone: number, radius: number): void => {
    const distance = zone < 0 ? radius : pivotRadius(pivot, zone, radius);
    if (distance === Number.POSITIVE_INFINITY) return;
    const isEntry = zone < 0 && !outward;
    const elastic = pivot.radii !== undefined && pivot.frame === undefined && zone >= 0;
    const key = `${shape} ${outward} ${elastic ? `zone ${zone}` : distance}`;
    const known = borders.get(key);
    if (known !== undefined) known.isEntry ||= isEntry;
    else borders.set(key, { shape, outward, isEntry, zone, radius, distance, madeFor: Number.NaN, play: 0 });
  };
  for (const { shape, radii, range } of sets) {
    const zoned = pivot.frame === undefined ? shape : "framed";
    for (const [zone, radius] of radii.entries()) {
      add(zoned, false, zone, radius);
      if (bothWays) add(zoned, true, zone, radius);
    }
    add(shape, false, -1, range);
    add(shape, true, -1, LEAVE_FACTOR * range);
  }
  return [...borders.values()].sort((a, b) => SHAPES[a.shape] - SHAPES[b.shape] || a.distance - b.distance);
}
