/**
 * Checks that a file is a valid recording: every figure that a panel reads is there and is a number, no list is too long, and every index points
 * at something. A file that passes can be shown; the page uses its contents only as text and numbers.
 */

import type { LevelTell, RecordedFrame, TypeSummary } from "./feed-types.ts";
import type { Facts } from "./shown.ts";

const MOST = {
  objects: 5000,
  players: 500,
  pivots: 32,
  looks: 500,
  sets: 16,
  cells: 16,
  walls: 20_000,
  points: 40_000,
  faultyPairs: 64,
};
const MOST_TEXT = 4096;
const MOST_NAMES = 32;

/** What a value must be: a kind, several parts, or a list of things alike. */
type Rule =
  | "number"
  | "number?"
  | "text"
  | "text?"
  | "flag"
  | { readonly [key: string]: Rule }
  | { readonly each: Rule; readonly most: number };

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fits(value: unknown, rule: Rule): boolean {
  switch (rule) {
    case "number":
      return Number.isFinite(value);
    case "number?":
      return value === null || Number.isFinite(value);
    case "text":
      return isText(value);
    case "text?":
      return value === null || isText(value);
    case "flag":
      return typeof value === "boolean";
    default:
  }
  if (isListRule(rule)) {
    return Array.isArray(value) && value.length <= rule.most && value.every((one) => fits(one, rule.each));
  }
  return isRecord(value) && Object.entries(rule).every(([key, part]) => fits(value[key], part));
}

function isListRule(rule: object): rule is { readonly each: Rule; readonly most: number } {
  return "each" in rule && "most" in rule;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= MOST_TEXT;
}

/** Whether a value is a list of names, of causes or stages; the page's figures are named by them. */
export function isNames(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= MOST_NAMES &&
    value.every((name) => typeof name === "string" && /^[\w-]{1,32}$/.test(name))
  );
}

function isNumbers(value: unknown, length?: number, most: number = MOST.objects): value is number[] {
  return (
    Array.isArray(value) &&
    (length === undefined ? value.length <= most : value.length === length) &&
    value.every(Number.isFinite)
  );
}

export function isType(value: unknown): value is TypeSummary {
  if (!isRecord(value) || !isText(value["name"]) || !Number.isFinite(value["axes"])) return false;
  const { extent } = value;
  return Array.isArray(extent) && extent.length <= 3 && extent.every((range) => range === null || isNumbers(range, 2));
}

export function isLevel(value: unknown): value is LevelTell {
  if (!isRecord(value) || !Number.isInteger(value["level"])) return false;
  const { walls, lines } = value;
  if (!isNumbers(walls, undefined, MOST.walls) || !Array.isArray(lines)) return false;
  let points = 0;
  return lines.every((line) => {
    points += Array.isArray(line) ? line.length : 0;
    return points <= MOST.points && isNumbers(line, undefined, MOST.points);
  });
}

export function isFrame(value: unknown, facts: Facts): value is RecordedFrame {
  if (!isRecord(value) || !isMap(value["map"])) return false;
  const rates = ["number", "bytesOutPerSecond", "bytesInPerSecond", "sendsPerSecond", "roundMs", "players"];
  if (!rates.every((name) => Number.isFinite(value[name]))) return false;
  const { versions, members, sends, report } = value;
  const { ids, looks } = value["map"] as RecordedFrame["map"];
  return (
    (versions === undefined || isNumbers(versions, ids.length)) &&
    (members === undefined || isMembers(members, looks.length, ids.length)) &&
    (sends === undefined || (Array.isArray(sends) && sends.length <= MOST.players && sends.every(isSends))) &&
    (report === undefined || isReport(report, facts))
  );
}

function isMembers(value: unknown, looks: number, objects: number): boolean {
  return (
    Array.isArray(value) && value.length === looks && value.every((sets) => sets === null || isNumbers(sets, objects))
  );
}

/** Sends of a frame, to one player. */
const MOST_SENDS = 50_000;

function isSends(value: unknown): boolean {
  if (!isRecord(value) || !Number.isInteger(value["player"])) return false;
  const { ids } = value;
  if (!isNumbers(ids, undefined, MOST_SENDS)) return false;
  return ["ago", "causes", "behind"].every((name) => isNumbers(value[name], ids.length));
}

function isMap(value: unknown): boolean {
  if (!isRecord(value) || !Number.isFinite(value["timeMs"]) || !Number.isFinite(value["round"])) return false;
  const { ids, headings, views, looks } = value;
  if (!isNumbers(ids)) return false;
  const isColumn = (name: string): boolean => isNumbers(value[name], ids.length);
  const areHeadings =
    Array.isArray(headings) &&
    headings.length === ids.length &&
    headings.every((one) => one === null || Number.isFinite(one));
  if (!["types", "x", "y", "owners"].every(isColumn) || !areHeadings) return false;
  if (value["z"] !== undefined && !isColumn("z")) return false;
  return (
    fits(looks, { each: { each: SET, most: MOST.sets }, most: MOST.looks }) &&
    (looks as unknown[][]).every((sets) => sets.every(isRestOfSet)) &&
    fits(views, { each: VIEW, most: MOST.players }) &&
    (views as { look: number; pivots: unknown[] }[]).every(
      ({ look, pivots }) =>
        Number.isInteger(look) && look >= 0 && look < (looks as unknown[]).length && pivots.every(isPivot),
    )
  );
}

const EDGES: Rule = { each: "number", most: MOST.cells };
const SET: Rule = { match: "text", radii: EDGES, sectors: EDGES };
const VIEW: Rule = { player: "number", nickname: "text", look: "number", pivots: { each: {}, most: MOST.pivots } };
const CELL: Rule = { time: "number?", sequence: "number?", value: "number?" };
const BOUNDS: Rule = { each: { each: CELL, most: MOST.cells }, most: MOST.cells };

/** The rest of a set. */
function isRestOfSet(value: unknown): boolean {
  const { pivots, range, bounds } = value as Record<string, unknown>;
  return (
    (pivots === null || isNumbers(pivots, undefined, MOST.pivots)) &&
    (range === null || range === undefined || Number.isFinite(range)) &&
    fits(bounds, BOUNDS)
  );
}

function isPivot(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { x, y, z = 0, scale, object = null, direction, radii } = value;
  return (
    [x, y, z, scale].every(Number.isFinite) &&
    (object === null || Number.isFinite(object)) &&
    (direction === null || isNumbers(direction, 3)) &&
    (radii === null || isNumbers(radii, undefined, MOST.cells))
  );
}

const FLOW: Rule = { now: "number", mean: "number", peak: "number", total: "number" };
const CHANNEL: Rule = { bytes: FLOW, messages: FLOW };
const NOW_AND_MEAN: Rule = { now: "number?", mean: "number?" };
const BASELINE: Rule = {
  sendsPerSecond: NOW_AND_MEAN,
  bytesPerSecond: { now: "number", mean: "number" },
  ratio: NOW_AND_MEAN,
  bytesRatio: NOW_AND_MEAN,
  error: "number?",
  method: "text",
};
const WIRE: Rule = { packets: FLOW, bytes: FLOW, upkeep: FLOW };
const IN: Rule = { reliable: CHANNEL, sequenced: CHANNEL, unsequenced: CHANNEL, all: CHANNEL };
const SHORTFALL: Rule = {
  ...{ of: "text", zone: "number", cause: "text" },
  ...{ spells: "number", pairRounds: "number", longestRounds: "number" },
};
const FAULT_KIND: Rule = { kind: "text", looks: "number", first: "number", last: "number" };
const FAULTY_PAIR: Rule = {
  ...{ kind: "text", player: "number", nickname: "text?", object: "number", type: "number?", zone: "number" },
  ...{ cause: "text", since: "number", last: "number", looks: "number", isOver: "flag" },
};
const AUDIT: Rule = {
  ...{ pairs: "number", promised: "number", heldDecided: "number?", heldDelivered: "number?" },
  ...{ examined: "number", roundsPerPass: "number?", faults: "number" },
  faultKinds: { each: FAULT_KIND, most: MOST_NAMES },
  faultyPairs: { each: FAULTY_PAIR, most: MOST.faultyPairs },
  ...{ decided: "number", delivered: "number", open: "number" },
  shortfalls: { each: SHORTFALL, most: 1000 },
};
const ROUNDS: Rule = {
  ...{ count: "number", meanMs: "number", p50Ms: "number", p99Ms: "number", maxMs: "number" },
  stages: { each: "number", most: MOST_NAMES },
};
const BYTES: Rule = { reliable: "number", sequenced: "number", unsequenced: "number" };
const NETWORK: Rule = {
  ...{ link: "text?", roundTripMs: "number?", lossNow: "number?", loss: "number?", backlogBytes: "number" },
  ...{ paused: "flag", pausedRounds: "number", budget: "number?", linkBytesPerSecond: "number?" },
  ...{ outerFactor: "number", innerFactor: "number", preset: "text?" },
};
const CLIENT: Rule = {
  ...{ player: "number", nickname: "text", role: "text", presence: "text", address: "text" },
  ...{ out: FLOW, in: FLOW, sends: FLOW, withheld: "number", network: NETWORK },
  outByChannel: { ...BYTES, debug: "number" },
  inByChannel: BYTES,
};
const REPORT: Rule = {
  ...{ round: "number", timeMs: "number", sinceMs: "number", players: "number", objects: "number" },
  traffic: { out: { ...IN, debug: CHANNEL }, in: IN },
  ...{ sends: FLOW, withheld: FLOW, updates: FLOW, frames: FLOW, events: FLOW, commands: FLOW },
  causes: { each: FLOW, most: MOST_NAMES },
  bytesPerSend: NOW_AND_MEAN,
  baselines: { broadcast: BASELINE, aura: { ...BASELINE, radius: "number?" } },
  rounds: ROUNDS,
  process: { cpu: "number?", rssBytes: "number?", heapBytes: "number?", uptimeMs: "number" },
  audit: AUDIT,
  clientsInAll: "number",
  clientsRound: "number",
};

function isReport(value: unknown, { causes, stages }: Facts): boolean {
  if (!fits(value, REPORT) || !hasWire(value as MaybeWire)) return false;
  const {
    clients,
    causes: flows,
    rounds,
  } = value as { clients?: unknown; causes: unknown[]; rounds: { stages: unknown[] } };
  if (flows.length !== causes.length || rounds.stages.length !== stages.length) return false;
  return clients === undefined || (fits(clients, { each: CLIENT, most: MOST.players }) && areClientFlows(clients));
}

interface MaybeWire {
  readonly wire?: unknown;
  readonly records?: unknown;
  readonly own?: unknown;
  readonly baselines: { readonly broadcast: { readonly wireRatio?: unknown } };
}

/** Older recordings have no wire figures, and do not count own objects apart. */
function hasWire({ wire, records, own, baselines: { broadcast } }: MaybeWire): boolean {
  return (
    (records === undefined || fits(records, FLOW)) &&
    (own === undefined || fits(own, { records: FLOW, bytes: FLOW })) &&
    (wire === undefined || fits(wire, { out: WIRE, in: WIRE })) &&
    (broadcast.wireRatio === undefined || fits(broadcast.wireRatio, NOW_AND_MEAN))
  );
}

function areClientFlows(clients: unknown): boolean {
  return (clients as { wireOut?: unknown; packetsOut?: unknown; own?: unknown }[]).every(
    ({ wireOut, packetsOut, own }) =>
      [wireOut, packetsOut].every((flow) => flow === undefined || fits(flow, FLOW)) &&
      (own === undefined || fits(own, { records: "number", bytes: "number" })),
  );
}
