/**
 * What server, page and bots agree on: the objects, commands and events of the game. Views are in `views.ts`, the step function in `movement.ts`.
 *
 * An avatar has fourteen fields, like that of the paper's game (F tab. 5.8). Only fields that change are sent, so the ammunition of somebody who does
 * not shoot costs nothing.
 */

import { MATCH_PHASES } from "@nearfield/kit";
import type { PresenterSettings } from "@nearfield/presentation";
import {
  angle,
  bool,
  command,
  enumeration,
  event,
  int,
  NICKNAME_BYTES,
  object,
  Protocol,
  quantized,
  text,
  uint,
} from "@nearfield/schema";
import { LEVEL_NAMES, LONGEST_SIDE } from "./levels.ts";
import { CONDITIONS, ITEM_KINDS, WEAPONS } from "./state.ts";

/** Sixteenths of a unit, as the paper's game has on its own wire. */
const place = quantized(0, LONGEST_SIDE, 1 / 16);
const speed = quantized(-320, 320, 0.5);
/** A player's number: what ties together avatar, score and events. 0: nobody. */
const number = uint(8);
/** Index into the palette. */
const colour = uint(4);
const weapon = enumeration(...WEAPONS);
const itemKind = enumeration(...ITEM_KINDS);
const points = uint(12);

export const Avatar = object(
  "avatar",
  {
    x: place,
    y: place,
    vx: speed,
    vy: speed,
    heading: angle(10),
    weapon,
    condition: enumeration(...CONDITIONS),
    zoomed: bool(),
    health: uint(7),
    armour: uint(7),
    bullets: uint(8),
    rockets: uint(5),
    number,
    colour,
  },
  { position: ["x", "y"], velocity: ["vx", "vy"], orientation: "heading" },
);

/** A rocket in flight. It goes straight on, so its velocity tells where it looks and where it will be. */
export const Rocket = object(
  "rocket",
  { x: place, y: place, vx: speed, vy: speed, by: number },
  { position: ["x", "y"], velocity: ["vx", "vy"] },
);

/** Something to pick up. It stays where it is; `ready` is false while it is taken. */
export const Item = object("item", { x: place, y: place, kind: itemKind, ready: bool() }, { position: ["x", "y"] });

/** A line of the scoreboard: non-spatial, it goes to everybody. */
export const Score = object("score", {
  number,
  name: text(NICKNAME_BYTES),
  colour,
  bot: bool(),
  kills: points,
  deaths: points,
  /** Kills since the last death. */
  streak: points,
});

/** The match: one object, non-spatial. The clock needs no updates: `endsMs` is when the phase ends, in the server's time (`client.clock.timeMs`). */
export const Match = object("match", {
  level: enumeration(...LEVEL_NAMES),
  /** Matches since the server started, from 1. */
  match: uint(16),
  phase: enumeration(...MATCH_PHASES),
  endsMs: uint(40),
  /** Number of the one with the most kills; 0: nobody has any. */
  leader: number,
  killLimit: points,
});

/**
 * What a player wants of his avatar, once a frame (`predict(client, avatar, Act, step)`). The last four say which picture he shot at, small
 * enough to travel with every command; `claim.ts` packs them, `unpack-claim.ts` unpacks them. They count only while `fires`.
 */
export const Act = command("act", {
  /** Direction to run, −127 to 127 each way; a vector longer than 127 counts as 127 long. */
  moveX: int(8),
  moveY: int(8),
  heading: angle(12),
  /** Whether the trigger is held down. */
  fires: bool(),
  zooms: bool(),
  weapon,
  /** Number of the avatar he aims at, 0: none. */
  target: number,
  seenQuarters: uint(16),
  appliedQuarters: uint(14),
  roundLag: uint(8),
});

/** Follow the avatar of that number; 0: the own one again. Granted to players while they are dead. (Spectators move their pivot instead.) */
export const Spectate = command("spectate", { number });

/** Who is followed now; 0: the own avatar. To the one who follows, when it changes and in answer to `Spectate`. */
export const Following = event("following", { number });

/** A rifle's shot, for the eye and the ear: to those for whom either end lies in zone 1 or nearer. Unreliable. */
export const Shot = event("shot", {
  by: number,
  fromX: place,
  fromY: place,
  toX: place,
  toY: place,
  /** What it ended at. */
  at: enumeration("nothing", "wall", "avatar"),
});

/** A rocket leaves its tube: to those near it. Unreliable. */
export const Launch = event("launch", { by: number, x: place, y: place });

/** A rocket goes off: to those near it. Unreliable. */
export const Blast = event("blast", { by: number, x: place, y: place });

/** A noise from far away, at most a few a second; one stands for many shots. Players who are sent the shots themselves do not get it. Unreliable. */
export const Noise = event("noise", { what: enumeration("shots", "blast"), x: place, y: place });

/** Somebody took an item: to those near it. */
export const Pickup = event("pickup", { by: number, kind: itemKind, x: place, y: place });

/** A hit that counts: to the one who hit and the one who was hit. `x`, `y`: where it came from. */
export const Hit = event("hit", { by: number, target: number, damage: uint(7), killed: bool(), x: place, y: place });

/** Somebody died: to everybody. `by` is `target` for those who did it themselves, 0 if the one who did has left. */
export const Kill = event("kill", { by: number, target: number, weapon, x: place, y: place });

/** Somebody is back: to those near the place. Unreliable. */
export const Respawn = event("respawn", { number, x: place, y: place });

export const protocol: Protocol = new Protocol({
  objects: [Avatar, Rocket, Item, Score, Match],
  commands: [Act, Spectate],
  events: [Following, Shot, Launch, Blast, Noise, Pickup, Hit, Kill, Respawn],
});

/** How clients show avatars. The server judges shots by the same settings (`lagCompensation`). */
export const avatarPresentation: PresenterSettings = {
  model: "linear",
  convergence: "linear",
  positionMs: 100,
  snapDistance: 60,
};
export const rocketPresentation: PresenterSettings = { model: "linear", convergence: "linear", positionMs: 50 };
