/**
 * Checks a client's options when they are given: unknown keys, roles that do not exist. Types do not exist at run time, so the keys are
 * listed here a second time; the compiler compares both lists. A production build has none of this (`IS_DEVELOPMENT`).
 */

import { ROLES } from "@nearfield/protocol/internal";
import { unknownKeyOf, unknownKeyProblem } from "@nearfield/schema/internal";
import { DEFAULT_RECONNECT, type ReconnectOptions } from "./connection.ts";
import { ClientError } from "./errors.ts";
import type { ClientOptions } from "./options.ts";

/** Every key of a kind of options, each once. */
export type Keys<Options> = Readonly<Record<keyof Options, true>>;

export const CLIENT_KEYS: Keys<ClientOptions> = {
  protocol: true,
  nickname: true,
  connect: true,
  now: true,
  random: true,
  room: true,
  role: true,
  credentials: true,
  ticket: true,
  reconnect: true,
  onError: true,
  eventAgeMs: true,
  renderTime: true,
  pingMs: true,
};

/** Names that other libraries use, and the option that we have for each. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  name: "nickname",
  nick: "nickname",
  username: "nickname",
  player: "nickname",
  token: "credentials",
  auth: "credentials",
  password: "credentials",
  roomname: "room",
  spectator: 'role: "spectator"',
  schema: "protocol",
  timeout: "reconnect: { joinMs }",
  joinms: "reconnect: { joinMs }",
  fps: "frameMs",
  origin: "link: { origin }",
};

/** Throws `ClientError` if there is a key that is not known. */
export function checkKeys<Options extends object>(value: Options, keys: Keys<Required<Options>>, what: string): void {
  const known = Object.keys(keys);
  const key = unknownKeyOf(value, known);
  if (key !== undefined) throw badOption(`${what}: ${unknownKeyProblem(key, known, OTHER_NAMES)}`);
}

/** @param problem false in a production build. */
export function badOption(problem: string | false): ClientError {
  return new ClientError("bad-option", problem);
}

/** Checks that are the same for every kind of link. */
export function checkClientOptions(options: ClientOptions): void {
  const { protocol, room, role = "player", reconnect, eventAgeMs, pingMs } = options;
  if (typeof protocol !== "object" || protocol === null || typeof protocol.hash !== "number")
    throw badOption("protocol is missing; pass what client and server share: new Protocol({ objects: [Ship] })");
  if (room !== undefined && (typeof room !== "string" || room === ""))
    throw badOption(`room is ${JSON.stringify(room)}, but must be the name of a room`);
  if (!ROLES.includes(role)) {
    const known = ROLES.map((each) => `"${each}"`).join(" or ");
    throw badOption(`role is ${JSON.stringify(role)}, but must be ${known}`);
  }
  if (reconnect !== undefined) checkReconnect(reconnect);
  for (const [name, ms] of Object.entries({ eventAgeMs, pingMs })) {
    if (ms !== undefined && !(typeof ms === "number" && ms > 0))
      throw badOption(`${name} is ${ms}, but must be above 0`);
  }
}

function checkReconnect(reconnect: Partial<ReconnectOptions>): void {
  const known = Object.fromEntries(Object.keys(DEFAULT_RECONNECT).map((key) => [key, true])) as Keys<ReconnectOptions>;
  checkKeys<Partial<ReconnectOptions>>(reconnect, known, "reconnect");
  for (const [name, value] of Object.entries(reconnect)) {
    if (typeof value === "number" && !(value >= 0))
      throw badOption(`reconnect.${name} is ${value}, but must be 0 or more`);
  }
}
