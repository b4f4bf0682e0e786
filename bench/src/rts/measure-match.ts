/** Plays one match and shows it in several rooms at once: the paper's zones, broadcast, fog, and the game's own bounds, with lockstep beside them. */

import { measureRecord } from "@nearfield/schema/internal";
import { type MapName, ROUND_MS, Unit } from "@nearfield/skirmish";
import { median } from "../statistics.ts";
import { Hidden } from "./hidden.ts";
import { Lockstep } from "./lockstep.ts";
import { Match } from "./match.ts";
import { MatchRoom, type RoomTally } from "./match-room.ts";
import { GAME_VIEW, PAPER_VIEW, playedView } from "./views.ts";

/** What the rooms of a match show, by name. */
export type RoomName =
  /** The paper's zones, and broadcast: no fog, and nobody is sent what it owns. */
  | "paper"
  | "broadcast"
  /** The game's own bounds in place of the paper's. */
  | "game"
  /** With own units: the paper's zones with fog, broadcast of everything, and the game's bounds with fog. */
  | "fog"
  | "whole"
  | "played";

export interface MeasurePlan {
  readonly map: MapName;
  readonly players: number;
  readonly seed: number;
  /** Seconds of the match that nobody watches, and seconds that are counted. */
  readonly skipped: number;
  readonly counted: number;
  /** Units are multiplied by this when people begin to watch. Default 1. */
  readonly times?: number;
  readonly rooms: readonly RoomName[];
}

export interface MatchResult {
  readonly plan: MeasurePlan;
  readonly rooms: Partial<Readonly<Record<RoomName, RoomResult>>>;
  readonly seconds: number;
  readonly lockstep: Lockstep;
  /** Hidden objects in a client's memory, on average; only with the room `fog`. */
  readonly hidden: { readonly lockstep: number; readonly ours: number } | undefined;
  /** Changes of others' objects by the zone of the paper's view in which the object lay: what broadcast sent. */
  readonly changesByZone: readonly number[];
  /** Units and buildings of all sides at the end. */
  readonly pieces: number;
}

export interface RoomResult extends RoomTally {
  /** Median of the rounds' times, ms. */
  readonly medianMs: number;
  readonly jumps: number;
  readonly longestStep: number;
  readonly overBound: number;
}

/** Rounds until clients have what they are sent at first. */
const SETTLE_ROUNDS = 30;

/** Bytes of an update that says all fields of a unit, in whole bytes, and its number in two. */
export const WHOLE_UPDATE_BYTES: number =
  2 +
  Math.ceil(measureRecord(Unit, { x: 0, y: 0, z: 0, heading: 0, kind: "tank", side: 0, health: 0, doing: "idle" }) / 8);

export async function measureMatch(plan: MeasurePlan): Promise<MatchResult> {
  const match = new Match(plan);
  match.play(plan.skipped);
  if (plan.times !== undefined) match.multiply(plan.times);
  const rooms = new Map(plan.rooms.map((name) => [name, roomOf(name, match)]));
  const fog = rooms.get("fog");
  const hidden = fog && new Hidden(match, fog);
  const lockstep = new Lockstep(plan.players);
  const paper = rooms.get("paper");
  const changesByZone: number[] = [];
  const list = [...rooms.values()];
  for (let round = 0; round < SETTLE_ROUNDS + (plan.counted * 1000) / ROUND_MS && !match.isOver; round++) {
    const counts = round >= SETTLE_ROUNDS;
    if (round === SETTLE_ROUNDS) for (const room of list) room.startCounting();
    match.round();
    // Who begins takes turns.
    for (const room of round % 2 === 0 ? list : list.toReversed()) room.round();
    if (!counts) continue;
    paper?.zonesOf(rooms.get("broadcast")!, changesByZone);
    lockstep.turn(match.battle.asked);
    hidden?.round();
  }
  const results = [...rooms].map(([name, room]) => [name, resultOf(room)] as const);
  for (const room of list) await room.close();
  return {
    plan,
    rooms: Object.fromEntries(results),
    seconds: (lockstep.turns * ROUND_MS) / 1000,
    lockstep,
    changesByZone,
    hidden: hidden && { lockstep: hidden.lockstep / hidden.looks, ours: hidden.ours / hidden.looks },
    pieces: match.battle.state.units.reduce((sum, count, side) => sum + count + match.battle.state.buildings[side]!, 0),
  };
}

function roomOf(name: RoomName, match: Match): MatchRoom {
  if (name === "paper") return new MatchRoom(match, { view: PAPER_VIEW, shows: "others", watchesJumps: true });
  if (name === "broadcast") return new MatchRoom(match, { view: PAPER_VIEW, shows: "others", broadcast: true });
  if (name === "game") return new MatchRoom(match, { view: GAME_VIEW, shows: "others", watchesJumps: true });
  if (name === "fog") return new MatchRoom(match, { view: PAPER_VIEW, shows: "fog", watchesJumps: true });
  if (name === "played") return new MatchRoom(match, { view: GAME_VIEW, shows: "fog", viewOf: playedView });
  return new MatchRoom(match, { view: PAPER_VIEW, shows: "all", broadcast: true });
}

function resultOf(room: MatchRoom): RoomResult {
  const { tally, jumps, longestStep, overBound } = room;
  return { ...tally, medianMs: median(tally.roundMs), jumps, longestStep, overBound };
}
