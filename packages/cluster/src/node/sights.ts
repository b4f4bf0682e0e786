/**
 * What the servers of a cluster tell an operator of themselves. While somebody looks at one of them, that one asks all others once a second, over
 * the bus, and puts their answers together. Nobody looks: nothing is asked, nothing is made, nothing travels.
 *
 * What comes from other servers is checked before it is kept: a server of another version may say something else.
 *
 * The inspector's `ClusterSource` describes the same picture for those who read it. Neither package imports the other, so each has its own description; the compiler
 * checks that they fit wherever a server is given to an inspector (`serveInspector(…, { cluster: sights })`).
 */

import type { Bus, ClusterGuest, RoomsPicture, Sight, SightTo } from "@nearfield/cluster/internal";
import type { Off } from "@nearfield/schema";
import type { NodeServer } from "@nearfield/server/node";
import type { BusMeter, Said } from "./bus-meter.ts";

/** A server as it sees itself, and what it said to each other one over the bus since it started. */
export interface ToldSight extends Omit<Sight, "to"> {
  /** Since it started, by its own clock, ms: what is counted is counted over this time. */
  readonly uptimeMs: number;
  /** How long its last round took, ms. */
  readonly roundMs: number;
  readonly to: readonly (SightTo & Said)[];
}

/** A slice with its bounds by axis; `null` where it does not end. */
export interface PicturedSlice {
  readonly id: string;
  readonly owner: number;
  readonly fence: number;
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
}

/** The cluster as one of its servers sees it. */
export interface ClusterPicture {
  /** The server that says so. */
  readonly me: number;
  readonly epoch: number;
  readonly slices: readonly PicturedSlice[];
  readonly servers: readonly PicturedServer[];
  /** Undefined where the servers share no rooms. */
  readonly rooms?: RoomsPicture;
}

export interface PicturedServer {
  readonly server: number;
  /** Whether its lease says that it lives, and the load that it says. */
  readonly isAlive: boolean;
  readonly load: number;
  /** What it answered last; `null` before its first answer, and when it has not answered for some seconds. */
  readonly sight: ToldSight | null;
}

const EVERY_MS = 1000;
/** An answer that is older than this does not count any more, ms. */
const STALE_MS = 4000;
/** The longest answer that is read, bytes. */
const MOST_BYTES = 256 * 1024;
const ASK = "look";
const TELL = "seen";
const decoder = new TextDecoder();
const encoder = new TextEncoder();

export interface SightsOptions {
  readonly bus: Bus;
  readonly meter: BusMeter;
  readonly guest: ClusterGuest;
  readonly server: NodeServer;
}

export class Sights {
  readonly #options: SightsOptions;
  readonly #offAsk: Off;
  readonly #seen = new Map<number, { readonly sight: ToldSight; readonly atMs: number }>();
  readonly #startedMs = performance.now();
  #rooms: (() => RoomsPicture) | undefined;
  #watchers = 0;
  #end: Off | undefined;

  constructor(options: SightsOptions) {
    this.#options = options;
    const { bus } = options;
    this.#offAsk = bus.subscribe(ASK, () => bus.publish(TELL, encoder.encode(JSON.stringify(this.#own()))));
  }

  /** Begins to look, until the result is called. */
  watch(): Off {
    this.#watchers += 1;
    this.#end ??= this.#begin();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#watchers -= 1;
      if (this.#watchers === 0) this.#stop();
    };
  }

  /** The rooms belong to the picture from now on. */
  showRooms(picture: () => RoomsPicture): void {
    this.#rooms = picture;
  }

  /** What is known now; undefined before the first map. */
  picture(): ClusterPicture | undefined {
    const { membership } = this.#options.guest;
    const { map, alive, number } = membership;
    if (map === undefined) return undefined;
    const nowMs = performance.now();
    const numbers = new Set([...alive.keys(), ...map.slices.map(({ owner }) => owner)]);
    return {
      me: number,
      epoch: map.epoch,
      slices: map.slices.map(({ id, owner, fence, box }) => {
        return { id, owner, fence, low: box.low.map(finite), high: box.high.map(finite) };
      }),
      servers: [...numbers]
        .sort((a, b) => a - b)
        .map((server) => {
          const seen = this.#seen.get(server);
          const sight = seen === undefined || nowMs - seen.atMs > STALE_MS ? null : seen.sight;
          return { server, isAlive: alive.has(server), load: alive.get(server) ?? 0, sight };
        }),
      ...(this.#rooms !== undefined && { rooms: this.#rooms() }),
    };
  }

  close(): void {
    this.#offAsk();
    this.#stop();
  }

  #begin(): Off {
    const { bus } = this.#options;
    const off = bus.subscribe(TELL, (payload) => this.#hear(payload));
    const ask = (): void => bus.publish(ASK, new Uint8Array(0));
    const timer = setInterval(ask, EVERY_MS);
    timer.unref();
    ask();
    return () => {
      clearInterval(timer);
      off();
    };
  }

  #stop(): void {
    this.#end?.();
    this.#end = undefined;
    this.#seen.clear();
  }

  #hear(payload: Uint8Array): void {
    if (payload.length > MOST_BYTES) return;
    const sight = readSight(decoder.decode(payload));
    if (sight !== undefined) this.#seen.set(sight.server, { sight, atMs: performance.now() });
  }

  #own(): ToldSight {
    const { guest, meter, server } = this.#options;
    const sight = guest.look();
    const known = new Map(sight.to.map((to) => [to.server, to]));
    const to = [...new Set([...meter.said.keys(), ...known.keys()])].map((number) => ({
      ...(known.get(number) ?? { server: number, transfers: 0, copies: 0, areas: 0 }),
      ...(meter.said.get(number) ?? { messages: 0, bytes: 0 }),
    }));
    return { ...sight, uptimeMs: performance.now() - this.#startedMs, roundMs: server.main.telemetry.roundMs, to };
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Undefined where the text is no sight. */
function readSight(text: string): ToldSight | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isSight(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

type Json = Readonly<Record<string, unknown>>;

const FIGURES = ["server", "objects", "copies", "players", "uptimeMs", "roundMs", "updates", "forwarded", "dropped"];
const FIGURES_TO = ["server", "messages", "bytes", "transfers", "copies", "areas"];

function isSight(json: unknown): json is ToldSight {
  if (!hasNumbers(json, FIGURES) || typeof json["isHeld"] !== "boolean") return false;
  const { slices, to } = json;
  if (!Array.isArray(slices) || !Array.isArray(to)) return false;
  return (
    slices.every((slice) => hasNumbers(slice, ["objects"]) && typeof slice["id"] === "string") &&
    to.every((entry) => hasNumbers(entry, FIGURES_TO))
  );
}

function hasNumbers(json: unknown, names: readonly string[]): json is Json {
  return typeof json === "object" && json !== null && names.every((name) => Number.isFinite((json as Json)[name]));
}
