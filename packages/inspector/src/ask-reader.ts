/**
 * Reads what a page asks. The page has shown its token, but its messages are checked like any other input: length first, then shape, then
 * every figure against its bounds. A mistake becomes a refusal that says what was expected.
 */

import type { ObjectSetSettings } from "@nearfield/core/internal";
import { ServerError } from "@nearfield/server";
import { readSets } from "@nearfield/server/internal";
import type { Ask, Topic } from "./feed/asks.ts";
import type { RefusalCode, Refused } from "./feed/tells.ts";

/** Longest ask, in characters. */
export const MOST_ASK_LENGTH: number = 64 * 1024;
const MOST_NAME = 64;
const MOST_TOKEN = 256;
const MOST_FILE_NAME = 256;
const MOST_PLAYERS = 10_000;
const MOST_DRAWN = 16;
const MOST_EVERY_MS = 60_000;

/** An ask that cannot be carried out. The page is told. */
export class AskError extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = "AskError";
    this.code = code;
  }
}

type Json = Record<string, unknown>;

/** Makes a refusal for an ask that cannot be read. It contains the ask's id, if that can be read, so that the page can match it. */
export function refusal(json: unknown, code: RefusalCode, detail: string): Refused {
  const { ask, id } = (isRecord(json) ? json : {}) as { ask?: unknown; id?: unknown };
  return {
    tell: "refused",
    ...(typeof id === "number" && { id }),
    ask: typeof ask === "string" ? ask.slice(0, MOST_NAME) : "",
    code,
    detail,
  };
}

export function parseAsk(text: string): unknown {
  if (text.length > MOST_ASK_LENGTH) throw new AskError("too-long", `an ask has at most ${MOST_ASK_LENGTH} characters`);
  try {
    return JSON.parse(text);
  } catch {
    throw new AskError("bad-message", "an ask is a JSON text");
  }
}

/** Throws `AskError`. */
export function readAsk(json: unknown): Ask {
  if (!isRecord(json)) throw bad("an ask is a JSON object");
  const ask = json["ask"];
  const read = typeof ask === "string" && Object.hasOwn(READERS, ask) ? READERS[ask as Ask["ask"]] : undefined;
  if (read === undefined) throw bad(`ask must be one of ${Object.keys(READERS).join(", ")}`);
  const id = json["id"];
  if (id !== undefined && !(Number.isSafeInteger(id) && (id as number) >= 0)) throw bad("id must be a whole number");
  return { ...read(json), ...(id !== undefined && { id: id as number }) };
}

const READERS: { [Name in Ask["ask"]]: (json: Json) => Ask } = {
  hello: (json) => ({ ask: "hello", token: text(json, "token", MOST_TOKEN), version: whole(json, "version") }),
  watch: readWatch,
  unwatch: (json) => ({ ask: "unwatch", topic: topic(json) }),
  view: (json) => ({ ask: "view", room: room(json), player: whole(json, "player") }),
  setView: (json) => {
    const { players } = json;
    return {
      ask: "setView",
      room: room(json),
      players: players === "all" ? "all" : wholes(json, "players", MOST_PLAYERS),
      sets: sets(json),
      ...edit(json),
    };
  },
  saveView: (json) => ({ ask: "saveView", room: room(json), sets: sets(json) }),
  loadView: (json) => ({ ask: "loadView", room: room(json) }),
  readView: (json) => ({
    ask: "readView",
    room: room(json),
    name: text(json, "name", MOST_FILE_NAME),
    text: text(json, "text", MOST_ASK_LENGTH),
  }),
  record: (json) => {
    if (json["on"] === false) return { ask: "record", room: room(json), on: false };
    if (json["on"] !== true) throw bad("on must be true or false");
    const seconds = optional(json, "seconds", 1, 3600);
    return { ask: "record", room: room(json), on: true, ...everyMs(json), ...(seconds !== undefined && { seconds }) };
  },
  frames: (json) => ({ ask: "frames", room: room(json), from: whole(json, "from"), count: whole(json, "count") }),
  conditions: (json) => {
    return {
      ask: "conditions",
      room: room(json),
      player: whole(json, "player"),
      preset: text(json, "preset", MOST_NAME),
    };
  },
  clearHeat: (json) => ({ ask: "clearHeat", room: room(json) }),
};

function readWatch(json: Json): Ask {
  const base = { ask: "watch", room: room(json), ...everyMs(json) } as const;
  const watched = topic(json);
  switch (watched) {
    case "report":
      return { ...base, topic: watched, ...clientsMs(json) };
    case "map": {
      const players = json["players"] === undefined ? [] : wholes(json, "players", MOST_DRAWN);
      return { ...base, topic: watched, players };
    }
    case "heat":
      return { ...base, topic: watched, ...(json["type"] !== undefined && { type: text(json, "type", MOST_NAME) }) };
    case "why":
      return { ...base, topic: watched, player: whole(json, "player"), object: whole(json, "object") };
    case "cluster":
      return { ...base, topic: watched };
    case "preview":
      return { ...base, topic: watched, player: whole(json, "player"), sets: sets(json), ...edit(json) };
  }
}

const TOPICS: readonly Topic[] = ["report", "map", "heat", "why", "preview", "cluster"];

function topic(json: Json): Topic {
  const found = TOPICS.find((name) => name === json["topic"]);
  if (found === undefined) throw bad(`topic must be one of ${TOPICS.join(", ")}`);
  return found;
}

function room(json: Json): string {
  return text(json, "room", MOST_NAME);
}

function sets(json: Json): readonly ObjectSetSettings[] {
  try {
    return readSets(json["sets"]);
  } catch (error) {
    if (error instanceof ServerError) throw new AskError("bad-view", error.message);
    throw error;
  }
}

function edit(json: Json): { scale?: number; unlimited?: boolean } {
  const { unlimited } = json;
  const scale = optional(json, "scale", Number.MIN_VALUE, Number.MAX_VALUE);
  if (unlimited !== undefined && typeof unlimited !== "boolean") throw bad("unlimited must be true or false");
  return { ...(scale !== undefined && { scale }), ...(unlimited !== undefined && { unlimited }) };
}

function everyMs(json: Json): { everyMs?: number } {
  const given = optional(json, "everyMs", 1, MOST_EVERY_MS);
  return given === undefined ? {} : { everyMs: given };
}

function clientsMs(json: Json): { clientsMs?: number } {
  const given = optional(json, "clientsMs", 1, MOST_EVERY_MS);
  return given === undefined ? {} : { clientsMs: given };
}

function text(json: Json, name: string, most: number): string {
  const value = json[name];
  if (typeof value !== "string" || value.length > most)
    throw bad(`${name} must be a text of at most ${most} characters`);
  return value;
}

function whole(json: Json, name: string): number {
  const value = json[name];
  if (!isWhole(value)) throw bad(`${name} must be a whole number from 0 on`);
  return value;
}

function wholes(json: Json, name: string, most: number): number[] {
  const value = json[name];
  if (!Array.isArray(value) || value.length > most || !value.every(isWhole)) {
    throw bad(`${name} must be a list of at most ${most} whole numbers`);
  }
  return value;
}

function optional(json: Json, name: string, least: number, most: number): number | undefined {
  const value = json[name];
  if (value === undefined) return undefined;
  if (typeof value === "number" && value >= least && value <= most) return value;
  throw bad(`${name} must be a number from ${least} to ${most}`);
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isRecord(json: unknown): json is Json {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function bad(detail: string): AskError {
  return new AskError("bad-message", detail);
}
