/**
 * The numbers of the dungeon. Places and sizes are world units, speeds are units per step, times are steps: a step is 50 ms, as in the paper (H). All
 * machines must agree on every one of them.
 */

export const STEP_MS = 50;
export const MOST_PLAYERS = 20;
/** The dungeon falls in after this many steps (eight minutes): whoever is still inside leaves with nothing. */
export const MOST_STEPS = 9600;

export const TILE = 24;
export const GRID = 64;

export const PLAYER = {
  radius: 7,
  health: 100,
  /** Units per step, and how much of the difference to the wanted speed is made up in one. */
  speed: 6.2,
  grip: 0.45,
  dashSpeed: 17,
  dashSteps: 4,
  dashPause: 30,
  /** Steps that a felled player lies; then it wakes at the entrance with half of what it carried. */
  downSteps: 100,
  /** Steps in which nothing harms it: at the beginning, and after it has woken. */
  safeSteps: 40,
} as const;

export const SHOT = { each: 10, speed: 17, life: 22, reload: 4, damage: 12, radius: 3 } as const;

export const MONSTER_KINDS = ["none", "crawler", "spitter", "brute", "warden"] as const;
export type MonsterKind = (typeof MONSTER_KINDS)[number];

export interface MonsterNumbers {
  readonly radius: number;
  readonly health: number;
  readonly speed: number;
  /** Harm of a bite or a blow. */
  readonly damage: number;
  /** Steps between two bites, shots or charges. */
  readonly pause: number;
  /** How far it keeps away from whom it hunts. */
  readonly keeps: number;
}

export const MONSTERS: Readonly<Record<MonsterKind, MonsterNumbers>> = {
  none: { radius: 0, health: 0, speed: 0, damage: 0, pause: 0, keeps: 0 },
  crawler: { radius: 7, health: 32, speed: 5.3, damage: 9, pause: 12, keeps: 0 },
  spitter: { radius: 8, health: 36, speed: 3.3, damage: 11, pause: 24, keeps: 130 },
  brute: { radius: 12, health: 130, speed: 3, damage: 24, pause: 44, keeps: 0 },
  warden: { radius: 20, health: 520, speed: 2.6, damage: 26, pause: 20, keeps: 60 },
};

export const MOST_MONSTERS = 64;
/** How far a monster sees, and how far whom it hunts may get before it gives up. */
export const SIGHT = 210;
export const LOST_AT = 320;
/** How far an alarm carries to others. */
export const ALARM = 90;
/** Steps of the brute's charge, its wind-up before, and its speed. */
export const CHARGE = { windUp: 12, steps: 12, speed: 12.5 } as const;

export const VENOM = { most: 96, speed: 8.5, life: 50, radius: 4 } as const;

export const LOOT_KINDS = ["gold", "amber", "ruby", "relic"] as const;
export type LootKind = (typeof LOOT_KINDS)[number];
export const PICKUP_KINDS = ["none", ...LOOT_KINDS, "heart"] as const;
export type PickupKind = (typeof PICKUP_KINDS)[number];
export const MOST_PICKUPS = 112;
export const PICKUP = { radius: 8, heals: 35 } as const;

export const EXIT_RADIUS = 26;
/** Steps of standing at an exit with the use key down until one is out. */
export const LEAVE_STEPS = 12;
