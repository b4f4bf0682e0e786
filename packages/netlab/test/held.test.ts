/**
 * A player who does nothing sends nothing but a word a second. The server repeats the held command. Whatever happens to the object meanwhile, and
 * whatever the player does next, is as if every command had been sent.
 */

import { predict } from "@nearfield/client";
import { type Entity, type ViewSettings, zones } from "@nearfield/core";
import { decodeFromClient } from "@nearfield/protocol/internal";
import { bool, command, int, object, Protocol, quantized, uint, type Values } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { Lab } from "../src/index.ts";
import type { PathConditions } from "../src/internal/index.ts";
import { ROUGH } from "./conditions.ts";
import { seeds } from "./seeds.ts";

const ROUND_MS = 50;
const SIZE = 4000;
const Ball = object(
  "ball",
  { x: quantized(0, SIZE, 0.01), y: quantized(0, SIZE, 0.01), vx: quantized(-2, 2, 0.001), shots: uint(16) },
  { position: ["x", "y"] },
);
const Act = command("act", { go: int(2), fires: bool() });
const protocol = new Protocol({ objects: [Ball], commands: [Act] });
type Acting = Values<typeof Act.shape>;

/** A player walks at once and stands at once; what pushes the ball lets it roll on until friction stops it. */
function roll(ball: Values<typeof Ball.shape>, { go }: Acting, dtMs: number): void {
  const slower = 0.0005 * dtMs;
  ball.vx = Math.abs(ball.vx) <= slower ? 0 : ball.vx - Math.sign(ball.vx) * slower;
  ball.x = Math.min(SIZE, Math.max(0, ball.x + (ball.vx + go * 0.2) * dtMs));
}

const view: ViewSettings = zones(Ball, { radii: [5000], bounds: [{ time: 0, value: 0 }, {}] });
const STILL: Acting = { go: 0, fires: false };

function play(seed: number, conditions: PathConditions, inOrder = false) {
  let commands = 0;
  let held = 0;
  let steppedMs = 0;
  const lab = new Lab({
    protocol,
    view,
    roundMs: ROUND_MS,
    seed,
    onPacket: ({ direction, channel, bytes }) => {
      if (direction !== "up") return;
      const { message } = decodeFromClient(bytes, channel, protocol);
      if (message.kind !== "commands") return;
      commands += 1;
      if (message.list.at(-1)!.isHeld === true) held += 1;
    },
  });
  lab.server.steps(Ball, Act, (ball, acting, dtMs) => {
    steppedMs += dtMs;
    roll(ball, acting, dtMs);
  });
  lab.server.onStep(Ball, Act, (_, ball, { fires }) => {
    if (fires) ball.shots += 1;
  });
  lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ball, { x: 2000, y: 2000 }, { owner: player.id })));
  const ann = lab.join("ann", conditions, { inOrder });
  lab.until(() => ann.world.count > 0);
  lab.run(2000);
  const own = ann.client.mine(Ball)!;
  const ball = lab.world.get(Ball, own.id) as Entity<typeof Ball.shape>;
  const me = predict(ann.client, own, Act, roll);
  const act = (ms: number, how: Acting, look?: () => void): void => {
    for (let frame = 0; frame * 16 < ms; frame++) {
      me.command(how);
      lab.run(16);
      look?.();
    }
  };
  const sent = (): { commands: number; held: number } => ({ commands, held });
  const stepped = (): number => steppedMs;
  const [player] = lab.server.main.players.values();
  return { lab, ann, own, ball, me, act, sent, stepped, player: player! };
}

describe.each([false, true])("over a link that keeps order: %s", (inOrder) => {
  it("a player who does nothing says so once a second", () => {
    const { act, sent, lab } = play(1, { latencyMs: 40 }, inOrder);
    act(2000, STILL);
    const before = sent();
    const steps = lab.server.main.telemetry.commands;
    act(10_000, STILL);
    expect(sent().commands - before.commands).toBeLessThanOrEqual(10);
    expect(sent().held - before.held).toBe(sent().commands - before.commands);
    // The server steps on, a round at a time.
    expect(lab.server.main.telemetry.commands - steps).toBeGreaterThan(195);
  });

  it("a key that is pressed acts as early as ever", () => {
    const { act, lab, ball, me } = play(1, { latencyMs: 40 }, inOrder);
    act(3000, STILL);
    const x = me.state.x;
    me.command({ go: 1, fires: false });
    expect(me.state.x).toBeCloseTo(x + 0.2 * 16, 6);
    lab.run(40 + 2 * ROUND_MS);
    expect(ball.x).toBeCloseTo(me.state.x, 2);
  });

  it("a trigger that is held goes on", () => {
    const { act, ball } = play(1, { latencyMs: 40 }, inOrder);
    act(500, { go: 0, fires: true });
    const before = ball.shots;
    act(5000, { go: 0, fires: true });
    expect(ball.shots - before).toBeGreaterThan(95);
  });

  it("and it ends two seconds after the client's last word, or with its link", () => {
    const { act, lab, ball, ann } = play(1, { latencyMs: 40 }, inOrder);
    act(1000, { go: 0, fires: true });
    lab.run(2500);
    const ended = ball.shots;
    lab.run(3000);
    expect(ball.shots).toBe(ended);
    expect(ann.client.state).toBe("active");
  });
});

describe.each(seeds(8301, 6))("seed %i", (seed) => {
  it("a ball that is pushed while its player does nothing rolls at once, and both sides see it roll to the same place", () => {
    const { act, lab, ball, me } = play(seed, { latencyMs: 50 });
    act(3000, STILL);
    ball.vx = 0.3;
    const at = lab.clock.nowMs;
    const x = ball.x;
    let shownMs = Number.POSITIVE_INFINITY;
    act(500, STILL, () => {
      if (me.state.vx !== 0 && shownMs === Number.POSITIVE_INFINITY) shownMs = lab.clock.nowMs - at;
    });
    expect(shownMs).toBeLessThanOrEqual(100 + 2 * ROUND_MS + 16);
    expect(ball.x).toBeGreaterThan(x + 50);
    act(2500, STILL);
    expect(ball.vx).toBe(0);
    expect(Math.abs(me.state.x - ball.x)).toBeLessThan(0.02);
    expect(Math.abs(ball.x - x - (0.3 * 0.3) / (2 * 0.0005))).toBeLessThan(10);
    expect(lab.server.main.audit.faults).toBe(0);
  });

  it("on a bad link, with pushes, pauses and walks, both sides come to the same place", () => {
    const { act, lab, ball, me, ann, own, player } = play(seed, ROUGH);
    const dice = lab.dice.fork("player");
    for (let turn = 0; turn < 12; turn++) {
      const how = { go: dice.chance(0.5) ? dice.int(3) - 1 : 0, fires: dice.chance(0.3) };
      act(dice.range(50, 2500), how);
      if (dice.chance(0.4)) ball.vx = dice.range(-0.3, 0.3);
    }
    act(6000, STILL);
    expect(ann.client.state).toBe("active");
    expect([me.state.vx, me.state.shots, own.shots]).toEqual([ball.vx, ball.shots, ball.shots]);
    expect(Math.abs(me.state.x - ball.x)).toBeLessThan(0.02);
    expect(Math.abs(own.x - ball.x)).toBeLessThan(0.02);
    expect(lab.server.main.audit.faults).toBe(0);
    expect(player.presence).toBe("here");
  });

  it("a client cannot gain time by it: its steps never last longer than the time that passed", () => {
    const { act, lab, stepped } = play(seed, { latencyMs: 50 });
    const dice = lab.dice.fork("player");
    const from = lab.clock.nowMs;
    for (let turn = 0; turn < 40; turn++) act(dice.range(16, 600), { go: dice.int(3) - 1, fires: false });
    const passed = lab.clock.nowMs - from;
    expect(stepped()).toBeLessThanOrEqual(passed + 2 * ROUND_MS);
    expect(stepped()).toBeGreaterThan(0.8 * passed);
  });
});
