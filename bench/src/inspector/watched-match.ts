/**
 * A match of 48 in a walled-in field, with items to fetch and shots in flight: what the inspector's overhead is measured on. Two of them with
 * one seed play alike; one is watched. Time is virtual, one round is 33 ms, and clients answer every frame.
 */

import { Client } from "@nearfield/client";
import type { ViewSettings } from "@nearfield/core";
import { Dice } from "@nearfield/netlab";
import { angle, object, Protocol, quantized, uint } from "@nearfield/schema";
import { type Player, Server } from "@nearfield/server";
import { ImmediatePipe, MemoryListener } from "@nearfield/transport/internal";

export const ROUND_MS = 33;
const SIZE = 1000;
const SPEED = 60;
const ITEMS = 60;
const SHOTS = 12;

const place = quantized(0, SIZE, 0.1);
const speed = quantized(-400, 400, 0.5);
const Avatar = object(
  "avatar",
  { x: place, y: place, vx: speed, vy: speed, heading: angle(8), health: uint(7) },
  { position: ["x", "y"], velocity: ["vx", "vy"], orientation: "heading" },
);
const Shot = object(
  "shot",
  { x: place, y: place, vx: speed, vy: speed },
  { position: ["x", "y"], velocity: ["vx", "vy"] },
);
const Item = object("item", { x: place, y: place, kind: uint(3) }, { position: ["x", "y"] });
const protocol = new Protocol({ objects: [Avatar, Shot, Item] });

/** Near and far, in front and behind, judged by what the player sees. */
const VIEW: ViewSettings = {
  sets: [
    {
      match: "everything",
      radii: [80, 200, 400],
      sectors: [100],
      metric: "predicted",
      bounds: [
        [{ time: 0 }, { time: 66, value: 0.5 }],
        [
          { time: 200, value: 1 },
          { time: 400, value: 4 },
        ],
        [
          { time: 500, value: 4 },
          { time: 1000, value: 12 },
        ],
        [
          { time: 1500, value: 12 },
          { time: 3000, value: 40 },
        ],
      ],
    },
  ],
  pivots: [],
};

export class WatchedMatch {
  readonly server: Server;
  /** Ms of virtual time. */
  nowMs = 0;
  readonly #clients: Client[];
  readonly #pipes: ImmediatePipe[] = [];
  readonly #dice: Dice;

  constructor(players: number, seed: number) {
    this.#dice = new Dice(seed);
    const tokens = this.#dice.fork("tokens");
    this.server = new Server({
      protocol,
      view: VIEW,
      roundMs: ROUND_MS,
      now: () => this.nowMs,
      tokenSource: () => Uint8Array.from({ length: 16 }, () => tokens.int(256)),
    });
    const listener = new MemoryListener();
    this.server.listen(listener);
    this.server.onJoin((player) => this.#enter(player));
    this.server.onRound(() => this.#step());
    const { world } = this.server;
    for (let i = 0; i < ITEMS; i++) world.spawn(Item, this.#anywhere());
    for (let i = 0; i < SHOTS; i++) this.#shoot();
    this.#clients = Array.from({ length: players }, (_, index) => {
      const random = this.#dice.fork(`client ${index}`);
      return new Client({
        protocol,
        nickname: `bot-${index}`,
        connect: () => {
          const pipes = [new ImmediatePipe(), new ImmediatePipe()] as const;
          this.#pipes.push(...pipes);
          return listener.connect({ pipes });
        },
        now: () => this.nowMs,
        random: () => random.next(),
      });
    });
  }

  /** What a round asks of clients: to read their frames and to answer. */
  answer(): void {
    this.nowMs += ROUND_MS;
    for (const pipe of this.#pipes) pipe.flush();
    for (const client of this.#clients) client.update();
    for (const pipe of this.#pipes) pipe.flush();
  }

  #anywhere(): { x: number; y: number } {
    return { x: this.#dice.range(0, SIZE), y: this.#dice.range(0, SIZE) };
  }

  #enter(player: Player): void {
    const avatar = this.server.world.spawn(Avatar, { ...this.#anywhere(), health: 100 }, { owner: player.id });
    player.pivotOn(avatar);
  }

  #shoot(): void {
    const heading = this.#dice.range(-Math.PI, Math.PI);
    const velocity = { vx: 300 * Math.cos(heading), vy: 300 * Math.sin(heading) };
    this.server.world.spawn(Shot, { ...this.#anywhere(), ...velocity });
  }

  /** Avatars walk and turn now and then; a shot that leaves the field is fired anew. */
  #step(): void {
    const { world } = this.server;
    const dt = ROUND_MS / 1000;
    for (const avatar of world.all(Avatar)) {
      if (this.#dice.next() < 0.05) avatar.heading += this.#dice.range(-1.5, 1.5);
      avatar.vx = SPEED * Math.cos(avatar.heading);
      avatar.vy = SPEED * Math.sin(avatar.heading);
      const [x, y] = [avatar.x + avatar.vx * dt, avatar.y + avatar.vy * dt];
      if (x < 0 || x > SIZE || y < 0 || y > SIZE) avatar.heading += Math.PI;
      else {
        avatar.x = x;
        avatar.y = y;
      }
    }
    for (const shot of [...world.all(Shot)]) {
      shot.x += shot.vx * dt;
      shot.y += shot.vy * dt;
      if (shot.x > 0 && shot.x < SIZE && shot.y > 0 && shot.y < SIZE) continue;
      world.destroy(shot);
      this.#shoot();
    }
  }
}
