/**
 * Stepped commands (N7): the client has already applied them to its own object, and the server will apply them with the same step function.
 * They are numbered one after another. A message holds a run of them, from the oldest that the server may not have. So a lost message only
 * means waiting for the next one. A player who holds a key repeats the same command: whatever equals the command before takes one bit.
 *
 * After the run stands, for each of its objects, the digest of the state that the client predicts after the object's last command in the run,
 * and whether that command is held: it left the object as it was, and the client makes no more of the same kind until something changes.
 */

import type { CommandType, ObjectId, Protocol, Values } from "@nearfield/schema";
import { type BitReader, type BitWriter, checkRecord, type Wire, WireError } from "@nearfield/schema/internal";
import { type AckPart, readRidingAck, writeRidingAck } from "./arrivals.ts";
import { type Digest, HASH_BITS } from "./digest.ts";
import { readFlag, readId, writeFlag, writeId } from "./primitives.ts";

/** The shortest and the longest command, ms. Shorter frames are put together, longer ones are cut. */
export const LEAST_STEP_MS = 4;
export const MOST_STEP_MS = 250;
/**
 * The most time that commands may last together which a client has applied and the server has not confirmed, ms. Both sides keep to it:
 * beyond it the client stands still, and the server makes up for no more silence than this at once.
 */
export const MOST_AHEAD_MS = 2000;
/**
 * How long the server repeats a held command by itself, ms. If it hears no other command until then, the object stands still. The client
 * says twice as often that the command is still held.
 */
export const MOST_HELD_MS = 2000;
/** The most commands that fit into this time, if each is as short as possible. */
export const MOST_COMMANDS: number = Math.ceil(MOST_AHEAD_MS / LEAST_STEP_MS);

const COUNT_BITS = 9;
const STEP_BITS = 8;
/** A type has at most 32 fields. */
const MOST_SHIFTS = 0xffff_ffff;

/** Before the first command. */
const NOTHING = { id: 0 as ObjectId, type: undefined, wires: [] as readonly Wire[], stepMs: 0 };

/** One command for one object. */
export interface SteppedCommand {
  readonly id: ObjectId;
  readonly type: CommandType;
  readonly values: Values<CommandType["shape"]>;
  /** How long the command lasts, ms: a whole number. */
  readonly stepMs: number;
  /** The state that the client predicts after the command. On the wire only with an object's last command in a run. */
  readonly digest?: Digest | undefined;
  /** The same input goes on, and the object rests. On the wire next to a digest; without one, false. */
  readonly isHeld?: boolean | undefined;
}

/** A run of commands. */
export interface Commands {
  readonly kind: "commands";
  /** Low 16 bits of the first command's number; the others follow in order. */
  readonly first: number;
  readonly list: readonly SteppedCommand[];
  readonly ack?: AckPart | undefined;
}

/** The command before, with which the next one is compared. */
interface Before extends Omit<SteppedCommand, "values" | "digest" | "isHeld"> {
  readonly wires: readonly Wire[];
}

export function writeCommands(w: BitWriter, { first, list, ack }: Commands, protocol: Protocol): void {
  w.writeBits(first, 16);
  w.writeBits(list.length, COUNT_BITS);
  let before: Before | undefined;
  for (const { id, type, values, stepMs } of list) {
    checkRecord(type, values);
    const record = values as Readonly<Record<string, unknown>>;
    const wires = type.fields.map(({ name, field }) => field.toWire(record[name]));
    if (writeIsNew(w, before, id !== before?.id)) writeId(w, id);
    if (writeIsNew(w, before, before === undefined || !isSame(before, type, wires))) {
      protocol.writeType(w, type);
      for (const { index, field } of type.fields) field.writeWire(w, wires[index]!);
    }
    if (writeIsNew(w, before, stepMs !== before?.stepMs)) w.writeBits(stepMs, STEP_BITS);
    before = { id, type, wires, stepMs };
  }
  for (const index of lastOfEach(list)) writeDigest(w, list[index]!);
  writeRidingAck(w, ack);
}

export function readCommands(r: BitReader, protocol: Protocol): Commands {
  const first = r.readBits(16);
  const count = r.readBits(COUNT_BITS);
  if (count === 0 || count > MOST_COMMANDS) throw new WireError("length", `${count} commands, 1 to ${MOST_COMMANDS}`);
  const list: SteppedCommand[] = [];
  let before: Before | undefined;
  for (let left = count; left > 0; left--) {
    before = readCommand(r, protocol, before);
    list.push(asCommand(before));
  }
  for (const index of lastOfEach(list)) {
    const digest = readDigest(r);
    if (digest !== undefined) list[index] = { ...list[index]!, digest, isHeld: readFlag(r) };
  }
  return { kind: "commands", first, list, ack: readRidingAck(r) };
}

/** Where the last command of each object stands in the run, from the end of the run backward. */
function lastOfEach(list: readonly SteppedCommand[]): number[] {
  const seen = new Set<ObjectId>();
  const last: number[] = [];
  for (let index = list.length - 1; index >= 0; index--) {
    if (seen.has(list[index]!.id)) continue;
    seen.add(list[index]!.id);
    last.push(index);
  }
  return last;
}

function writeDigest(w: BitWriter, { digest, isHeld = false }: SteppedCommand): void {
  writeFlag(w, digest !== undefined);
  if (digest === undefined) return;
  w.writeBits(digest.hash, HASH_BITS);
  w.writeBits(digest.exact, HASH_BITS);
  w.writeVar(digest.shifts);
  writeFlag(w, isHeld);
}

function readDigest(r: BitReader): Digest | undefined {
  if (!readFlag(r)) return undefined;
  const hash = r.readBits(HASH_BITS);
  const exact = r.readBits(HASH_BITS);
  const shifts = r.readVar();
  if (shifts > MOST_SHIFTS) throw new WireError("range", `commands: a digest with the bits ${shifts}`);
  return { hash, exact, shifts };
}

/** Throws if something marked as new equals the command before: every command must have exactly one encoding. */
function readCommand(r: BitReader, protocol: Protocol, before: Before | undefined): Before {
  let { id, type, wires, stepMs } = before ?? NOTHING;
  if (readIsNew(r, before)) {
    id = readId(r);
    if (id === before?.id) throw repeated("object");
  }
  if (readIsNew(r, before)) {
    type = protocol.readCommandType(r);
    wires = type.fields.map(({ field }) => field.readWire(r));
    if (before !== undefined && isSame(before, type, wires)) throw repeated("command");
  }
  if (readIsNew(r, before)) {
    stepMs = r.readBits(STEP_BITS);
    if (stepMs === before?.stepMs) throw repeated("length");
    if (stepMs < LEAST_STEP_MS || stepMs > MOST_STEP_MS)
      throw new WireError("range", `a command of ${stepMs} ms, ${LEAST_STEP_MS} to ${MOST_STEP_MS}`);
  }
  return { id, type: type!, wires, stepMs };
}

function asCommand({ id, type, wires, stepMs }: Before): SteppedCommand {
  const values: Record<string, unknown> = {};
  for (const { name, index, field } of type.fields) values[name] = field.fromWire(wires[index]!);
  return { id, type, values: values as SteppedCommand["values"], stepMs };
}

function isSame(before: Before, type: CommandType, wires: readonly Wire[]): boolean {
  return (
    type === before.type && type.fields.every(({ index, field }) => field.sameWire(wires[index]!, before.wires[index]!))
  );
}

/** Of the first command everything is new, so no bit says so. */
function writeIsNew(w: BitWriter, before: Before | undefined, isNew: boolean): boolean {
  if (before !== undefined) writeFlag(w, isNew);
  return isNew;
}

function readIsNew(r: BitReader, before: Before | undefined): boolean {
  return before === undefined || readFlag(r);
}

function repeated(what: string): WireError {
  return new WireError("range", `commands: the same ${what} is said again`);
}
