/**
 * A second reader of the wire, written from docs/wire-format.md alone: it shares no code with the one in use, knows bits as a string of
 * zeros and ones, and takes the residual code's lengths, reasons and the like from the page itself. Slow, plain, and only for tests.
 */

import { readFileSync } from "node:fs";

const page = readFileSync(new URL("../../../docs/wire-format.md", import.meta.url), "utf8");

/** A protocol as plain data: the fields as the descriptions have them. */
export interface PlainField {
  readonly name: string;
  readonly kind: string;
  readonly bits?: number;
  readonly max?: number;
  readonly points?: number;
  readonly labels?: number;
  readonly of?: PlainField;
}

export interface PlainType {
  readonly name: string;
  readonly fields: readonly PlainField[];
  /** Names of the fields that have a role. */
  readonly roles: readonly string[];
  /** By name of a position's field: its velocity, and the number that stands for a velocity of 0. */
  readonly velocities: { readonly [name: string]: { readonly name: string; readonly zero: number } };
}

export interface PlainProtocol {
  readonly objects: readonly PlainType[];
  readonly commands: readonly PlainType[];
  readonly events: readonly PlainType[];
}

export type Plain = number | string | boolean | null | Plain[] | { [name: string]: Plain };

function listed(what: string): string[] {
  const from = page.indexOf(`\n${what} `);
  const text = page.slice(from + what.length + 1).split(/\n\S/)[0]!;
  return text.split(",").map((word) => word.trim());
}

const REASONS = listed("reasons");
const REFUSALS = listed("refusals");
const STATES = listed("room states");
const ROLES = listed("roles");
const LENGTHS = [...page.matchAll(/^ +\d+ ((?: +\d+){16})$/gm)].map((row) => row[1]!.trim().split(/ +/).map(Number));

const PAIR_LENGTHS = [...page.matchAll(/^ +\d+ ((?: +\d+){13})$/gm)].map((row) =>
  row[1]!.trim().split(/ +/).map(Number),
);

/** Code words of each table as text, with their symbols: −7 … 7 and 8 for the escape. */
const CODES: Map<string, number>[] = LENGTHS.map((lengths) => canonical(lengths, -7));
/** The same of pairs: 4 × the first + the second, each −, 0, + or beyond; 12 if the first lies beyond. */
const PAIR_CODES: Map<string, number>[] = PAIR_LENGTHS.map((lengths) => canonical(lengths, 0));

function canonical(lengths: readonly number[], first: number): Map<string, number> {
  const codes = new Map<string, number>();
  let next = 0;
  for (let length = 1; length <= 16; length++) {
    next *= 2;
    lengths.forEach((wanted, at) => {
      if (wanted !== length) return;
      codes.set(next.toString(2).padStart(length, "0"), at + first);
      next += 1;
    });
  }
  return codes;
}

export class Bits {
  readonly #text: string;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#text = Array.from(bytes, (byte) => [...byte.toString(2).padStart(8, "0")].reverse().join("")).join("");
  }

  /** Bits as they come. */
  take(count: number): string {
    if (this.#at + count > this.#text.length) throw new Error("the bits are over");
    this.#at += count;
    return this.#text.slice(this.#at - count, this.#at);
  }

  /** How many bits were taken. */
  get at(): number {
    return this.#at;
  }

  flag(): boolean {
    return this.take(1) === "1";
  }

  uint(count: number): number {
    return [...this.take(count)].reduce((sum, bit, at) => sum + (bit === "1" ? 2 ** at : 0), 0);
  }

  var(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 16) {
      value += this.uint(4) * scale;
      if (!this.flag()) return value;
    }
  }

  gamma(): number {
    let below = 0;
    while (!this.flag()) below += 1;
    return 2 ** below + this.uint(below);
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.uint(8)));
  }

  text(most: number): string {
    return this.bytes(this.uint(enough(most))).toString("utf8");
  }

  number(): number {
    if (!this.flag()) return this.var();
    return this.flag() ? this.bytes(8).readDoubleLE() : this.bytes(4).readFloatLE();
  }

  many<T>(read: () => T): T[] {
    return Array.from({ length: this.var() }, read);
  }

  maybe<T>(read: () => T): T | undefined {
    return this.flag() ? read() : undefined;
  }

  end(): void {
    const rest = this.#text.slice(this.#at);
    if (rest.length > 7 || rest.includes("1")) throw new Error(`left over: ${rest}`);
  }
}

function enough(largest: number): number {
  return largest === 0 ? 0 : Math.floor(Math.log2(largest)) + 1;
}

// ── fields ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** A whole number's bits and largest value, counted from the smallest; undefined if it is none. */
function whole(field: PlainField): { bits: number; largest: number } | undefined {
  switch (field.kind) {
    case "bool":
      return { bits: 1, largest: 1 };
    case "uint":
    case "int":
    case "angle":
      return { bits: field.bits!, largest: 2 ** field.bits! - 1 };
    case "quantized":
      return { bits: enough(field.points!), largest: field.points! };
    case "enumeration":
      return { bits: Math.max(1, enough(field.labels! - 1)), largest: field.labels! - 1 };
    default:
      return undefined;
  }
}

function readField(bits: Bits, field: PlainField): Plain {
  const number = whole(field);
  if (number !== undefined) return bits.uint(number.bits);
  switch (field.kind) {
    case "float32":
      return bits.bytes(4).readFloatLE();
    case "float64":
      return bits.bytes(8).readDoubleLE();
    case "text":
      return bits.text(field.max!);
    case "bytes":
      return bits.bytes(bits.uint(enough(field.max!))).toString("hex");
    default:
      return Array.from({ length: bits.uint(enough(field.max!)) }, () => readField(bits, field.of!));
  }
}

function readFields(bits: Bits, fields: readonly PlainField[]): { [name: string]: Plain } {
  return Object.fromEntries(fields.map((field) => [field.name, readField(bits, field)]));
}

function readType(bits: Bits, types: readonly PlainType[]): PlainType {
  return types[bits.uint(enough(types.length - 1))]!;
}

function readRecord(bits: Bits, types: readonly PlainType[]): Plain {
  const type = readType(bits, types);
  return { type: type.name, values: readFields(bits, type.fields) };
}

function readMasked(bits: Bits, { fields }: PlainType): { [name: string]: Plain } {
  const chosen = bits.flag()
    ? fields
    : ((mask) => fields.filter((_, at) => mask[at] === "1"))(bits.take(fields.length));
  return readFields(bits, chosen);
}

function readState(bits: Bits, { objects }: PlainProtocol): Plain {
  const type = readType(bits, objects);
  return { type: type.name, values: readMasked(bits, type) };
}

// ── messages ───────────────────────────────────────────────────────────────────────────────────────────────────

const choice = (bits: Bits, list: readonly string[]): string => list[bits.var()]!;
const id = (bits: Bits): number => bits.uint(32);

function arrivals(bits: Bits): Plain {
  const newest = bits.uint(16);
  return { newest, runs: bits.many(() => bits.var() + 1) };
}

function ack(bits: Bits): { [name: string]: Plain } {
  return { heard: bits.uint(16), packets: arrivals(bits), waitedMs: bits.var() };
}

const riding = (bits: Bits): Plain => bits.maybe(() => ack(bits)) ?? null;

/** Without what was left out. */
function some(parts: { [name: string]: Plain | undefined }): { [name: string]: Plain } {
  return Object.fromEntries(Object.entries(parts).filter((part): part is [string, Plain] => part[1] !== undefined));
}

function pivot(bits: Bits): Plain {
  const scale = bits.maybe(() => bits.number());
  const kind = bits.uint(2);
  switch (kind) {
    case 0:
      return some({ object: id(bits), scale });
    case 1: {
      const point = bits.many(() => bits.number());
      const orientation = bits.many(() => bits.number());
      return some({ point, orientation: orientation.length > 0 ? orientation : undefined, scale });
    }
    case 2:
      return some({
        group: bits.many(() => id(bits)),
        margin: bits.number(),
        coefficients: bits.many(() => bits.number()),
        spread: bits.maybe(() => bits.number()),
        scale,
      });
    default: {
      const [x, y, width, height] = [bits.number(), bits.number(), bits.number(), bits.number()];
      const rotation = bits.maybe(() => bits.number());
      return some({
        camera: [x, y],
        size: [width, height],
        rotation,
        coefficients: bits.many(() => bits.number()),
        scale,
      });
    }
  }
}

function bound(bits: Bits): Plain {
  const part = (): number | undefined => bits.maybe(() => bits.number());
  return some({ time: part(), sequence: part(), value: part() });
}

function match(bits: Bits): Plain {
  const kind = bits.uint(2);
  return kind === 0 ? "everything" : { [["", "type", "tag", "predicate"][kind]!]: bits.text(128) };
}

function set(bits: Bits): Plain {
  const head = { match: match(bits), radii: bits.many(() => bits.number()), sectors: bits.many(() => bits.number()) };
  const zones = bits.var();
  const bySector = bits.flag();
  const bounds = Array.from({ length: zones }, () => (bySector ? bits.many(() => bound(bits)) : bound(bits)));
  const [square, firstMiss, strict, byBounds] = [bits.flag(), bits.flag(), bits.flag(), bits.flag()];
  return some({
    ...head,
    bounds,
    shape: square ? "square" : "round",
    clock: firstMiss ? "firstMiss" : "refresh",
    strict,
    own: byBounds ? "bounds" : "changes",
    metric: bits.maybe(() => bits.text(128)),
    range: bits.maybe(() => bits.number()),
    pivots: bits.maybe(() => bits.many(() => bits.number())),
  });
}

function view(bits: Bits): Plain {
  return { sets: bits.many(() => set(bits)), pivots: bits.many(() => pivot(bits)) };
}

function divergence(bits: Bits): Plain {
  return { time: bits.number(), sequence: bits.number(), value: bits.number() };
}

const CAUSES = ["creation", "time", "sequence", "value", "change", "demand", "removal", "ripe"];

function explanation(bits: Bits): Plain {
  return {
    id: id(bits),
    present: bits.flag(),
    equal: bits.flag(),
    zone: bits.var(),
    sector: bits.var(),
    bound: divergence(bits),
    divergence: divergence(bits),
    lastSend: bits.var() - 1,
    sentVersion: bits.var(),
    version: bits.var(),
    cause: CAUSES[bits.uint(4) - 1] ?? null,
  };
}

function reason(bits: Bits): Plain {
  return { reason: { code: choice(bits, REASONS), detail: bits.text(240) } };
}

/** Each part of a step after the first is there only if it differs. */
function steps(bits: Bits, { commands }: PlainProtocol): Plain {
  const first = bits.uint(16);
  const list: { [name: string]: Plain }[] = [];
  for (let left = bits.uint(9); left > 0; left--) {
    const before = list.at(-1);
    const isNew = (): boolean => before === undefined || bits.flag();
    const step: { [name: string]: Plain } = { ...before };
    if (isNew()) step["id"] = id(bits);
    if (isNew()) Object.assign(step, readRecord(bits, commands));
    if (isNew()) step["stepMs"] = bits.uint(8);
    list.push(step);
  }
  const told = new Set<Plain>();
  for (const step of list.toReversed()) {
    if (told.has(step["id"]!)) continue;
    told.add(step["id"]!);
    if (bits.flag()) step["digest"] = { hash: bits.uint(8), exact: bits.uint(8), shifts: bits.var() };
    if (step["digest"] !== undefined) step["isHeld"] = bits.flag();
  }
  return { first, list, ack: riding(bits) };
}

type Body = (bits: Bits, protocol: PlainProtocol) => Plain;
const token = (bits: Bits): string => bits.bytes(bits.uint(6)).toString("hex");
const refused: Body = (bits) => ({ id: id(bits), refusal: choice(bits, REFUSALS) });

const BODIES: Record<"client" | "server", Record<string, Body>> = {
  client: {
    hello: (bits) => {
      if (bits.uint(32) !== 0x4e464c44) throw new Error("another magic");
      return {
        version: bits.uint(16),
        hash: bits.uint(32),
        nickname: bits.text(128),
        room: bits.text(128),
        role: choice(bits, ROLES),
        credentials: bits.text(3072),
        resume:
          bits.maybe(() => ({
            token: token(bits),
            attempt: bits.var(),
            heard: bits.uint(16),
            packets: arrivals(bits),
            afresh: bits.flag(),
          })) ?? null,
      };
    },
    ack,
    pivots: (bits) => ({ number: bits.uint(8), pivots: bits.many(() => pivot(bits)), ack: riding(bits) }),
    ping: (bits) => ({ stamp: bits.uint(32), ack: riding(bits) }),
    leave: () => ({}),
    command: (bits, { commands }) => readRecord(bits, commands),
    write: (bits, protocol) => ({ id: id(bits), fields: readState(bits, protocol) }),
    lock: (bits) => ({ id: id(bits) }),
    release: (bits, protocol) => ({ id: id(bits), fields: readState(bits, protocol) }),
    add: (bits, protocol) => ({ request: bits.var(), fields: readState(bits, protocol) }),
    remove: (bits) => ({ id: id(bits) }),
    proposeView: (bits) => ({ request: bits.var(), settings: view(bits) }),
    group: (bits) => ({ request: bits.var(), byHand: bits.flag(), ids: bits.many(() => id(bits)) }),
    debug: (bits) => ({ everyRounds: bits.var(), ids: bits.many(() => id(bits)) }),
    commands: steps,
  },
  server: {
    frame: () => ({}),
    explanations: (bits) => ({ round: bits.uint(48), list: bits.many(() => explanation(bits)) }),
    pong: (bits) => ({ stamp: bits.uint(32), timeMs: bits.uint(52) / 1000, heldMs: bits.var() / 1000 }),
    welcome: (bits) => ({
      session: bits.var(),
      token: token(bits),
      roundMs: bits.number(),
      round: bits.uint(48),
      heard: bits.uint(16),
      resumed: bits.flag(),
      nickname: bits.text(128),
      role: choice(bits, ROLES),
      state: choice(bits, STATES),
      resumeMs: bits.number(),
    }),
    refuse: reason,
    bye: reason,
    event: (bits, { events }) => readRecord(bits, events),
    viewSet: (bits) => ({ request: bits.var(), settings: view(bits), clamped: bits.many(() => bits.text(240)) }),
    viewRefused: (bits) => ({ request: bits.var(), text: bits.text(240) }),
    lockGranted: (bits, protocol) => ({ id: id(bits), round: bits.uint(48), fields: readState(bits, protocol) }),
    lockDenied: refused,
    lockLost: refused,
    added: (bits) => ({ request: bits.var(), id: id(bits) }),
    addRefused: (bits) => ({ request: bits.var(), refusal: choice(bits, REFUSALS) }),
    writeRefused: refused,
    state: (bits) => ({ state: choice(bits, STATES) }),
    loosened: (bits) => ({
      outer: bits.bytes(4).readFloatLE(),
      inner: bits.bytes(4).readFloatLE(),
      every: bits.uint(8),
    }),
    joined: (bits) => ({ own: bits.many(() => id(bits)) }),
    grouped: (bits) => ({ request: bits.var(), refusal: bits.maybe(() => choice(bits, REFUSALS)) ?? null }),
    clientPivots: (bits) => ({
      rules: some({
        groupCoefficients: bits.maybe(() => bits.many(() => bits.number())),
        cameraCoefficients: bits.maybe(() => bits.many(() => bits.number())),
        cameraMoved: bits.number(),
        pointMoved: bits.number(),
        restMs: bits.number(),
      }),
    }),
  },
};

/** Which kinds the page lists as numbered, in the order of their numbers. */
function kinds(from: "client" | "server"): { kind: string; isNumbered: boolean }[] {
  const table = page.slice(page.indexOf(`| from ${from} `)).split("\n\n")[0]!;
  return [...table.matchAll(/^\| `(\w+)` *\| \d+ *\| \w+ *\| (yes|no) *\|/gm)].map((row) => ({
    kind: row[1]!,
    isNumbered: row[2] === "yes",
  }));
}

/** Reads any message but a frame to its end; of a frame only its kind. */
export function readMessage(from: "client" | "server", bytes: Uint8Array, protocol: PlainProtocol): Plain {
  const bits = new Bits(bytes);
  const { kind, isNumbered } = kinds(from)[bits.uint(5)]!;
  const number = isNumbered ? bits.uint(16) : 0;
  const body = BODIES[from][kind]!(bits, protocol) as { [name: string]: Plain };
  if (kind !== "frame") bits.end();
  return { kind, number, ...body };
}

// ── frames ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** A state that a delta can build on: whole numbers counted from the smallest, in the order of the tracked fields. */
interface State {
  readonly packet: number;
  readonly round: number;
  readonly type: PlainType;
  readonly numbers: readonly number[];
  readonly base: State | undefined;
}

type Keep = (slot: number, state: State) => void;

export interface ReadRecord {
  readonly record: string;
  readonly slot: number;
  readonly [part: string]: Plain;
}

export interface ReadFrame {
  readonly packet: number;
  readonly round: number;
  readonly heard: number;
  readonly pivots: number;
  readonly commands: number;
  readonly again: boolean;
  readonly behind: number;
  readonly records: ReadRecord[];
  readonly events: Plain[];
}

/** Reads the frames of one client, in the order in which they came, each of them in time. */
export class SlowFrames {
  readonly #protocol: PlainProtocol;
  readonly #states = new Map<number, State[]>();
  /** What each packet told in its head. */
  readonly #told = new Map<number, { round: number; heard: number; commands: number }>();
  /** Packets that came. */
  readonly #here = new Set<number>();

  constructor(protocol: PlainProtocol) {
    this.#protocol = protocol;
  }

  read(bytes: Uint8Array): ReadFrame {
    const bits = new Bits(bytes);
    if (bits.uint(5) !== 0) throw new Error("no frame");
    const [packet, behind] = [bits.uint(16), bits.gamma()];
    const before = (behind < 255 ? this.#told.get(packet - behind) : undefined) ?? { round: 0, heard: 0, commands: 0 };
    const round = before.round + bits.var();
    const tells = bits.flag();
    const heard = before.heard + (tells ? bits.var() : 0);
    const pivots = tells && bits.flag() ? bits.uint(8) : -1;
    const commands = before.commands + (tells ? bits.var() : 0);
    const again = tells && bits.flag();
    const step = bits.uint(4);
    this.#told.set(packet, { round, heard, commands });
    const records: ReadRecord[] = [];
    const kept: [number, State][] = [];
    let slot = -1;
    const known = behind === 255 ? -1 : packet - behind;
    const newest = (of: number): State | undefined => this.#states.get(of)?.find((state) => state.packet <= known);
    const keep = (of: number, state: State): void => void (behind < 255 && kept.push([of, state]));
    for (;;) {
      if (!bits.flag()) {
        slot += 1 + way(bits, step);
        for (let left = bits.gamma(); left > 0; left--, slot++) {
          records.push(this.#delta(bits, "delta", slot, newest(slot), packet, round, keep));
        }
        slot -= 1;
        continue;
      }
      const record = ["end", "whole", "some", "leave", "destroy", "settle", "early"][bits.uint(3)];
      if (record === "end") break;
      if (record === "early") {
        records.push(...this.#early(bits, step, packet, round, keep));
        continue;
      }
      slot = Math.max(0, slot) + way(bits, step);
      if (record === "settle") records.push(this.#delta(bits, record, slot, newest(slot), packet, round, keep));
      else records.push(this.#other(bits, record!, slot, packet, round, keep));
    }
    const events: Plain[] = [];
    while (bits.flag()) events.push(readRecord(bits, this.#protocol.events));
    bits.end();
    for (const [of, state] of kept) this.#states.set(of, [state, ...(this.#states.get(of) ?? [])]);
    this.#here.add(packet);
    return { packet, round, heard, pivots, commands, again, behind, records, events };
  }

  /** A block of early deltas; one whose base did not come is told as `left out`. */
  #early(bits: Bits, step: number, packet: number, round: number, keep: Keep): ReadRecord[] {
    const base = packet - bits.gamma();
    const length = bits.var();
    if (!this.#here.has(base)) {
      bits.take(length);
      return [{ record: "left out", slot: -1, base }];
    }
    const of = (slot: number): State | undefined => this.#states.get(slot)?.find((state) => state.packet === base);
    const records: ReadRecord[] = [];
    const end = bits.at + length;
    let slot = -1;
    while (bits.at < end) {
      if (!bits.flag()) {
        slot += 1 + way(bits, step);
        for (let left = bits.gamma(); left > 0; left--, slot++) {
          records.push({ ...this.#delta(bits, "delta", slot, of(slot), packet, round, keep), base });
        }
        slot -= 1;
        continue;
      }
      if (bits.uint(3) !== 5) throw new Error("neither a delta nor a settle among early deltas");
      slot = Math.max(0, slot) + way(bits, step);
      records.push({ ...this.#delta(bits, "settle", slot, of(slot), packet, round, keep), base });
    }
    if (bits.at !== end) throw new Error("a block that is longer than it says");
    return records;
  }

  #other(bits: Bits, record: string, slot: number, packet: number, round: number, keep: Keep): ReadRecord {
    const generation = bits.uint(record === "some" ? 4 : 12);
    if (record === "leave" || record === "destroy") {
      this.#states.delete(slot);
      return { record, slot, generation };
    }
    const type = readType(bits, this.#protocol.objects);
    const owner = record === "whole" ? { owner: bits.var() } : {};
    const settled = bits.flag();
    const fields = record === "whole" ? readFields(bits, type.fields) : readMasked(bits, type);
    if (record === "whole") {
      // A creation: what was kept of the slot belongs to an older generation, or is begun anew.
      this.#states.delete(slot);
      const numbers = tracked(type).map(({ name }) => fields[name] as number);
      keep(slot, { packet, round, type, numbers, base: undefined });
    }
    return { record, slot, generation, type: type.name, ...owner, settled, fields };
  }

  #delta(
    bits: Bits,
    record: string,
    slot: number,
    base: State | undefined,
    packet: number,
    round: number,
    keep: Keep,
  ): ReadRecord {
    if (base === undefined) throw new Error(`slot ${slot} has no state to build on`);
    const { type } = base;
    const { numbers, plain } = readDelta(bits, base, round);
    const isFirst = record === "settle" || round - base.round > 255;
    keep(slot, { packet, round, type, numbers, base: isFirst ? undefined : base });
    const named = Object.fromEntries(tracked(type).map(({ name }, i) => [name, numbers[i]!]));
    return { record, slot, type: type.name, fields: { ...named, ...plain } };
  }
}

function way(bits: Bits, step: number): number {
  let steps = 0;
  while (steps < 16 && bits.flag()) steps += 1;
  return steps === 16 ? bits.uint(20) : steps * 2 ** step + bits.uint(step);
}

function isTracked(field: PlainField): boolean {
  const number = whole(field);
  return number !== undefined && number.bits <= 31;
}

function tracked({ fields }: PlainType): PlainField[] {
  return fields.filter(isTracked);
}

function readDelta(bits: Bits, base: State, round: number): { numbers: number[]; plain: { [name: string]: Plain } } {
  const { type } = base;
  const fields = tracked(type);
  const past = pastOf(base);
  const gaps = [0, 1, 2].map((n) => past[n]!.round - past[n + 1]!.round);
  const predictions = fields.map((_, i) => predict(type, i, past, gaps, round - base.round));
  const numbers = [...base.numbers];
  const driving = fields.map(({ name }) =>
    fields.some((field) => field.kind !== "angle" && type.velocities[field.name]?.name === name),
  );
  const order = [...fields.keys()].sort((a, b) => Number(driving[b]) - Number(driving[a]) || a - b);
  const residuals = readResiduals(
    bits,
    order.flatMap((i) => predictions[i] ?? []),
  );
  for (const i of order) {
    const prediction = predictions[i];
    if (prediction === undefined) continue;
    const value = residuals.shift()!;
    const { largest } = whole(fields[i]!)!;
    const guess = prediction.guess(numbers);
    const brought = fields[i]!.kind === "angle" ? turned(fields[i]!, guess) : Math.max(0, Math.min(largest, guess));
    numbers[i] = turned(fields[i]!, brought + value);
  }
  const plain: { [name: string]: Plain } = {};
  const still = fields.map((_, i) => i).filter((i) => predictions[i] === undefined);
  const others = type.fields.filter((field) => !isTracked(field));
  const shared = [...others, ...still.reverse()];
  if (shared.length === 0 || !bits.flag()) return { numbers, plain };
  for (let n = bits.gamma(); ; n += bits.gamma()) {
    const which = shared[n - 1]!;
    if (typeof which === "number") numbers[which] = changedNumber(bits, fields[which]!, numbers[which]!);
    else plain[which.name] = readField(bits, which);
    if (n === shared.length || !bits.flag()) return { numbers, plain };
  }
}

/** The base and three states before it; what is missing is like the one after it. */
function pastOf(base: State): State[] {
  const past = [base];
  for (let n = 1; n < 4; n++) past.push(past[n - 1]!.base ?? { ...past[n - 1]!, base: undefined });
  return past;
}

function changedNumber(bits: Bits, field: PlainField, old: number): number {
  const { bits: width, largest } = whole(field)!;
  if (largest === 1) return 1 - old;
  if (width <= 4) return bits.uint(width);
  const isDown = bits.flag();
  const size = (bits.gamma() - 1) * 2 + bits.uint(1) + 1;
  return turned(field, isDown ? old - size : old + size);
}

/** How a field is predicted: its guess, once the velocities are known; the miss; and e₂ if it is predicted straight. */
interface Prediction {
  readonly guess: (numbers: readonly number[]) => number;
  readonly miss: number;
  readonly e2?: number;
}

function readResiduals(bits: Bits, predictions: readonly Prediction[]): number[] {
  const values: number[] = [];
  let isStartled = false;
  const alone = (prediction: Prediction, table: number): void => {
    const value = residual(bits, prediction, table);
    const floor = Math.floor(value / 2 ** shiftOf(prediction));
    values.push(value);
    isStartled = floor < -6 || floor > 5;
  };
  while (values.length < predictions.length) {
    const first = predictions[values.length]!;
    const second = predictions[values.length + 1];
    const context = contextOf(first);
    if (isStartled || context > 3 || second === undefined || contextOf(second) > 3) {
      alone(first, 2 * context + (isStartled ? 1 : 0));
      continue;
    }
    const pair = codeWord(bits, PAIR_CODES[4 * context + contextOf(second)]!);
    if (pair === 12) {
      alone(first, 40 + context);
      continue;
    }
    values.push(turnedBack(first, Math.floor(pair / 4) - 1));
    if (pair % 4 === 3) alone(second, 40 + contextOf(second));
    else values.push(turnedBack(second, (pair % 4) - 1));
  }
  return values;
}

function codeWord(bits: Bits, codes: Map<string, number>): number {
  let word = "";
  while (!codes.has(word)) word += bits.take(1);
  return codes.get(word)!;
}

function contextOf({ miss, e2 }: Prediction): number {
  const size = Math.abs(miss);
  if (e2 === undefined) return 15 + Math.min(size, 4);
  const context = miss === 0 ? Math.min(Math.abs(e2), 2) : Math.min(3 * size, 12) + 1 + Math.sign(miss) * Math.sign(e2);
  return context === 2 ? 4 : context === 4 ? 2 : context;
}

function shiftOf({ miss }: Prediction): number {
  return Math.abs(miss) < 4 ? 0 : Math.floor(Math.log2(Math.abs(miss))) - 1;
}

function turnedBack({ miss, e2 }: Prediction, read: number): number {
  return miss < 0 || (miss === 0 && (e2 ?? 0) < 0) ? 0 - read : read;
}

function residual(bits: Bits, prediction: Prediction, table: number): number {
  const shift = shiftOf(prediction);
  let quotient = codeWord(bits, CODES[table]!);
  if (quotient === 8) {
    const beyond = 8 + (bits.gamma() - 1) * 8 + bits.uint(3);
    quotient = bits.flag() ? -beyond : beyond;
  }
  return turnedBack(prediction, quotient * 2 ** shift + bits.uint(shift));
}

function predict(
  type: PlainType,
  i: number,
  past: readonly State[],
  gaps: readonly number[],
  h: number,
): Prediction | undefined {
  const { roles, velocities } = type;
  const fields = tracked(type);
  const field = fields[i]!;
  const moves = field.kind === "quantized" || field.kind === "angle" || roles.includes(field.name);
  const x = past.map(({ numbers }) => numbers[i]!);
  const [g1, g2, g3] = gaps as [number, number, number];
  if (!moves || g1 === 0 || h > 4 * g1 + 8 || (x[0] === x[1] && x[1] === x[2])) return undefined;
  const farthest = Math.floor(whole(field)!.largest / 8);
  const isJump = (step: number): boolean => Math.abs(step) > farthest;
  let [d1, d2, d3] = [0, 1, 2].map((n) => difference(field, x[n]!, x[n + 1]!)) as [number, number, number];
  if (isJump(d2)) [d2, d3] = [0, 0];
  else if (isJump(d3)) d3 = d2;
  if (isJump(d1)) return { guess: () => x[0]!, miss: d2 };
  const before = onward(d2, g2, g1);
  const ahead = onward(d1, g1, h);
  const e1 = d1 - before;
  const e2 = d2 - onward(d3, g3, g2);
  const straight: Prediction = { guess: () => x[0]! + ahead, miss: e1, e2 };
  if (Math.abs(e1) <= 1) return straight;
  const isCurved = h === g1 && g1 === g2 && g2 === g3 && 5 * Math.abs(e1 - e2) + 4 < 4 * Math.abs(e1);
  const velocity = field.kind === "angle" ? undefined : velocities[field.name];
  const at = fields.findIndex(({ name }) => name === velocity?.name);
  if (velocity !== undefined && at >= 0) {
    const [v0, v1, v2] = past.map(({ numbers }) => numbers[at]! - velocity.zero) as [number, number, number];
    const miss = d1 - drive(before, v0 + v1, v1 + v2);
    if (4 * Math.abs(miss) < (isCurved ? 5 * Math.abs(e1 - e2) + 4 : 4 * Math.abs(e1))) {
      return { guess: (now) => x[0]! + drive(ahead, now[at]! - velocity.zero + v0, v0 + v1), miss };
    }
  }
  return isCurved ? { guess: () => x[0]! + ahead + e1, miss: e1 - e2 } : straight;
}

function onward(d: number, g: number, h: number): number {
  return g === 0 || h > 4 * g + 8 ? 0 : bounded(Math.floor((2 * h * d + g) / (2 * g)));
}

function drive(d: number, now: number, old: number): number {
  return Math.abs(old) < 4 ? d : bounded(Math.floor((d * now) / old + 0.5));
}

function bounded(step: number): number {
  return Math.max(-(2 ** 30), Math.min(2 ** 30, step));
}

function difference(field: PlainField, a: number, b: number): number {
  if (field.kind !== "angle") return a - b;
  const turn = 2 ** field.bits!;
  const way = (((a - b) % turn) + turn) % turn;
  return way >= turn / 2 ? way - turn : way;
}

function turned(field: PlainField, number: number): number {
  if (field.kind !== "angle") return number;
  const turn = 2 ** field.bits!;
  return ((number % turn) + turn) % turn;
}
