/**
 * The whole state of a dungeon, in typed columns. What a player carries and fires lies in rows of its own, so that one who met nobody can be corrected
 * alone; monsters, their venom and what lies about belong to nobody.
 */

import { Columns, perPlayer, shared } from "@nearfield/rollback/session";
import { LOOT_KINDS, MOST_MONSTERS, MOST_PICKUPS, SHOT, VENOM } from "./numbers.ts";

/** How it stands with a player. */
export const Fate = {
  fighting: 0,
  /** Felled; it wakes at the entrance. */
  down: 1,
  /** Left by an exit: what it carries is its own. */
  out: 2,
} as const;

/** How it stands with a monster. */
export const Mood = { asleep: 0, hunting: 1, windingUp: 2, charging: 3 } as const;

const SHAPE = {
  x: perPlayer(Float32Array),
  y: perPlayer(Float32Array),
  vx: perPlayer(Float32Array),
  vy: perPlayer(Float32Array),
  /** In 256ths of a turn. */
  heading: perPlayer(Uint8Array),
  health: perPlayer(Int16Array),
  fate: perPlayer(Uint8Array),
  /** Steps until it may fire again, dash again, is no longer safe, wakes; steps that a dash still lasts, and that it has stood at an exit. */
  reload: perPlayer(Uint8Array),
  dashPause: perPlayer(Uint8Array),
  dash: perPlayer(Uint8Array),
  safe: perPlayer(Uint8Array),
  wakes: perPlayer(Uint8Array),
  leaving: perPlayer(Uint8Array),
  kills: perPlayer(Uint16Array),
  downs: perPlayer(Uint8Array),
  loot: perPlayer(Uint16Array, LOOT_KINDS.length),
  shotX: perPlayer(Float32Array, SHOT.each),
  shotY: perPlayer(Float32Array, SHOT.each),
  shotVx: perPlayer(Float32Array, SHOT.each),
  shotVy: perPlayer(Float32Array, SHOT.each),
  /** 0: no shot. */
  shotLife: perPlayer(Uint8Array, SHOT.each),

  kind: shared(Uint8Array, MOST_MONSTERS),
  mood: shared(Uint8Array, MOST_MONSTERS),
  monsterX: shared(Float32Array, MOST_MONSTERS),
  monsterY: shared(Float32Array, MOST_MONSTERS),
  monsterVx: shared(Float32Array, MOST_MONSTERS),
  monsterVy: shared(Float32Array, MOST_MONSTERS),
  monsterHealth: shared(Int16Array, MOST_MONSTERS),
  /** The player it hunts; −1: nobody. Where it saw that player last. */
  target: shared(Int8Array, MOST_MONSTERS),
  seenX: shared(Float32Array, MOST_MONSTERS),
  seenY: shared(Float32Array, MOST_MONSTERS),
  /** Steps until it bites, spits or charges again; steps that its mood still lasts. */
  pause: shared(Uint8Array, MOST_MONSTERS),
  lasts: shared(Uint8Array, MOST_MONSTERS),

  venomX: shared(Float32Array, VENOM.most),
  venomY: shared(Float32Array, VENOM.most),
  venomVx: shared(Float32Array, VENOM.most),
  venomVy: shared(Float32Array, VENOM.most),
  venomLife: shared(Uint8Array, VENOM.most),
  venomHarm: shared(Uint8Array, VENOM.most),
  /** The place for the next venom: the oldest gives way. */
  venomNext: shared(Uint8Array),

  pickup: shared(Uint8Array, MOST_PICKUPS),
  pickupX: shared(Float32Array, MOST_PICKUPS),
  pickupY: shared(Float32Array, MOST_PICKUPS),
  pickupNext: shared(Uint8Array),
};

export type DungeonState = Columns<typeof SHAPE>;
export type DungeonColumns = DungeonState["at"];

export function newState(players: number): DungeonState {
  return new Columns(players, SHAPE);
}
