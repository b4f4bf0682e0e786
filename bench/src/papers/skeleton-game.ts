/**
 * The game skeleton of V §5.2: automatic clients move small circles in straight lines over the map and change direction now and then. The
 * whole path is real: each client writes its own circle (V §3.2: activities run once a round message has been merged), server and
 * clients speak the protocol over links in memory, with acks; bytes are counted as they enter a link.
 *
 * An object is 200 bytes: 50 numbers of 32 bits, the position among them. The paper sends objects whole. Here an update carries what
 * changed, so `whole` lets the game change the other 48 numbers with every step, and `changed` lets them rest.
 */

import type { Entity, ViewSettings, World } from "@nearfield/core";
import type { ConsistencyModel, ModelOptions } from "@nearfield/core/internal";
import { Dice, Lab, type LabClient } from "@nearfield/netlab";
import { bytes, float32, object, Protocol } from "@nearfield/schema";

export const SIDE = 1000;
/** V §5.2: "rounds are issued every 100 milliseconds". */
const ROUND_MS = 100;
/** Not in the paper: 20 units a second, and a new direction every five seconds or so. */
const STEP = 2;
const TURN = 0.02;
const LATENCY_MS = 20;
/** Twice a round, so that an ack is back before the next one. */
const FRAME_MS = 50;
/** Circles move once a round, also in rounds in which their player is sent nothing. */
const FRAMES_PER_ROUND = ROUND_MS / FRAME_MS;
const OTHER_BYTES = 48 * 4;
/** A crowd at the door would be turned away. */
const JOINS_PER_ROUND = 100;

export interface GameOptions {
  readonly players: number;
  readonly seed: number;
  readonly payload: "whole" | "changed";
  readonly view: ViewSettings;
  /** Default: the engine. */
  readonly model?: (world: World, options: ModelOptions) => ConsistencyModel;
  readonly warmUpS: number;
  readonly countedS: number;
}

export interface Usage {
  /** Bytes per client and second, link framing not counted. */
  readonly down: number;
  readonly up: number;
  /** Pairs over their bound as decided, among those the auditor examined. */
  readonly overBound: number;
}

const Circle = object(
  "circle",
  { x: float32(), y: float32(), others: bytes(OTHER_BYTES) },
  { position: ["x", "y"], write: "owner" },
);
const protocol = new Protocol({ objects: [Circle] });

export function play({ players, seed, payload, view, model, warmUpS, countedS }: GameOptions): Usage {
  const dice = new Dice(`skeleton game ${seed}`);
  let counting = false;
  const counted = { up: 0, down: 0 };
  const lab = new Lab({
    protocol,
    view,
    roundMs: ROUND_MS,
    frameMs: FRAME_MS,
    seed,
    ...(model !== undefined && { model }),
    onPacket: ({ direction, bytes: packet }) => {
      if (counting) counted[direction] += packet.length;
    },
  });
  const places = dice.fork("places");
  lab.server.onJoin((player) => {
    const start = { x: places.range(0, SIDE), y: places.range(0, SIDE), others: new Uint8Array(OTHER_BYTES) };
    player.pivotOn(lab.world.spawn(Circle, start, { owner: player.id }));
  });
  const walkers: Walker[] = [];
  while (walkers.length < players) {
    const joined = lab.join(`player ${walkers.length + 1}`, { latencyMs: LATENCY_MS });
    walkers.push(new Walker(joined, dice.fork(walkers.length), payload === "whole"));
    if (walkers.length % JOINS_PER_ROUND === 0) lab.step();
  }
  lab.until(() => walkers.every(({ isWalking }) => isWalking));
  lab.run(warmUpS * 1000);
  counting = true;
  lab.run(countedS * 1000);
  const perClientSecond = (sum: number): number => sum / players / countedS;
  return {
    down: perClientSecond(counted.down),
    up: perClientSecond(counted.up),
    overBound: lab.server.main.audit.decided + lab.server.main.audit.faults,
  };
}

/** One automatic client. */
class Walker {
  readonly #dice: Dice;
  readonly #changesAll: boolean;
  #circle: Entity<typeof Circle.shape> | undefined;
  #frames = 0;
  #stepX = 0;
  #stepY = 0;

  constructor({ client }: LabClient, dice: Dice, changesAll: boolean) {
    this.#dice = dice;
    this.#changesAll = changesAll;
    this.#turn();
    client.activity((world) => {
      this.#frames++;
      if (this.#frames % FRAMES_PER_ROUND !== 0) return;
      this.#circle ??= world.where(Circle, (circle) => world.isMine(circle)).next().value;
      if (this.#circle !== undefined) this.#move(this.#circle);
    });
  }

  get isWalking(): boolean {
    return this.#circle !== undefined;
  }

  #move(circle: Entity<typeof Circle.shape>): void {
    const { x, y } = circle;
    if (this.#dice.chance(TURN)) this.#turn();
    while (!isInside(x + this.#stepX) || !isInside(y + this.#stepY)) this.#turn();
    circle.x = x + this.#stepX;
    circle.y = y + this.#stepY;
    if (this.#changesAll) circle.others = new Uint8Array(OTHER_BYTES).fill(this.#frames);
  }

  #turn(): void {
    for (;;) {
      const dx = this.#dice.range(-1, 1);
      const dy = this.#dice.range(-1, 1);
      const length = Math.sqrt(dx * dx + dy * dy);
      if (length < 0.01 || length > 1) continue;
      this.#stepX = (dx / length) * STEP;
      this.#stepY = (dy / length) * STEP;
      return;
    }
  }
}

function isInside(coordinate: number): boolean {
  return coordinate >= 0 && coordinate <= SIDE;
}
