/** A server with the arena on virtual time, and players who do what a test says. */

import { type Prediction, predict, present, type Replicated } from "@nearfield/client";
import { Lab, type LabClient } from "@nearfield/netlab";
import type { LabOptions } from "@nearfield/netlab/internal";
import {
  Act,
  type ActValues,
  ArenaHost,
  type ArenaHostOptions,
  Avatar,
  arenaOptions,
  avatarPresentation,
  IDLE,
  Sights,
  stepOn,
  type Terrain,
} from "../src/index.ts";
import { readTerrain } from "../src/node/index.ts";

export const cell: Terrain = readTerrain("cell");
export const foundry: Terrain = readTerrain("foundry");

export type SeenAvatar = Replicated<typeof Avatar.shape>;

export interface Arena {
  readonly lab: Lab;
  readonly host: ArenaHost;
}

export function setUp(options: Partial<ArenaHostOptions> = {}, lab: Partial<LabOptions> = {}): Arena {
  const made = new Lab({ ...arenaOptions, seed: 1, ...lab });
  return { lab: made, host: new ArenaHost(made.server, { terrains: [foundry], seed: 1, ...options }) };
}

/** A player whose wishes a test sets; they are sent with every frame. */
export class TestPlayer {
  readonly lab: LabClient;
  readonly sights: Sights;
  wish: Partial<ActValues> = {};
  #prediction: Prediction<typeof Avatar.shape, typeof Act.shape> | undefined;

  constructor({ lab, host }: Arena, name: string, conditions: Parameters<Lab["join"]>[1] = {}) {
    this.lab = lab.join(name, conditions);
    const { client } = this.lab;
    present(client, Avatar, avatarPresentation);
    this.sights = new Sights(client);
    const step = stepOn(() => host.terrain);
    client.onSpawn(Avatar, (avatar) => {
      if (client.world.isMine(avatar)) this.#prediction = predict(client, avatar, Act, step, { snapDistance: 60 });
    });
    client.activity(() => void this.#prediction?.command({ ...IDLE, ...this.wish }));
  }

  get prediction(): Prediction<typeof Avatar.shape, typeof Act.shape> {
    return this.#prediction!;
  }

  get avatars(): SeenAvatar[] {
    return [...this.lab.world.all(Avatar)];
  }

  get own(): SeenAvatar {
    return this.avatars.find((avatar) => this.lab.world.isMine(avatar))!;
  }

  avatarOf(other: TestPlayer): SeenAvatar {
    return this.avatars.find(({ number }) => number === other.own.number)!;
  }

  /** Looks at the other as it is shown here, and says so. */
  aimAt(other: TestPlayer): void {
    const seen = this.avatarOf(other);
    const { x, y } = this.own.shown;
    this.wish = {
      ...this.wish,
      heading: Math.atan2(seen.shown.y - y, seen.shown.x - x),
      ...this.sights.claimOn(seen),
    };
  }
}

/** Joins players and waits until everybody sees everybody. */
export function joinAll(arena: Arena, ...names: string[]): TestPlayer[] {
  const players = names.map((name) => new TestPlayer(arena, name));
  arena.lab.until(() => players.every((player) => player.avatars.length === names.length && player.own !== undefined));
  return players;
}
