/** The log of what a client was sent: it gives pictures to the last bit, whatever arrived; and it limits what a client can claim. */

import { Presenter, type PresenterSettings, shownAt } from "@nearfield/presentation";
import { type AppliedSend, Presentation, resolvePresenterSettings } from "@nearfield/presentation/internal";
import type { ObjectId } from "@nearfield/schema";
import { objectId } from "@nearfield/schema/internal";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { PacketFates } from "./packet-fates.ts";
import { type PictureQuestion, TargetLog } from "./target-log.ts";

const ROUND_MS = 50;
const ship = objectId(3, 1);

const asked = (renderMs: number, more: Partial<PictureQuestion> = {}): PictureQuestion => ({
  renderMs,
  newestMs: Number.NaN,
  appliedMs: Number.NaN,
  momentMs: Number.NaN,
  playoutMs: renderMs - 60,
  shiftMs: 0,
  spreadMs: 10,
  slackMs: 25,
  lateMs: 30,
  earlyMs: 20,
  ageMs: 60,
  ...more,
});

/** Packets are numbered like rounds: one a round. */
class Story {
  readonly fates = new PacketFates();
  readonly log: TargetLog;
  readonly #arrived: boolean[] = [];

  constructor(presentation: PresenterSettings = { convergence: "snap" }, maxSends = 1000) {
    const keepMs = 500;
    this.log = new TargetLog({
      presentation: new Presentation(resolvePresenterSettings(presentation)),
      fates: this.fates,
      keepMs,
      maxSends,
    });
  }

  send(round: number, x: number, speed = 0, id: ObjectId = ship, push = 0): void {
    this.log.sent(id, round * ROUND_MS, round, Float64Array.of(x, 0, 0, speed, 0, 0, push, 0, 0), false);
    this.fates.sent(round, round * ROUND_MS);
  }

  /** An ack of everything up to that round: which of it arrived, and the render time of the frame in which it left. */
  ack(round: number, appliedMs: number, arrived: (round: number) => boolean = () => true): void {
    while (this.#arrived.length <= round) this.#arrived.push(arrived(this.#arrived.length));
    const runs: number[] = [];
    for (let packet = round; packet >= 0 && runs.length < 128; ) {
      const isArrived = this.#arrived[packet];
      let length = 0;
      for (; packet >= 0 && this.#arrived[packet] === isArrived; packet--) length += 1;
      runs.push(length);
    }
    this.fates.acked({ newest: round & 0xffff, runs }, appliedMs, 60);
  }

  at(question: PictureQuestion, id: ObjectId = ship): number | undefined {
    const out = new Float64Array(3);
    return this.log.picture(id, question, out) ? out[0] : undefined;
  }
}

describe("the log of sends", () => {
  let story: Story;

  beforeEach(() => {
    story = new Story();
    story.send(0, 10);
    story.send(1, 20);
    story.ack(1, 110);
    story.send(2, 30);
  });

  it("shows what acks told of, from when it took effect", () => {
    expect([story.at(asked(40)), story.at(asked(70)), story.at(asked(120)), story.at(asked(500))]).toEqual([
      undefined,
      10,
      20,
      20,
    ]);
    story.ack(2, 160);
    expect([story.at(asked(159)), story.at(asked(160))]).toEqual([20, 30]);
  });

  it("believes a client that it has what no ack has told of yet, if that can be", () => {
    expect(story.at(asked(170, { newestMs: 100 }))).toBe(30);
    expect(story.at(asked(100, { newestMs: 100 }))).toBe(20);
    expect(story.at(asked(170, { newestMs: 5000 }))).toBe(30);
  });

  it("does not believe it that it lacks what it acknowledged well before", () => {
    expect(story.at(asked(120, { newestMs: 0 }))).toBe(10);
    expect(story.at(asked(140, { newestMs: 0 }))).toBe(20);
  });

  it("leaves out what was lost, unless the client has it all the same", () => {
    story.send(3, 40);
    story.ack(3, 210, (round) => round !== 2);
    expect(story.at(asked(205))).toBe(20);
    expect(story.at(asked(205, { newestMs: 100 }))).toBe(30);
    expect(story.at(asked(210))).toBe(40);
  });

  it("takes the client's word for when something took effect only near what acks tell", () => {
    const moving = new Story({ convergence: "linear", positionMs: 100 });
    moving.send(0, 0);
    moving.send(1, 100);
    moving.ack(1, 110);
    const told = (appliedMs: number): number | undefined => moving.at(asked(150, { newestMs: 50, appliedMs }));
    expect([told(110), told(100), told(-1000), told(1000)]).toEqual([40, 50, 50, 30]);
    const shifted = moving.at(asked(130, { newestMs: 50, appliedMs: 1000, shiftMs: -20 }));
    expect(shifted).toBe(30);
  });

  it("knows that an object left, and came back", () => {
    story.log.removed(ship, 150, 3);
    story.fates.sent(3, 150);
    story.ack(3, 210);
    expect([story.at(asked(209)), story.at(asked(210))]).toEqual([30, undefined]);
    story.send(4, 70);
    story.ack(4, 260);
    expect(story.at(asked(260))).toBe(70);
  });

  it("forgets what was not sent after all, and another life of the same slot", () => {
    story.log.withheld(ship, 100);
    expect(story.at(asked(170, { newestMs: 100 }))).toBe(20);
    const next = objectId(3, 2);
    story.send(3, 99, 0, next);
    expect(story.at(asked(300))).toBeUndefined();
    story.ack(3, 210);
    expect(story.at(asked(300), next)).toBe(99);
  });

  it("keeps to its bound: a send without room ends its object's line, and the next one begins another", () => {
    const small = new Story({ convergence: "snap" }, 4);
    for (let round = 0; round < 4; round++) small.send(round, round);
    expect([small.log.size, small.log.overflows]).toEqual([4, 0]);
    small.send(4, 4);
    expect([small.log.size, small.log.overflows]).toEqual([0, 1]);
    small.send(5, 5);
    small.ack(5, 310);
    expect(small.at(asked(310))).toBe(5);
  });

  it("holds no more than falls into the time it keeps, for years", () => {
    const long = new Story();
    for (let round = 0; round < 5000; round++) {
      long.send(round, round);
      if (round % 3 === 0) long.ack(round, round * ROUND_MS + 60, (packet) => packet % 7 !== 0);
      expect(long.log.size).toBeLessThanOrEqual(500 / ROUND_MS + 5);
    }
  });

  const SETTINGS: readonly PresenterSettings[] = [
    { convergence: "snap" },
    { convergence: "linear" },
    { convergence: "curved", positionMs: 300 },
    { model: "quadratic" },
    { model: "accelerated" },
    { model: "history" },
  ];
  const sendOf = {
    x: fc.integer({ min: -500, max: 500 }),
    arrived: fc.boolean(),
    isSent: fc.boolean(),
    lateMs: fc.integer({ min: 0, max: 49 }),
  };

  it("shows what the client shows to the last bit, for what is carried on, however much was folded", () => {
    const rate = fc.integer({ min: -100, max: 100 });
    const send = fc.record({ ...sendOf, speed: rate, push: rate });
    fc.assert(
      fc.property(
        fc.array(send, { minLength: 12, maxLength: 60 }),
        fc.constantFrom(...SETTINGS),
        fc.nat(450),
        (sends, settings, backMs) => {
          const told = new Story(settings);
          const applied: AppliedSend[] = [];
          sends.forEach(({ x, speed, push, arrived, isSent, lateMs }, round) => {
            const [timeMs, appliedAtMs] = [round * ROUND_MS, round * ROUND_MS + 100 + lateMs];
            if (isSent) told.send(round, x, speed, ship, push);
            else told.fates.sent(round, timeMs);
            if (!arrived) return;
            told.ack(round, appliedAtMs, (packet) => sends[packet]!.arrived);
            if (isSent) applied.push({ timeMs, position: [x], velocity: [speed], acceleration: [push], appliedAtMs });
          });
          const renderMs = (sends.length - 1) * ROUND_MS - backMs;
          const seen = applied.some(({ appliedAtMs }) => appliedAtMs <= renderMs);
          const expected = seen ? shownAt(settings, applied, renderMs).position[0] : undefined;
          expect(told.at(asked(renderMs))).toBe(expected);
        },
      ),
    );
  });

  it("shows what is interpolated at the moment the client says, whenever its sends took effect there", () => {
    const settings = fc.constantFrom<PresenterSettings>({}, { convergence: "snap" }, { deltaMs: 120 });
    fc.assert(
      fc.property(
        fc.array(fc.record(sendOf), { minLength: 12, maxLength: 60 }),
        settings,
        fc.nat(400),
        (sends, more, laterMs) => {
          const interpolation = { model: "interpolation", ...more } as const;
          const told = new Story(interpolation);
          const client = new Presenter(interpolation);
          let newestMs = Number.NaN;
          sends.forEach(({ x, arrived, isSent, lateMs }, round) => {
            const timeMs = round * ROUND_MS;
            if (isSent) told.send(round, x);
            else told.fates.sent(round, timeMs);
            if (!arrived) return;
            told.ack(round, timeMs + 100 + lateMs, (packet) => sends[packet]!.arrived);
            if (!isSent) return;
            // By the clock that it interpolates by, a send comes about its own time.
            client.receive({ timeMs, position: [x] }, timeMs - 25 + lateMs);
            newestMs = timeMs;
          });
          if (Number.isNaN(newestMs)) return;
          const playoutMs = sends.length * ROUND_MS + laterMs;
          const momentMs = client.presentation.momentOf(client.state, 0, playoutMs);
          const renderMs = playoutMs + 150;
          const question = asked(renderMs, { newestMs, momentMs, playoutMs, lateMs: 100, earlyMs: 100 });
          expect(told.at(question)).toBeCloseTo(client.at(playoutMs).position[0]!, 6);
        },
      ),
    );
  });

  it("takes the client's word for the moment only near what its sends and its way make likely", () => {
    const late = new Story({ model: "interpolation", deltaMs: 100 });
    for (let round = 0; round <= 10; round++) {
      late.send(round, round * ROUND_MS);
      late.ack(round, round * ROUND_MS + 60);
    }
    // It moves at one unit per ms, so the picture says which moment it is: 100 ms before what the client likely had.
    const told = (momentMs: number): number | undefined =>
      late.at(asked(600, { newestMs: 500, momentMs, playoutMs: 500 }));
    expect([told(Number.NaN), told(400), told(385), told(415)]).toEqual([400, 400, 385, 415]);
    expect([told(0), told(-1e12), told(1e12), told(Number.POSITIVE_INFINITY)]).toEqual([370, 370, 420, 420]);
  });
});
