/**
 * Bots as real clients of a server anywhere: one WebSocket, one replica, one brain each (F10). They come in one after another, since a crowd that
 * knocks at once is no load that people make. What they send and receive is counted.
 */

import { Client, ClientError } from "@nearfield/client";
import { CHANNELS, type Link } from "@nearfield/transport";
import { connectWebSocket } from "@nearfield/transport/node";
import { Bot } from "../bots/bot.ts";
import { Atlas } from "../bots/navigation.ts";
import { botName } from "../bots/traits.ts";
import { BOT_PREFIX } from "../host.ts";
import type { LevelName } from "../levels.ts";
import { protocol } from "../shared.ts";
import type { Terrain } from "../terrain.ts";
import { readTerrain } from "./read-terrain.ts";

export interface JoinBotsOptions {
  /** ws:// or wss:// address of the arena. */
  readonly url: string | URL;
  readonly count: number;
  /** Default 1. */
  readonly seed?: number;
  /** Time between two updates of a client, ms. Default 33. */
  readonly frameMs?: number;
  /** Time between two bots that come in, ms. Default 50. */
  readonly everyMs?: number;
  /** Whether state may come over UDP, where the server offers it. Default false: a crowd in one process is lighter over WebSockets. */
  readonly udp?: boolean;
  /** Told when a bot is in, and when one is out for good, with the reason. */
  readonly onChange?: (what: "in" | "out", index: number, reason: string) => void;
}

/** What a crowd of bots has done so far; all figures only grow. */
export interface BotsReport {
  readonly joined: number;
  /** Connected now. */
  readonly active: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly updates: number;
  readonly kills: number;
  readonly deaths: number;
  /** Mean round trip of those who have measured one, ms; 0 before. */
  readonly roundTripMs: number;
}

export interface JoinedBots {
  /** Resolves when the last has come in; rejects with what the server said to the first that could not. */
  readonly allIn: Promise<void>;
  report(): BotsReport;
  /** All leave. */
  leave(): void;
}

interface Member {
  readonly client: Client;
  readonly bot: Bot;
  /** One, and one more for each reconnection. */
  readonly links: readonly Link[];
  updates: number;
}

export function joinBots(options: JoinBotsOptions): JoinedBots {
  const members: Member[] = [];
  const terrains = new Map<LevelName, Terrain>();
  const atlas = new Atlas((name) => {
    const terrain = terrains.get(name) ?? readTerrain(name);
    terrains.set(name, terrain);
    return terrain;
  });
  let hasLeft = false;
  const joinAll = async (): Promise<void> => {
    for (let index = 0; index < options.count && !hasLeft; index++) {
      const member = await joinOne(index, options, atlas);
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
    report: () => reportOn(members),
    leave: () => {
      hasLeft = true;
      for (const { client } of members) client.leave();
    },
  };
}

/** What `join` of @nearfield/client/node does, with its links at hand, whose bytes are to be counted. */
function joinOne(
  index: number,
  { url, seed = 1, frameMs = 33, udp = false }: JoinBotsOptions,
  atlas: Atlas,
): Promise<Member> {
  const links: Link[] = [];
  const client = new Client({
    protocol,
    nickname: `${BOT_PREFIX}${botName(index)}`,
    random: Math.random,
    now: () => performance.now(),
    connect: async () => {
      const link = await connectWebSocket(url, { udp });
      links.push(link);
      return link;
    },
  });
  const member: Member = { client, bot: new Bot(client, { atlas, seed: seed + index }), links, updates: 0 };
  let { mark } = client.world;
  client.activity((world) => {
    member.updates += world.updatedSince(mark).length;
    mark = world.mark;
  });
  const timer = setInterval(() => client.update(), frameMs);
  return new Promise((resolve, reject) => {
    client.onState((state, reason) => {
      if (state === "active") resolve(member);
      if (state !== "ended") return;
      clearInterval(timer);
      reject(new ClientError(reason?.code ?? "link", `${url}: ${reason?.detail ?? "no connection"}`));
    });
    client.update();
  });
}

function reportOn(members: readonly Member[]): BotsReport {
  const report = { joined: members.length, active: 0, bytesIn: 0, bytesOut: 0, updates: 0, kills: 0, deaths: 0 };
  let [trips, measured] = [0, 0];
  for (const { client, bot, links, updates } of members) {
    if (client.state === "active") report.active += 1;
    for (const { traffic } of links) {
      for (const channel of CHANNELS) {
        report.bytesIn += traffic[channel].bytesIn;
        report.bytesOut += traffic[channel].bytesOut;
      }
    }
    report.updates += updates;
    report.kills += bot.kills;
    report.deaths += bot.deaths;
    if (client.roundTripMs < 0) continue;
    trips += client.roundTripMs;
    measured += 1;
  }
  return { ...report, roundTripMs: measured === 0 ? 0 : trips / measured };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
