/** When a sender sends: thresholds, the sensitive region, and ahead of time. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hold } from "../hold.ts";
import { linear } from "../linear.ts";
import { FULL_MOTION_SIZE } from "../motion-model.ts";
import { MOTION_MODELS } from "../settings.ts";
import { Sender, type SenderOptions } from "./sender.ts";

function sender(options: Partial<SenderOptions> = {}): Sender {
  return new Sender({ model: linear, thresholds: { position: 1, angle: 0.1 }, ...options });
}

function motion(x: number, velocityX = 0, velocityY = 0): Float64Array {
  return Float64Array.of(x, 0, 0, velocityX, velocityY, 0);
}

test("the first update is always due", () => {
  expect(sender().reason(motion(0), 0, 0, 0)).toBe("first");
});

describe("thresholds", () => {
  test("nothing is sent while the model is right, however far the object goes", () => {
    const it = sender();
    it.sent(motion(0, 10), 0, 0, 0, 0);
    expect(it.reason(motion(100, 10), 0, 0, 10_000)).toBe("none");
    expect(it.reason(motion(100.9, 10), 0, 0, 10_000)).toBe("none");
    expect(it.reason(motion(101, 10), 0, 0, 10_000)).toBe("position");
  });

  test("under a model that holds, distance alone counts", () => {
    const it = sender({ model: hold });
    it.sent(motion(0, 10), 0, 0, 0, 0);
    expect(it.reason(motion(1, 10), 0, 0, 100)).toBe("position");
  });

  test("headings are compared the short way round, and go on turning if they were", () => {
    const it = sender();
    it.sent(motion(0), 0, 3.1, 0, 0);
    expect(it.reason(motion(0), 0, -3.15, 100)).toBe("none");
    expect(it.reason(motion(0), 0, -3.05, 100)).toBe("angle");
    it.sent(motion(0), 0, 0, 1, 0);
    expect(it.reason(motion(0), 0, 2, 2000)).toBe("none");
    const still = sender({ carriesTurn: false });
    still.sent(motion(0), 0, 0, 1, 0);
    expect(still.reason(motion(0), 0, 2, 2000)).toBe("angle");
  });

  test("in 3D pitch counts like yaw, and place like width", () => {
    const it = sender();
    it.sent(Float64Array.of(0, 0, 0, 0, 0, 5), 0, [0, 0], [0, 1], 0);
    const risen = Float64Array.of(0, 0, 5, 0, 0, 5);
    expect(it.reason(risen, 0, [0, 1], 1000)).toBe("none");
    expect(it.reason(risen, 0, [0, 1.2], 1000)).toBe("angle");
    risen[2] = 6.5;
    expect(it.reason(risen, 0, [0, 1], 1000)).toBe("position");
  });

  test("without a threshold on angles, headings never matter", () => {
    const it = sender({ thresholds: { position: 1 } });
    it.sent(motion(0), 0, 0, 0, 0);
    expect(it.reason(motion(0), 0, 3, 100)).toBe("none");
  });

  test("after the longest time it sends again", () => {
    const it = sender({ longestMs: 500 });
    it.sent(motion(0), 0, 0, 0, 0);
    expect([it.reason(motion(0), 0, 0, 499), it.reason(motion(0), 0, 0, 500)]).toEqual(["none", "time"]);
  });

  test("a threshold that is not above 0 is a mistake", () => {
    expect(() => sender({ thresholds: { position: 0 } })).toThrow(/thresholds.position is 0/);
  });
});

test("outside the sensitive region the thresholds are larger", () => {
  const it = sender({ outside: { radius: 50, position: 5, angle: 1 } });
  it.sent(motion(0), 0, 0, 0, 0);
  expect(it.reason(motion(2), 0, 0, 100, 50)).toBe("position");
  expect(it.reason(motion(2), 0, 0, 100, 51)).toBe("none");
  expect(it.reason(motion(5), 0, 0, 100, 51)).toBe("position");
});

describe("pre-reckoning", () => {
  const early = (): Sender => sender({ preReckoning: { restSpeed: 0.5 } });

  test("start, stop and sharp turn are sent before anything is off", () => {
    const it = early();
    it.sent(motion(0), 0, 0, 0, 0);
    expect(it.reason(motion(0, 0.5), 0, 0, 40)).toBe("none");
    expect(it.reason(motion(0, 1), 0, 0, 40)).toBe("start");
    it.sent(motion(0, 10), 0, 0, 0, 40);
    expect(it.reason(motion(0.4, 10, 10), 0, 0, 80)).toBe("none");
    expect(it.reason(motion(0.4, 0, 10), 0, 0, 80)).toBe("turn");
    expect(it.reason(motion(0.4), 0, 0, 80)).toBe("stop");
  });

  test("an update that settled the object counts as standing", () => {
    const it = early();
    it.sent(motion(0, 10), 0, 0, 0, 0, true);
    expect([it.reason(motion(0), 0, 0, 40), it.reason(motion(0, 10), 0, 0, 40)]).toEqual(["none", "start"]);
  });

  test("off, the same motion waits for its threshold", () => {
    const it = sender();
    it.sent(motion(0), 0, 0, 0, 0);
    expect(it.reason(motion(0, 50), 0, 0, 40)).toBe("none");
  });
});

test.each(Object.values(MOTION_MODELS))("if it does not send, $name is within the threshold", (model) => {
  const speed = fc.double({ min: -30, max: 30, noNaN: true });
  const steps = fc.array(fc.record({ x: speed, y: speed, z: speed, ms: fc.integer({ min: 1, max: 200 }) }));
  fc.assert(
    fc.property(steps, (walk) => {
      const it = sender({ model });
      const truth = new Float64Array(FULL_MOTION_SIZE);
      const place = new Float64Array(3);
      let nowMs = 0;
      it.sent(truth, 0, 0, 0, 0);
      for (const { x, y, z, ms } of walk) {
        for (const [axis, velocity] of [x, y, z].entries()) {
          truth[axis] = truth[axis]! + (velocity * ms) / 1000;
          truth[6 + axis] = ((velocity - truth[3 + axis]!) * 1000) / ms;
          truth[3 + axis] = velocity;
        }
        nowMs += ms;
        if (it.reason(truth, 0, 0, nowMs) !== "none") it.sent(truth, 0, 0, 0, nowMs);
        it.placeAt(nowMs, place, 0);
        expect(Math.hypot(...place.map((value, axis) => value - truth[axis]!))).toBeLessThan(1);
      }
    }),
  );
});
