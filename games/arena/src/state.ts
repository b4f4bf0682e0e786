/**
 * The numbers the game is tuned by, and the words server, page and bots share. Places and sizes are world units (the paper's map units: maps of 250
 * to 2,250), speeds are units per second, times are milliseconds, angles are radians: 0 looks along +x, and as y points down, π/2 looks down.
 */

/** Ms between two rounds of the server, as in the paper (F §5). */
export const ROUND_MS = 33;

export const AVATAR_RADIUS = 6;
/** How fast an avatar runs, and how fast it may with zoom on. */
export const RUN_SPEED = 110;
export const ZOOM_SPEED = 55;
/** How quickly it gets there and stops again, units per second². */
export const ACCELERATION = 900;

export const FULL_HEALTH = 100;
export const FULL_ARMOUR = 100;
/** Share of a hit that armour takes, while there is some. */
export const ARMOUR_SHARE = 0.6;

export const WEAPONS = ["rifle", "rocket"] as const;
export type Weapon = (typeof WEAPONS)[number];

/** What an avatar carries at its birth, and at most. */
export const BULLETS_AT_BIRTH = 60;
export const MOST_BULLETS = 180;
export const MOST_ROCKETS = 20;

export const RIFLE = { damage: 16, reloadMs: 165, reach: 900 } as const;
/** The blast takes `damage` at its centre and nothing at `radius`; the one who fired takes half. */
export const ROCKET = { damage: 110, reloadMs: 800, speed: 260, radius: 4, blast: 70, lifeMs: 6000 } as const;
/** Largest of both, for the field. */
export const MOST_RELOAD_MS = 1023;

export const ITEM_KINDS = ["health", "armour", "ammo", "launcher"] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];
export const ITEM_RADIUS = 7;
/** What an item gives, and after how long it is back. */
export const ITEMS: Readonly<Record<ItemKind, { readonly amount: number; readonly backMs: number }>> = {
  health: { amount: 35, backMs: 12_000 },
  armour: { amount: 50, backMs: 20_000 },
  ammo: { amount: 60, backMs: 10_000 },
  launcher: { amount: 5, backMs: 15_000 },
};

/** `safe`: newly born, and nothing harms it yet; its first shot ends that. */
export const CONDITIONS = ["alive", "safe", "dead"] as const;
export type Condition = (typeof CONDITIONS)[number];
export const SAFE_MS = 1500;
export const RESPAWN_MS = 3000;

export const MATCH_MS = 300_000;
/** How long the scoreboard stands between two matches. */
export const OVER_MS = 12_000;
/** So many kills end a match early. */
export const KILL_LIMIT = 40;

/** Colours of avatars; `palette.ts` has them. */
export const COLOURS = 16;
/** A player's number is 1 to this, and used again when he is gone. */
export const MOST_NUMBER = 255;

/** Full strength of a direction in a command: a stick that is pushed all the way. */
export const FULL_STICK = 127;

export interface Spot {
  readonly x: number;
  readonly y: number;
}
