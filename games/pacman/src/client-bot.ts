/**
 * A bot that is a real client: it knows only what its replica shows, and presses keys as a page does. No client is told how long fright, power and safety
 * still last; like a person, the bot sees it from their blinking.
 */

import type { Client, Replicated } from "@nearfield/client";
import type { SeenGhost, SeenPac, Sight } from "./choose-way.ts";
import { unpackRoom } from "./dots.ts";
import { type Maze, ROOMS, roomAt, roomIndex, SIDE } from "./maze.ts";
import { Mind, type Self } from "./mind.ts";
import { Again, Died, GhostObject, MatchObject, PacObject, RoomObject, Turn } from "./shared.ts";
import { BLINK_MS, type Ghost, type Heading, type Life, SAFE_MS, ticks } from "./state.ts";

export interface ClientBotOptions {
  /** The maze of a seed. Make each once for a process: bots share it. */
  readonly mazeOf: (seed: number) => Maze;
  /** The same seed plays alike, as far as the world does. */
  readonly seed: number;
}

type PacReplica = Replicated<typeof PacObject.shape>;
type GhostReplica = Replicated<typeof GhostObject.shape>;

export class ClientBot {
  /** Since it joined. */
  deaths = 0;
  readonly #client: Client;
  readonly #mazeOf: ClientBotOptions["mazeOf"];
  readonly #mind: Mind;
  readonly #rooms = new Map<number, Replicated<typeof RoomObject.shape>>();
  readonly #dots: Uint8Array = new Uint8Array(SIDE * SIDE);

  /** Call it before the client's first update. */
  constructor(client: Client, { mazeOf, seed }: ClientBotOptions) {
    this.#client = client;
    this.#mazeOf = mazeOf;
    this.#mind = new Mind(seed, "client");
    client.onSpawn(RoomObject, (room) => this.#rooms.set(roomAt(room.x, room.y), room));
    client.onEvent(Died, ({ who }) => {
      if (who === this.own?.number) this.deaths += 1;
    });
    client.activity(() => this.#step());
  }

  /** Its avatar; undefined before it has one. */
  get own(): PacReplica | undefined {
    return this.#client.mine(PacObject);
  }

  #step(): void {
    const { own } = this;
    const [match] = this.#client.world.all(MatchObject);
    const { timeMs } = this.#client.clock;
    // The last update of a client runs its activities too: it has left by then.
    if (this.#client.state !== "active") return;
    if (own === undefined || match === undefined || !Number.isFinite(timeMs)) return;
    const tick = ticks(timeMs);
    const sight: Sight = {
      maze: this.#mazeOf(match.seed),
      dots: this.#dots,
      tick,
      ghosts: () => this.#ghosts(tick),
      rivals: () => this.#rivals(own, tick),
    };
    this.#readDots(own);
    const key = this.#mind.act(sight, selfOf(own, tick));
    if (key === "again") this.#client.send(Again, {});
    // Who stands presses again: after a birth nobody moves until a key is pressed, whatever it says that it wants.
    else if (key !== undefined && (key !== own.want || !own.moving)) this.#client.send(Turn, { want: key });
  }

  /** Those of the rooms around it: it looks no farther. */
  #readDots({ x, y }: PacReplica): void {
    const [column, row] = [roomIndex(x), roomIndex(y)];
    for (let atRow = Math.max(0, row - 1); atRow <= Math.min(ROOMS - 1, row + 1); atRow++) {
      for (let atColumn = Math.max(0, column - 1); atColumn <= Math.min(ROOMS - 1, column + 1); atColumn++) {
        const room = atRow * ROOMS + atColumn;
        const dots = this.#rooms.get(room);
        if (dots !== undefined) unpackRoom(dots, room, this.#dots);
      }
    }
  }

  *#ghosts(tick: number): Iterable<SeenGhost> {
    for (const ghost of this.#client.world.all(GhostObject)) yield { x: ghost.x, y: ghost.y, ...fearOf(ghost, tick) };
  }

  *#rivals(own: PacReplica, tick: number): Iterable<SeenPac> {
    for (const pac of this.#client.world.all(PacObject)) {
      if (pac !== own && lifeOf(pac) === "playing" && pac.condition !== "resting") yield selfOf(pac, tick);
    }
  }
}

const MOODS: Readonly<Record<GhostReplica["mood"], Ghost["mood"]>> = {
  pen: "waiting",
  calm: "roaming",
  frightened: "frightened",
  blinking: "frightened",
  eyes: "eyes",
};

/** What does not blink yet will last at least as long as blinking takes; what blinks, half of that. */
function leftOf(state: "steady" | "blinking"): number {
  return ticks(state === "steady" ? BLINK_MS : BLINK_MS / 2);
}

function fearOf({ mood }: GhostReplica, tick: number): Pick<SeenGhost, "mood" | "until"> {
  return { mood: MOODS[mood], until: tick + leftOf(mood === "blinking" ? "blinking" : "steady") };
}

function lifeOf({ condition }: PacReplica): Life {
  return condition === "out" || condition === "dying" ? condition : "playing";
}

function selfOf(pac: PacReplica, tick: number): Self {
  const { x, y, moving, condition } = pac;
  const hasPower = condition === "powered" || condition === "fading";
  return {
    x,
    y,
    moving,
    heading: pac.heading as Heading,
    life: lifeOf(pac),
    powerUntil: hasPower ? tick + leftOf(condition === "fading" ? "blinking" : "steady") : 0,
    safeUntil: condition === "safe" ? tick + ticks(SAFE_MS / 2) : 0,
  };
}
