/**
 * What players send. A player who does nothing sends next to nothing; one who runs or fights sends what steers the avatar. Wire bytes count all
 * headers. `UPWARD=1` prints the figures.
 */

import { describe, expect, it } from "vitest";
import { Atlas, type AvatarState, Bot, IDLE, stepOn } from "../src/index.ts";
import type { Spot } from "../src/state.ts";
import { foundry, setUp, TestPlayer } from "./arena-lab.ts";
import { botArena, terrainOf } from "./bot-lab.ts";

const LATENCY_MS = 40;
const SECONDS = 10;
const FRAME_MS = 16;

interface Upward {
  readonly messages: number;
  readonly wireBytes: number;
  readonly commands: number;
}

type Client = TestPlayer["lab"]["client"];

/** Per second, of what leaves the client while `run` lasts `SECONDS`. */
function upward(client: Client, commands: () => number, run: () => void): Upward {
  const count = (): readonly number[] => {
    const { reliable, sequenced, unsequenced } = client.traffic!;
    const all = [reliable, sequenced, unsequenced];
    return [
      all.reduce((sum, { messagesOut }) => sum + messagesOut, 0),
      all.reduce((sum, { wireBytesOut }) => sum + wireBytesOut, 0),
      commands(),
    ];
  };
  const before = count();
  run();
  const [messages, wireBytes, steps] = count().map((after, i) => (after - before[i]!) / SECONDS) as [
    number,
    number,
    number,
  ];
  return { messages, wireBytes, commands: steps };
}

function tell(who: string, { messages, wireBytes, commands }: Upward): void {
  if (process.env["UPWARD"] !== undefined)
    console.log(
      `${who}: ${messages.toFixed(1)} messages, ${wireBytes.toFixed(0)} wire bytes, ${commands.toFixed(1)} steps a second`,
    );
}

/** A place from which an avatar can run 1.3 s to either side. */
function openSpot(): Spot {
  const run = stepOn(() => foundry);
  const way = (spot: Spot, moveX: number): number => {
    const avatar = { ...spot, vx: 0, vy: 0, condition: "alive" } as AvatarState;
    for (let at = 0; at < 80; at++) run(avatar, { ...IDLE, moveX }, 16);
    return Math.abs(avatar.x - spot.x);
  };
  const ways = foundry.spawns.map((spot) => Math.min(way(spot, 127), way(spot, -127)));
  return foundry.spawns[ways.indexOf(Math.max(...ways))]!;
}

function play(wish: TestPlayer["wish"], lossShare: number, frameMs: number): Upward {
  const arena = setUp({ spawns: [openSpot()] }, { frameMs });
  const ann = new TestPlayer(arena, "ann", { latencyMs: LATENCY_MS, loss: lossShare });
  arena.lab.until(() => ann.own !== undefined);
  arena.lab.run(3000);
  ann.wish = wish;
  arena.lab.run(1000);
  return upward(
    ann.lab.client,
    () => arena.lab.server.main.telemetry.commands,
    () => {
      // Runs to and fro, or a wall would stop it.
      for (let second = 0; second < SECONDS; second++) {
        ann.wish = { ...ann.wish, moveX: -(ann.wish.moveX ?? 0) };
        arena.lab.run(1000);
      }
    },
  );
}

describe.each([0, 0.05])("with a loss of %d", (lossShare) => {
  it("a player who does nothing sends two messages a second", () => {
    const idle = play({}, lossShare, FRAME_MS);
    tell(`idle, loss ${lossShare}`, idle);
    expect(idle.messages).toBeLessThan(4);
  });

  it("a player who runs sends at most two messages a round", () => {
    const running = play({ moveX: 127, heading: 1 }, lossShare, FRAME_MS);
    tell(`running, loss ${lossShare}`, running);
    expect(running.messages).toBeLessThan(45);
  });
});

it("a player who fights sends at most a message a frame, an ack and a ping", () => {
  const { lab, bots } = botArena("foundry", 6);
  expect(bots).toHaveLength(6);
  const { client } = lab.join("ann", { latencyMs: LATENCY_MS });
  const bot = new Bot(client, { atlas: new Atlas(terrainOf), seed: 7 });
  lab.until(() => bot.own !== undefined);
  lab.run(3000);
  const fighting = upward(
    client,
    () => lab.server.main.telemetry.commands / 7,
    () => lab.run(SECONDS * 1000),
  );
  tell("fighting bot (frames of 33 ms)", fighting);
  expect(fighting.messages).toBeLessThan(35);
});
