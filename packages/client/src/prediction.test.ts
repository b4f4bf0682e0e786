/** One predicted object, fed by hand: with commands, with the server's states, and with states that come seldom. */

import { World } from "@nearfield/core";
import { angle, command, int, list, object, Protocol, quantized, uint, type Values } from "@nearfield/schema";
import type { StepFunction } from "@nearfield/simulation";
import { describe, expect, it } from "vitest";
import { Prediction, type PredictionHost, type PredictOptions } from "./prediction.ts";

const Ship = object(
  "ship",
  { x: quantized(0, 1000, 0.01), y: quantized(0, 1000, 0.01), heading: angle(10), trail: list(uint(8), 4) },
  { position: ["x", "y"], orientation: "heading" },
);
const Go = command("go", { speed: int(8), turn: quantized(-1, 1, 0.5) });
const protocol = new Protocol({ objects: [Ship], commands: [Go] });

const go: StepFunction<typeof Ship.shape, typeof Go.shape> = (ship, { speed, turn }, dtMs) => {
  ship.x += (speed * dtMs) / 100;
  ship.heading += turn;
  ship.trail = [...ship.trail.slice(-3), speed & 0xff];
};

/** A client of which everything can be seen: its clock, and what it was given to send. */
class Hand implements PredictionHost {
  timeMs = 1000;
  isFull = false;
  isForeign = false;
  readonly pushed: { values: Values<typeof Go.shape>; stepMs: number; isNews: boolean }[] = [];
  picture: Float64Array | undefined;
  mirrored: Readonly<Record<string, unknown>> | undefined;

  isMine(): boolean {
    return !this.isForeign;
  }

  hasRoom(): boolean {
    return !this.isFull;
  }

  push(...[, , values, stepMs, isNews]: Parameters<PredictionHost["push"]>): number {
    this.pushed.push({ values: values as Values<typeof Go.shape>, stepMs, isNews });
    return this.pushed.length;
  }

  draw(_: unknown, picture: Float64Array | undefined): void {
    this.picture = picture;
  }

  mirror(_: unknown, state: Readonly<Record<string, unknown>>): void {
    this.mirrored = { ...state };
  }

  end(): void {}
}

function begin(options: PredictOptions = {}) {
  const world = new World({ protocol });
  const ship = world.spawn(Ship, { x: 100, y: 100 });
  const hand = new Hand();
  const me = new Prediction(hand, ship as never, 0, Go, go as never, options) as unknown as Prediction<
    typeof Ship.shape,
    typeof Go.shape
  >;
  const frame = (speed: number, turn = 0, ms = 16): boolean => {
    hand.timeMs += ms;
    return me.command({ speed, turn });
  };
  return { world, ship, hand, me, frame };
}

describe("commands", () => {
  it("act at once, for the time since the last one", () => {
    const { me, frame, hand } = begin();
    frame(100);
    expect(me.shown.x).toBe(116);
    frame(100, 0, 30);
    expect(me.shown.x).toBe(146);
    expect(hand.pushed.map(({ stepMs }) => stepMs)).toEqual([16, 30]);
    expect(Array.from(hand.picture!.subarray(0, 2))).toEqual([146, 100]);
  });

  it("last whole milliseconds, and the rest is not lost", () => {
    const { frame, hand } = begin();
    for (let i = 0; i < 60; i++) frame(1, 0, 1000 / 60);
    const lasted = hand.pushed.reduce((sum, { stepMs }) => sum + stepMs, 0);
    expect(lasted).toBeGreaterThan(996);
    expect(lasted).toBeLessThan(1001);
  });

  it("are put together where frames are shorter than 4 ms, and cut after a long pause", () => {
    const { frame, hand } = begin();
    frame(1);
    expect([1, 1, 1, 1, 1].map((ms) => frame(1, 0, ms))).toEqual([false, false, false, true, false]);
    frame(1, 0, 60_000);
    expect(hand.pushed.map(({ stepMs }) => stepMs)).toEqual([16, 4, 250]);
  });

  it("act as the wire has them", () => {
    const { me, frame, hand } = begin();
    frame(0, 0.3);
    expect(hand.pushed[0]!.values.turn).toBe(0.5);
    expect(me.state.heading).toBe(0.5);
  });

  it("are news when they differ from the one before", () => {
    const { frame, hand } = begin();
    for (const speed of [1, 1, 2, 2, 1]) frame(speed);
    expect(hand.pushed.map(({ isNews }) => isNews)).toEqual([true, false, true, false, true]);
  });

  it("do not count where there is no room for them, and the time is gone", () => {
    const { me, frame, hand } = begin();
    hand.isFull = true;
    expect(frame(100, 0, 200)).toBe(false);
    expect(me.shown.x).toBe(100);
    hand.isFull = false;
    frame(100, 0, 16);
    expect(me.shown.x).toBe(116);
  });

  it("throw where the game steps a field out of its range, as on the server", () => {
    const { world, ship, hand } = begin();
    const wild = new Prediction(hand, ship as never, 0, Go, (state) => Object.assign(state, { x: "far" }), {});
    expect(() => wild.command({ speed: 1, turn: 0 })).toThrow(/ship\.x/);
    expect(world.get(ship.id)).toBeDefined();
  });
});

describe("the server's word", () => {
  it("is where the later commands begin again", () => {
    const { me, frame, ship } = begin({ correctionMs: 0 });
    for (let i = 0; i < 10; i++) frame(100);
    expect(me.state.x).toBe(260);
    ship.x = 150;
    me.confirm(7, 4);
    expect([me.state.x, me.pending]).toEqual([150 + 6 * 16, 6]);
  });

  it("changes nothing where it says what was foreseen", () => {
    const { me, frame, ship } = begin();
    for (let i = 0; i < 10; i++) frame(100);
    ship.x = 100 + 4 * 16;
    me.confirm(7, 4);
    expect([me.state.x, me.shown.x, me.correction]).toEqual([260, 260, 0]);
  });

  it("counts once: what later frames say of other commands leaves the base alone", () => {
    const { me, frame, ship } = begin({ correctionMs: 0 });
    for (let i = 0; i < 10; i++) frame(100);
    ship.x = 150;
    me.confirm(7, 4);
    // The same state, from a later packet of the same round.
    me.confirm(7, 9);
    expect([me.state.x, me.pending]).toEqual([246, 6]);
  });

  it("may come seldom: commands that the server has run are not kept for ever", () => {
    const { me, frame, ship, hand } = begin({ correctionMs: 0 });
    for (let i = 1; i <= 3000; i++) {
      frame(0);
      me.advance(i - 10);
    }
    expect([me.state.x, me.pending, hand.mirrored!["x"]]).toEqual([100, 10, 100]);
    ship.x = 300;
    me.confirm(9, 2000);
    // Two seconds of commands that the server has run were left, 16 ms each, and the ten that it has not.
    expect([me.state.x, me.pending]).toEqual([300, 135]);
    me.advance(2990);
    expect(me.pending).toBe(10);
  });

  it("may be late: what was run since then is run again", () => {
    const { me, frame, ship, hand } = begin({ correctionMs: 0 });
    for (let i = 0; i < 10; i++) frame(100);
    me.advance(8);
    expect([me.pending, hand.mirrored!["x"]]).toEqual([2, 228]);
    ship.x = 500;
    me.confirm(5, 3);
    me.advance(3);
    expect([me.state.x, me.pending, hand.mirrored!["x"]]).toEqual([500 + 7 * 16, 2, 500 + 5 * 16]);
  });

  it("is faded into, for position and orientation alike", () => {
    const { me, hand, ship, frame } = begin({ correctionMs: 90 });
    frame(0);
    ship.x = 130;
    ship.heading = 2 * Math.PI - 0.5;
    me.confirm(3, 1);
    expect([me.shown.x, me.correction]).toEqual([100, 30]);
    hand.timeMs += 30;
    expect(me.shown.x).toBeCloseTo(130 - 30 / Math.E, 6);
    expect(Math.sin(me.shown.heading)).toBeCloseTo(-Math.sin(0.5 - 0.5 / Math.E), 6);
    hand.timeMs += 500;
    expect(me.shown.x).toBe(130);
  });

  it("corrections that come while one fades add up without a jump", () => {
    const { me, hand, ship } = begin({ correctionMs: 90 });
    ship.x = 130;
    me.confirm(3, 0);
    hand.timeMs += 20;
    const before = me.shown.x;
    ship.x = 90;
    me.confirm(4, 0);
    expect(me.shown.x).toBeCloseTo(before, 9);
  });

  it("does not share lists with what was told before", () => {
    const { me, frame, ship } = begin();
    frame(7);
    expect([me.state.trail, ship.trail]).toEqual([[7], []]);
  });
});

describe("the end", () => {
  it("leaves the picture to the presentation again", () => {
    const { me, hand, frame } = begin();
    frame(1);
    me.end();
    expect([hand.picture, me.isActive, frame(1)]).toEqual([undefined, false, false]);
  });

  it("comes when the object is given away", () => {
    const { me, hand, frame } = begin();
    frame(1);
    hand.isForeign = true;
    expect(frame(1)).toBe(false);
    me.refresh();
    expect([hand.picture, me.isActive]).toEqual([undefined, false]);
  });

  it("comes with the object's", () => {
    const { me, world, ship, hand, frame } = begin();
    frame(1);
    world.destroy(ship);
    me.refresh();
    expect([hand.picture, me.isActive]).toEqual([undefined, false]);
  });
});
