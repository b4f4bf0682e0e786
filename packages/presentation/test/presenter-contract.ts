/** What every way to show an object must keep, whatever its model and convergence. Run it against each. */

import { angleBetween, foldAngle } from "@nearfield/schema/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Presenter, type PresenterSettings, shownAt } from "../src/index.ts";
import type { AppliedSend, Picture } from "../src/internal/index.ts";

const coordinate = fc.double({ min: -1000, max: 1000, noNaN: true }).map((value) => value + 0);
const vector = fc.tuple(coordinate, coordinate, coordinate);
const angles = fc.array(fc.double({ min: -7, max: 7, noNaN: true }), { minLength: 3, maxLength: 3 });
const contents = { position: vector, velocity: vector, acceleration: vector, orientation: angles, turnRate: angles };

interface Step {
  readonly gapMs: number;
  readonly ageMs: number;
}

/** Sends in the order of their times, each applied some time after it was sent and never before the one before it. */
const story: fc.Arbitrary<AppliedSend[]> = fc
  .array(fc.record({ ...contents, gapMs: fc.integer({ min: 1, max: 1500 }), ageMs: fc.nat(400) }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((steps) => {
    let [timeMs, appliedAtMs] = [0, 0];
    return steps.map(({ gapMs, ageMs, ...send }: Step & Omit<AppliedSend, "timeMs" | "appliedAtMs">) => {
      timeMs += gapMs;
      appliedAtMs = Math.max(appliedAtMs, timeMs + ageMs);
      return { ...send, timeMs, appliedAtMs };
    });
  });

const anything = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, 1e300, -1e300, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
);
const anyVector = fc.tuple(anything, anything, anything);
const hostileSend = fc.record({
  timeMs: fc.oneof(fc.nat(100), anything),
  appliedAtMs: fc.oneof(fc.nat(1000), anything),
  boundMs: anything,
  settles: fc.boolean(),
  position: anyVector,
  velocity: anyVector,
  acceleration: anyVector,
  orientation: anyVector,
  turnRate: anyVector,
});

const numbersOf = ({ position, orientation }: Picture): number[] => [...position, ...orientation];

function fed(settings: PresenterSettings, sends: readonly AppliedSend[]): Presenter {
  const presenter = new Presenter(settings);
  for (const send of sends) presenter.receive(send, send.appliedAtMs);
  return presenter;
}

export function describePresenter(name: string, settings: PresenterSettings): void {
  describe(`the contract, kept by ${name}`, () => {
    test("shows the first send where it was sent, if nothing of its age is made up for", () => {
      fc.assert(
        fc.property(story, ([first]) => {
          const presenter = fed({ ...settings, compensationMs: 0 }, [first!]);
          const { position, orientation } = presenter.at(first!.appliedAtMs);
          expect([...position]).toEqual(first!.position);
          orientation.forEach((angle, axis) => {
            expect(Math.abs(angleBetween(angle, (first!.orientation as number[])[axis]!))).toBeLessThan(1e-9);
          });
        }),
      );
    });

    test("frames leave no trace, and a replay shows the same bits", () => {
      fc.assert(
        fc.property(story, fc.nat(2000), (sends, laterMs) => {
          const presenter = new Presenter(settings);
          for (const send of sends) {
            presenter.at(send.appliedAtMs - 7);
            presenter.receive(send, send.appliedAtMs);
            presenter.at(send.appliedAtMs);
            presenter.at(send.appliedAtMs + 13);
          }
          const renderMs = sends.at(-1)!.appliedAtMs + laterMs;
          const later = { ...sends.at(-1)!, timeMs: 1e6, appliedAtMs: renderMs + 1 };
          expect(numbersOf(presenter.at(renderMs))).toEqual(numbersOf(shownAt(settings, [...sends, later], renderMs)));
        }),
      );
    });

    test("goes on from a copy of its state as it would have", () => {
      fc.assert(
        fc.property(story, fc.nat(8), fc.nat(2000), (sends, cut, laterMs) => {
          const half = fed(settings, sends.slice(0, cut));
          const copy = new Presenter(half.presentation);
          copy.state.set(half.state);
          for (const send of sends.slice(cut)) copy.receive(send, send.appliedAtMs);
          const renderMs = sends.at(-1)!.appliedAtMs + laterMs;
          expect(numbersOf(copy.at(renderMs))).toEqual(numbersOf(fed(settings, sends).at(renderMs)));
        }),
      );
    });

    test("never jumps when a send is applied, unless it snaps", () => {
      if (settings.convergence === "snap") return;
      fc.assert(
        fc.property(story, (sends) => {
          const presenter = new Presenter(settings);
          for (const [index, send] of sends.entries()) {
            const before = numbersOf(presenter.at(send.appliedAtMs));
            presenter.receive(send, send.appliedAtMs);
            const after = numbersOf(presenter.at(send.appliedAtMs));
            if (index === 0) continue;
            for (let axis = 0; axis < 3; axis++) {
              expect(Math.abs(after[axis]! - before[axis]!)).toBeLessThan(1e-6 * Math.max(1, Math.abs(before[axis]!)));
              expect(Math.abs(angleBetween(after[axis + 3]!, before[axis + 3]!))).toBeLessThan(1e-9);
            }
          }
        }),
      );
    });

    test("an object that settles, and is not sent as turning, comes to rest where it was sent", () => {
      fc.assert(
        fc.property(story, fc.nat(60_000), (sends, laterMs) => {
          const last = { ...sends.at(-1)!, settles: true, turnRate: [0, 0, 0] };
          const presenter = fed(settings, [...sends.slice(0, -1), last]);
          // Longer than any delay and convergence, also while the delay still changes.
          const { position, orientation } = presenter.at(last.appliedAtMs + 30_000 + laterMs);
          expect([...position]).toEqual(last.position);
          orientation.forEach((angle, axis) => {
            expect(Math.abs(angleBetween(angle, (last.orientation as number[])[axis]!))).toBeLessThan(1e-9);
          });
        }),
      );
    });

    test("a send older than what is known changes nothing; one of the same time does", () => {
      fc.assert(
        fc.property(story, fc.nat(5000), fc.nat(2000), (sends, olderMs, laterMs) => {
          const presenter = fed(settings, sends);
          const last = sends.at(-1)!;
          const renderMs = last.appliedAtMs + laterMs;
          const before = numbersOf(presenter.at(renderMs));
          const older = { ...sends[0]!, timeMs: last.timeMs - olderMs - 1, position: [5, 5, 5] };
          expect(presenter.receive(older, last.appliedAtMs)).toBe(false);
          expect(numbersOf(presenter.at(renderMs))).toEqual(before);
          expect(presenter.receive({ ...last, settles: true, position: [5, 5, 5] }, last.appliedAtMs)).toBe(true);
          expect([...presenter.at(last.appliedAtMs + 60_000).position]).toEqual([5, 5, 5]);
        }),
      );
    });

    test("turns the short way to a new heading", () => {
      fc.assert(
        fc.property(angles, angles, (from, to) => {
          const still = { position: [1, 2, 3] };
          const presenter = new Presenter({ ...settings, turning: "hold" });
          presenter.receive({ ...still, timeMs: 0, orientation: from }, 0);
          presenter.receive({ ...still, timeMs: 100, orientation: to, settles: true }, 100);
          let before = [...presenter.at(100).orientation];
          const turned = [0, 0, 0];
          for (let renderMs = 110; renderMs <= 2000; renderMs += 10) {
            const now = [...presenter.at(renderMs).orientation];
            now.forEach((angle, axis) => {
              turned[axis]! += Math.abs(angleBetween(before[axis]!, angle));
            });
            before = now;
          }
          turned.forEach((way, axis) => {
            expect(way).toBeLessThanOrEqual(Math.abs(angleBetween(foldAngle(from[axis]!), to[axis]!)) + 1e-9);
          });
        }),
      );
    });

    test("in 2D stays at z 0", () => {
      fc.assert(
        fc.property(story, fc.nat(2000), (sends, laterMs) => {
          const flat = (v: unknown): number[] => [...(v as number[]).slice(0, 2)];
          const plane = sends.map((send) => ({
            ...send,
            position: flat(send.position),
            velocity: flat(send.velocity),
            acceleration: flat(send.acceleration),
          }));
          expect(fed(settings, plane).at(sends.at(-1)!.appliedAtMs + laterMs).position[2]).toBe(0);
        }),
      );
    });

    test("answers with numbers, whatever it is sent and asked", () => {
      fc.assert(
        fc.property(fc.array(hostileSend, { maxLength: 8 }), anything, (sends, renderMs) => {
          const presenter = fed(settings, sends);
          for (const time of [renderMs, 50, 1e9]) {
            expect(numbersOf(presenter.at(time)).filter((value) => !Number.isFinite(value))).toEqual([]);
          }
        }),
      );
    });
  });
}
