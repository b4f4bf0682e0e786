/**
 * The arena with its bots as a match: the game's own server on a lab, one real client for each bot over a link of its own, all on virtual time.
 * What players see is the paper's normal view, zoomed or not. The match outlasts every measurement, so the level never changes.
 */

import {
  ArenaHost,
  Atlas,
  Avatar,
  arenaOptions,
  Blast,
  BOT_PREFIX,
  Bot,
  Launch,
  LEVELS,
  type LevelName,
  Noise,
  paperView,
  Respawn,
  Shot,
  type Terrain,
} from "@nearfield/arena";
import { readTerrain } from "@nearfield/arena/server";
import type { Entity } from "@nearfield/core";
import { Lab } from "@nearfield/netlab";
import type { LabPacket } from "@nearfield/netlab/internal";
import type { EventType, ObjectType } from "@nearfield/schema";
import type { Match } from "./live.ts";
import type { Arena } from "./measure-map.ts";
import { BOTS, type PaperMap, ROUND_MS } from "./paper.ts";

/** One way, ms; nothing is lost. The paper measured on a network of its own. */
const LATENCY_MS = 15;
/** A bot acts once a round, as often as the paper's clients send. */
const FRAME_MS = ROUND_MS;
/** Until the first births are over and bots have spread from where they began. */
const SETTLE_MS = 3000;
const CONDITION: number = Avatar.fields.findIndex(({ name }) => name === "condition");
/** What the game sends unreliably. */
const RIDING = [Blast, Launch, Noise, Respawn, Shot];
const HOURS_MS = 36_000_000;
const MOST_KILLS = 4095;

/** What is recorded. */
export const avatarType: ObjectType = Avatar as unknown as ObjectType;

export function arenaOn(map: PaperMap, seed: number): Arena {
  const terrain = readTerrain(levelOf(map));
  return {
    stands: (recording, round, bot) => recording.valueAt(round, bot, CONDITION) !== "dead",
    match: (onPacket) => arenaMatch(terrain, seed, onPacket),
    isWall: (x, y) =>
      terrain.solid[Math.floor(y / terrain.tile) * terrain.columns + Math.floor(x / terrain.tile)] !== 0,
  };
}

/** The level that has the size of the paper's map. */
function levelOf({ width, height }: PaperMap): LevelName {
  const names = Object.keys(LEVELS) as LevelName[];
  const level = names.find((name) => LEVELS[name].width === width && LEVELS[name].height === height);
  if (level === undefined) throw new RangeError(`the arena has no level of ${width} × ${height}`);
  return level;
}

function arenaMatch(terrain: Terrain, seed: number, onPacket: (packet: LabPacket) => void): Match {
  const normal = paperView("normal");
  const lab = new Lab({ ...arenaOptions, view: normal, roundMs: ROUND_MS, frameMs: FRAME_MS, seed, onPacket });
  const views = { normal, zoom: normal };
  const host = new ArenaHost(lab.server, {
    terrains: [terrain],
    seed,
    matchMs: HOURS_MS,
    killLimit: MOST_KILLS,
    views,
  });
  const atlas = new Atlas(() => terrain);
  for (let bot = 1; bot <= BOTS; bot++) {
    const { client } = lab.join(`${BOT_PREFIX}${bot}`, { latencyMs: LATENCY_MS });
    new Bot(client, { atlas, seed: seed * 1000 + bot });
  }
  lab.until(() => host.bots === BOTS);
  lab.run(SETTLE_MS);
  const avatars = [...lab.world.all(Avatar)];
  return {
    lab,
    avatarType,
    sessions: avatars.map(({ owner }) => owner),
    ridingEvents: RIDING as unknown as readonly EventType[],
    avatarOf: (bot) => avatars[bot] as unknown as Entity,
  };
}
