/**
 * The layout of a frame packet: its header and the heads of its records, with writing and reading side by side. A frame is what one client
 * is sent in one round. It may span several packets, each of which can be read without the others.
 *
 *     packet 16 | behind (gamma) | round (var) | told 1 [heard (var) | pivots 1+8 | commands (var) | again 1] | step 4
 *     | { segment }* end | { 1, event }* 0 | padding
 *     segment: 0 | way | length (gamma) | so many deltas     or     1 | kind 3 | way | record     or     1 | early 3 | block
 *     block:   packets back to its base (gamma) | bits (var) | segments of deltas in so many bits
 *
 * Round, heard and commands are told as what they are ahead of in the *known* packet: the newest one of which the server knows that the
 * client has it, `behind` packets before. Without one they are told in full. Both sides remember what each packet told, so this is exact,
 * whatever was lost or overtaken in between.
 *
 * A *way* is the distance from one slot to the next. A delta consists only of fields, from the encode cache: its slot follows from the one
 * before, its generation and type from the base. Slots never descend within a packet; a slot comes twice if an old generation is removed
 * and a new one created. Blocks of early deltas follow the other records; each counts its slots anew. All bits: docs/wire-format.md.
 */

import {
  type BitReader,
  type BitWriter,
  GENERATIONS,
  IS_DEVELOPMENT,
  readGamma,
  SLOT_BITS,
  WireError,
  writeGamma,
} from "@nearfield/schema/internal";
import { readFlag, writeFlag } from "./primitives.ts";
import { short } from "./sequence.ts";

/**
 * What a record says of its object. Deltas come in runs and have no kind on the wire; the other kinds have these numbers. `early` begins a
 * block of deltas that build on one packet, of which the server does not know yet whether it arrived.
 */
export const RecordKind = { end: 0, whole: 1, some: 2, leave: 3, destroy: 4, settle: 5, early: 6, delta: 8 } as const;
export type RecordKind = (typeof RecordKind)[keyof typeof RecordKind];

export const GENERATION_BITS = 12;
/** Bits of the generation in a record of some fields. The object is known already, so they are only a check. */
export const GENERATION_CHECK_BITS = 4;
const KIND_BITS = 3;
const PIVOTS_BITS = 8;
const STEP_BITS = 4;
/** A way of more steps than this is written in full. */
const MOST_STEPS = 16;

/** The most packets between the newest acknowledged packet and this one. A packet further ahead has no deltas, and no delta builds on it. */
export const MOST_BEHIND = 255;

/** The most bits of a segment's head: flag, kind, way, and the length of a run; and the ends of the packet. */
export const SEGMENT_HEAD_BITS: number = 1 + KIND_BITS + MOST_STEPS + SLOT_BITS + 2 * SLOT_BITS + 1;
export const PACKET_END_BITS: number = 1 + KIND_BITS + 1;
/** The most bits of the head of a block of early deltas: flag, kind, distance to its base, length in bits. */
export const EARLY_HEAD_BITS: number = 1 + KIND_BITS + 21 + 35;
/** The bits of a whole object besides its fields: generation, type, owner, whether it rests. */
export const WHOLE_HEAD_BITS: number = GENERATION_BITS + 8 + 70 + 1;

export interface FrameHeader {
  readonly packet: number;
  /** The round, as far as it is ahead of that of the known packet. */
  readonly round: number;
  /**
   * Number of the client's last reliable message that the round includes, as far as it is ahead. Each packet tells it exactly. Packets come
   * in any order, and a packet may overwrite a client's write only if it includes that write.
   */
  readonly heard: number;
  /** Number of the client's last pivots that the round uses, modulo 256; −1: the same as told before. */
  readonly pivots: number;
  /**
   * One more than the number of the client's last stepped command that the round includes, or 0 if it never sent one; as far as that is
   * ahead. Each packet tells it exactly, like `heard`: it says which commands the states of this packet include.
   */
  readonly commands: number;
  /** Commands after that one are missing, although later ones came: the client must send them again. */
  readonly again: boolean;
  /** Packets from the newest acknowledged one to this one, at least 1. From `MOST_BEHIND` on, this packet has no deltas. */
  readonly behind: number;
  /** The low bits of a way that are written as they are. */
  readonly step: number;
}

export function writeFrameHeader(w: BitWriter, header: FrameHeader): void {
  const { packet, behind, round, heard, pivots, commands, again, step } = header;
  w.writeBits(short(packet), 16);
  writeGamma(w, Math.min(behind, MOST_BEHIND));
  w.writeVar(round);
  const isTold = heard > 0 || pivots >= 0 || commands > 0 || again;
  writeFlag(w, isTold);
  if (isTold) {
    w.writeVar(heard);
    writeFlag(w, pivots >= 0);
    if (pivots >= 0) w.writeBits(pivots % (1 << PIVOTS_BITS), PIVOTS_BITS);
    w.writeVar(commands);
    writeFlag(w, again);
  }
  w.writeBits(step, STEP_BITS);
}

export function readFrameHeader(r: BitReader): FrameHeader {
  const packet = r.readBits(16);
  const behind = readGamma(r);
  if (behind > MOST_BEHIND)
    throw new WireError("range", IS_DEVELOPMENT && `frame: ${behind} packets behind, at most ${MOST_BEHIND}`);
  const round = r.readVar();
  const isTold = readFlag(r);
  const heard = isTold ? r.readVar() : 0;
  const pivots = isTold && readFlag(r) ? r.readBits(PIVOTS_BITS) : -1;
  const commands = isTold ? r.readVar() : 0;
  const again = isTold && readFlag(r);
  if (isTold && heard === 0 && pivots < 0 && commands === 0 && !again)
    throw new WireError("range", IS_DEVELOPMENT && "frame: it says that it tells something, and tells nothing");
  const step = r.readBits(STEP_BITS);
  return { packet, round, heard, pivots, commands, again, behind, step };
}

/** The best step for slots that are `mean` apart on average: about half of all ways are shorter. */
export function stepFor(mean: number): number {
  return Math.min(15, 32 - Math.clz32(mean * 0.7));
}

/** Writes the distance to the next slot. */
export function writeWay(w: BitWriter, way: number, step: number): void {
  const steps = way >>> step;
  if (steps >= MOST_STEPS) {
    w.writeBits((1 << MOST_STEPS) - 1, MOST_STEPS);
    w.writeBits(way, SLOT_BITS);
    return;
  }
  w.writeBits((1 << steps) - 1, steps + 1);
  w.writeBits(way & ((1 << step) - 1), step);
}

/**
 * Writes the head of a run of deltas: its kind, the way to its first slot, and its length. A short head, as most are, is written in one
 * piece.
 */
export function writeRunHead(w: BitWriter, way: number, step: number, length: number): void {
  const steps = way >>> step;
  const wayBits = steps + 1 + step;
  if (length === 1 && steps < MOST_STEPS && wayBits < 30) {
    const unary = (1 << steps) - 1;
    const rest = way & ((1 << step) - 1);
    // A kind of 0, the way, and the gamma code of 1, which is a single 1 bit.
    w.writeBits((unary << 1) | (rest << (steps + 2)) | (1 << (wayBits + 1)), wayBits + 2);
    return;
  }
  writeKind(w, RecordKind.delta);
  writeWay(w, way, step);
  writeGamma(w, length);
}

export function readWay(r: BitReader, step: number): number {
  let steps = 0;
  while (steps < MOST_STEPS && r.readBits(1) === 1) steps++;
  if (steps < MOST_STEPS) return steps * (1 << step) + r.readBits(step);
  const way = r.readBits(SLOT_BITS);
  if (way >>> step < MOST_STEPS)
    throw new WireError("range", IS_DEVELOPMENT && `frame: a way of ${way} in its long form`);
  return way;
}

export function writeKind(w: BitWriter, kind: RecordKind): void {
  w.writeBits(kind === RecordKind.delta ? 0 : 1 + kind * 2, kind === RecordKind.delta ? 1 : 1 + KIND_BITS);
}

export function readKind(r: BitReader): RecordKind {
  if (!readFlag(r)) return RecordKind.delta;
  const kind = r.readBits(KIND_BITS);
  if (kind > RecordKind.early) throw new WireError("unknown", IS_DEVELOPMENT && `frame: there is no record ${kind}`);
  return kind as RecordKind;
}

/** Whether generation `a` of a slot comes after `b`. Right as long as fewer than half of all generations lie between them. */
export function isNewerGeneration(a: number, b: number): boolean {
  const ahead = (a - b + GENERATIONS) % GENERATIONS;
  return ahead !== 0 && ahead < GENERATIONS / 2;
}
