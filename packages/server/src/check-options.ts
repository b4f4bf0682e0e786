/**
 * Checks a server's options when they are given. It finds missing options, unknown keys and impossible values. Each message names the
 * option, what was given and what is needed.
 * Types do not exist at run time, so the keys are listed here a second time; the compiler compares both lists.
 */

import type { Protocol } from "@nearfield/schema";
import { type DescribedType, unknownKeyOf, unknownKeyProblem } from "@nearfield/schema/internal";
import { ServerError } from "./errors.ts";
import type { LagCompensationOptions } from "./hits/lag-compensation.ts";
import {
  DEFAULT_SERVER_LIMITS,
  DEFAULT_SERVER_TIMES,
  type RoomOptions,
  type ServerLimits,
  type ServerOptions,
  type ServerTimes,
} from "./options.ts";

/** Every key of a kind of options, each once. */
export type Keys<Options> = Readonly<Record<keyof Options, true>>;

const ROOM_KEYS: Keys<RoomOptions> = {
  view: true,
  state: true,
  model: true,
  metrics: true,
  visible: true,
  idsPerClient: true,
  ripe: true,
  auditSample: true,
  crew: true,
  budget: true,
  units: true,
  viewLimits: true,
  clientPivots: true,
  thresholds: true,
  mayPivot: true,
  authorise: true,
  mayExplain: true,
  clientMayAdd: true,
  objectsOfLeavers: true,
  lagCompensation: true,
  spectators: true,
  takenNickname: true,
};

export const SERVER_KEYS: Keys<ServerOptions> = {
  ...ROOM_KEYS,
  protocol: true,
  roundMs: true,
  tokenSource: true,
  now: true,
  processorMs: true,
  roundShare: true,
  authenticate: true,
  serverNumber: true,
  limits: true,
  times: true,
  onError: true,
};

const LAG_COMPENSATION_KEYS: Keys<LagCompensationOptions> = {
  targets: true,
  presentation: true,
  timeBound: true,
  renderLagMs: true,
  capMs: true,
  maxSends: true,
};

/** Names that other libraries use, and the option that we have for each. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  tickrate: "roundMs",
  tickms: "roundMs",
  tick: "roundMs",
  fps: "roundMs",
  hz: "roundMs",
  interval: "roundMs",
  patchrate: "roundMs",
  updaterate: "roundMs",
  maxplayers: "limits: { players }",
  maxclients: "limits: { players }",
  auth: "authenticate",
  onauth: "authenticate",
  schema: "protocol",
  hostname: "host",
  origins: "links: { origins }",
  cert: "tls",
  https: "tls",
  http: "server",
  bytespersecond: "budget",
  reconnecttimeout: "times: { resumeMs }",
};

/** Throws `ServerError` if there is a key that is not known. */
export function checkKeys<Options extends object>(value: Options, keys: Keys<Required<Options>>, what: string): void {
  const known = Object.keys(keys);
  const key = unknownKeyOf(value, known);
  if (key !== undefined) throw badOption(`${what}: ${unknownKeyProblem(key, known, OTHER_NAMES)}`);
}

export function badOption(problem: string): ServerError {
  return new ServerError("bad-option", problem);
}

/** Checks the options of a server. `what` is the call that was given them, for the message. */
export function checkServerOptions(options: ServerOptions, what = "new Server()"): void {
  if (typeof options !== "object" || options === null)
    throw badOption(`${what}: needs an object with at least protocol, view and roundMs`);
  const { protocol, view, roundMs } = options;
  if (!isProtocol(protocol))
    throw badOption(
      `${what}: protocol is ${shown(protocol)}; pass what client and server share: new Protocol({ objects: [Ship] })`,
    );
  if (typeof view !== "object" || view === null)
    throw badOption(
      `${what}: view is ${shown(view)}; say what a joining client sees: zones(Ship, { bounds: [{ time: 100 }] })`,
    );
  if (typeof roundMs !== "number" || !(roundMs > 0 && Number.isFinite(roundMs)))
    throw badOption(`${what}: roundMs is ${shown(roundMs)}, but must be a number above 0: 50 makes 20 rounds a second`);
  if (options.limits !== undefined)
    checkKeys<Partial<ServerLimits>>(options.limits, truthy(DEFAULT_SERVER_LIMITS), "limits");
  if (options.times !== undefined)
    checkKeys<Partial<ServerTimes>>(options.times, truthy(DEFAULT_SERVER_TIMES), "times");
  for (const name of ["tokenSource", "now", "processorMs", "authenticate"] as const) checkFunction(options, name, what);
}

/** Checks the options of a room, which may be the server's own. */
export function checkRoomOptions(options: Partial<RoomOptions>, protocol: Protocol, what: string): void {
  checkChoice(options.state, ["setup", "active"], `${what}: state`);
  checkChoice(options.objectsOfLeavers, ["destroy", "keep"], `${what}: objectsOfLeavers`);
  checkChoice(options.takenNickname, ["suffix", "refuse"], `${what}: takenNickname`);
  if (typeof options.spectators !== "function")
    checkChoice(options.spectators, ["nobody", "anybody"], `${what}: spectators`, "a function");
  if (typeof options.visible !== "object" || options.visible === null) checkFunction(options, "visible", what);
  for (const name of ["model", "crew", "mayPivot", "authorise", "mayExplain"] as const)
    checkFunction(options, name, what);
  const { ripe } = options;
  if (ripe !== undefined && !(typeof ripe === "number" && ripe > 0 && ripe <= 1))
    throw badOption(
      `${what}: ripe is ${shown(ripe)}, but must be a number above 0 and at most 1: a share of the bound`,
    );
  for (const type of options.clientMayAdd ?? []) checkType(type, protocol, `${what}: clientMayAdd`);
  const { lagCompensation } = options;
  if (lagCompensation === undefined) return;
  checkKeys<LagCompensationOptions>(lagCompensation, LAG_COMPENSATION_KEYS, `${what}: lagCompensation`);
  for (const type of lagCompensation.targets) checkType(type, protocol, `${what}: lagCompensation.targets`);
}

/** Checks the keys of one room's own options. Options of the whole server are refused here. */
export function checkRoomKeys(options: Partial<RoomOptions>, what: string): void {
  checkKeys<Partial<RoomOptions>>(options, ROOM_KEYS, what);
}

/** Looks at the properties, not at the class: with two copies of the schema package there are two classes. */
function isProtocol(value: unknown): value is Protocol {
  return typeof value === "object" && value !== null && typeof (value as Protocol).hash === "number";
}

function checkType(type: DescribedType, protocol: Protocol, what: string): void {
  if (typeof type !== "object" || type === null || !protocol.objects.includes(type as Protocol["objects"][number]))
    throw badOption(`${what}: ${shown(type?.name ?? type)} is no object type of this protocol`);
}

function checkFunction<Options extends object>(options: Options, name: keyof Options & string, what: string): void {
  const value = options[name];
  if (value !== undefined && typeof value !== "function")
    throw badOption(`${what}: ${name} is ${shown(value)}, but must be a function`);
}

function checkChoice(value: unknown, choices: readonly string[], what: string, orElse?: string): void {
  if (value === undefined || (typeof value === "string" && choices.includes(value))) return;
  const rule = [...choices.map((choice) => `"${choice}"`), ...(orElse === undefined ? [] : [orElse])].join(" or ");
  throw badOption(`${what} is ${shown(value)}, but must be ${rule}`);
}

export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
  return typeof value === "function" ? "a function" : String(value);
}

/** The keys of `defaults`, which must have every key. */
function truthy<Options extends object>(defaults: Options): Keys<Options> {
  return Object.fromEntries(Object.keys(defaults).map((key) => [key, true])) as Keys<Options>;
}
