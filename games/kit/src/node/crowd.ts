/**
 * Many bots in one process, as real clients of any server: each has a client, a link and a player of its own. They join one after another, since people
 * do not all join at the same instant either. Their traffic is counted.
 */

import type { Client, ClientOptions } from "@nearfield/client";
import { join } from "@nearfield/client/node";
import { markOf, updatedSince } from "@nearfield/client/views";

/** Options for a crowd of bots. */
export interface BotsOptions {
  readonly url: string | URL;
  readonly count: number;
  /** Default 1. */
  readonly seed?: number;
  /** Time between two updates of a client, ms. Default: a round. */
  readonly frameMs?: number;
  /** Time between two bots that come in, ms. Default 50. */
  readonly everyMs?: number;
  /** Whether state may come over UDP, where the server offers it. Default false: a crowd in one process is lighter over WebSockets. */
  readonly udp?: boolean;
  /** Where bots whose connection was lost try next. Default: where they were. */
  readonly elsewhere?: () => string;
  /** Told when a bot is in, and when one is out for good, with the reason. */
  readonly onChange?: (what: "in" | "out", index: number, reason: string) => void;
}

/** What a game says of its bots. */
export interface CrowdGame<Deeds> {
  readonly protocol: ClientOptions["protocol"];
  readonly roundMs: number;
  readonly nickname: (index: number) => string;
  /** Plays the client of that index; its first update is still to come. */
  readonly play: (client: Client, index: number) => void;
  /** What they have done in the game so far, by name, that which matters most first. */
  readonly deeds: () => Deeds;
}

/** What a crowd has done so far; all figures but `active` and `roundTripMs` only grow. */
export interface CrowdReport<Deeds> {
  readonly joined: number;
  /** Connected now. */
  readonly active: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** What the network carries for `bytesIn`: packets, and their bytes with all headers. */
  readonly packetsIn: number;
  readonly wireBytesIn: number;
  readonly updates: number;
  /** Mean round trip of those who have measured one, ms; 0 before. */
  readonly roundTripMs: number;
  readonly deeds: Deeds;
}

export interface Crowd<Deeds> {
  /** Resolves when the last has come in; rejects with what the server said to the first that could not. */
  readonly allIn: Promise<void>;
  report(): CrowdReport<Deeds>;
  /** All leave. */
  leave(): void;
}

type Traffic = NonNullable<Client["traffic"]>;

interface Member {
  readonly client: Client;
  /** One, and one more for each reconnection. */
  readonly traffics: Set<Traffic>;
  readonly updates: () => number;
}

export function joinCrowd<Deeds>(options: BotsOptions, game: CrowdGame<Deeds>): Crowd<Deeds> {
  const members: Member[] = [];
  let hasLeft = false;
  const joinAll = async (): Promise<void> => {
    for (let index = 0; index < options.count && !hasLeft; index++) {
      const member = await joinOne(index, options, game);
      members.push(member);
      options.onChange?.("in", index, "");
      member.client.onState((state, reason) => {
        if (state === "ended" && !hasLeft) options.onChange?.("out", index, reason?.detail ?? "no connection");
      });
      if (hasLeft) member.client.leave();
      else await pause(options.everyMs ?? 50);
    }
  };
  return {
    allIn: joinAll(),
    report: () => ({ ...reportOn(members), deeds: game.deeds() }),
    leave: () => {
      hasLeft = true;
      for (const { client } of members) client.leave();
    },
  };
}

async function joinOne(index: number, options: BotsOptions, game: CrowdGame<unknown>): Promise<Member> {
  const traffics = new Set<Traffic>();
  let updates = 0;
  const client = await join(options.url, {
    protocol: game.protocol,
    nickname: game.nickname(index),
    frameMs: options.frameMs ?? game.roundMs,
    udp: options.udp ?? false,
    ...(options.elsewhere !== undefined && { elsewhere: options.elsewhere }),
    prepare: (entering) => {
      game.play(entering, index);
      let mark = markOf(entering);
      entering.activity(() => {
        updates += updatedSince(entering, mark).length;
        mark = markOf(entering);
        if (entering.traffic !== undefined) traffics.add(entering.traffic);
      });
    },
  });
  return { client, traffics, updates: () => updates };
}

function reportOn(members: readonly Member[]): Omit<CrowdReport<unknown>, "deeds"> {
  const report = {
    joined: members.length,
    active: 0,
    bytesIn: 0,
    bytesOut: 0,
    packetsIn: 0,
    wireBytesIn: 0,
    updates: 0,
  };
  let [trips, measured] = [0, 0];
  for (const { client, traffics, updates } of members) {
    if (client.state === "active") report.active += 1;
    for (const traffic of traffics) {
      for (const { bytesIn, bytesOut, packetsIn, wireBytesIn } of Object.values(traffic)) {
        report.bytesIn += bytesIn;
        report.bytesOut += bytesOut;
        report.packetsIn += packetsIn;
        report.wireBytesIn += wireBytesIn;
      }
    }
    report.updates += updates();
    if (client.roundTripMs < 0) continue;
    trips += client.roundTripMs;
    measured += 1;
  }
  return { ...report, roundTripMs: measured === 0 ? 0 : trips / measured };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
