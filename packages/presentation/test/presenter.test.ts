/** How objects are shown: every model with every convergence keeps the contract; then each by example. */

import { describe, expect, test } from "vitest";
import { MOTION_MODELS, Presenter, type PresenterSettings, shownAt } from "../src/index.ts";
import {
  DEFAULT_PRESENTER,
  type MotionModelName,
  resolvePresenterSettings,
  type Turning,
} from "../src/internal/index.ts";
import { describePresenter } from "./presenter-contract.ts";

for (const model of Object.keys(MOTION_MODELS) as MotionModelName[]) {
  for (const convergence of ["snap", "linear", "curved"] as const) {
    describePresenter(`${model}, ${convergence}`, { model, convergence, positionMs: 120, orientationMs: 60 });
  }
}
describePresenter("linear that turns on", { model: "linear", turning: "derived", compensationMs: 600 });
describePresenter("linear that turns as sent", { model: "linear", turning: "sent" });
describePresenter("interpolation, linear", { model: "interpolation" });
describePresenter("interpolation, a fixed delay", { model: "interpolation", deltaMs: 100, convergence: "curved" });

const placeAt = (presenter: Presenter, renderMs: number): number[] => [...presenter.at(renderMs).position];
const headingAt = (presenter: Presenter, renderMs: number): number => presenter.at(renderMs).orientation[0]!;

describe("time compensation", () => {
  const eastbound = { timeMs: 1000, position: [0, 0], velocity: [100, 0] };
  const shown = (compensationMs: number, ageMs: number): number[] => {
    const presenter = new Presenter({ compensationMs });
    presenter.receive(eastbound, 1000 + ageMs);
    return [placeAt(presenter, 1000 + ageMs)[0]!, placeAt(presenter, 1100 + ageMs)[0]!];
  };

  test("makes up for the age of a send", () => {
    expect(shown(200, 150)).toEqual([15, 25]);
  });

  test("up to its limit", () => {
    expect(shown(100, 150)).toEqual([10, 20]);
  });

  test("or not at all; a send from the future is shown as if it were of now", () => {
    expect([shown(0, 150), shown(200, -50)]).toEqual([
      [0, 10],
      [0, 10],
    ]);
  });
});

describe("convergence", () => {
  /** Goes east at 100 a second; at 1,000 ms it turns out to be 20 farther north, and goes on east. */
  const corrected = (settings: PresenterSettings): Presenter => {
    const presenter = new Presenter({ compensationMs: 0, ...settings });
    presenter.receive({ timeMs: 0, position: [0, 0], velocity: [100, 0] }, 0);
    presenter.receive({ timeMs: 1000, position: [100, 20], velocity: [100, 0] }, 1000);
    return presenter;
  };

  test("snap: is there at once", () => {
    expect(placeAt(corrected({ convergence: "snap" }), 1000)).toEqual([100, 20, 0]);
  });

  test("linear: goes in a straight line, and from then on with the model", () => {
    const presenter = corrected({ positionMs: 200 });
    expect([1000, 1050, 1100, 1200, 1300].map((ms) => placeAt(presenter, ms))).toEqual([
      [100, 0, 0],
      [105, 5, 0],
      [110, 10, 0],
      [120, 20, 0],
      [130, 20, 0],
    ]);
    expect([...presenter.convergencePoint().position]).toEqual([120, 20, 0]);
  });

  test("curved: leaves in the direction it was going, and arrives in the same time", () => {
    const presenter = new Presenter({ model: "linear", convergence: "curved", positionMs: 200, compensationMs: 0 });
    presenter.receive({ timeMs: 0, position: [0, 0], velocity: [100, 0] }, 0);
    presenter.receive({ timeMs: 1000, position: [100, 0], velocity: [0, 100] }, 1000);
    const [x, y] = placeAt(presenter, 1002);
    expect(x! - 100).toBeCloseTo(0.2, 2);
    expect(y!).toBeLessThan(0.01);
    expect(placeAt(presenter, 1200)).toEqual([100, 20, 0]);
  });

  test("curved: where position history says the course is straight, it is a line", () => {
    const shown = (convergence: "linear" | "curved"): number[] => {
      const presenter = new Presenter({ model: "history", convergence, compensationMs: 0 });
      for (const timeMs of [0, 500, 1000, 1500]) {
        presenter.receive({ timeMs, position: [timeMs / 10 + (timeMs > 1000 ? 1 : 0), 0] }, timeMs);
      }
      return placeAt(presenter, 1550);
    };
    expect(shown("curved")).toEqual(shown("linear"));
  });

  test("orientation has its own time", () => {
    const presenter = new Presenter({ positionMs: 200, orientationMs: 50, compensationMs: 0 });
    presenter.receive({ timeMs: 0, position: [0, 0], orientation: [0] }, 0);
    presenter.receive({ timeMs: 100, position: [10, 0], orientation: [1] }, 100);
    expect([headingAt(presenter, 125), headingAt(presenter, 150), placeAt(presenter, 150)]).toEqual([
      0.5,
      1,
      [2.5, 0, 0],
    ]);
  });

  test("from 170° to −170° it is 20°", () => {
    const degrees = Math.PI / 180;
    const presenter = new Presenter({ orientationMs: 100 });
    presenter.receive({ timeMs: 0, position: [0, 0], orientation: [170 * degrees] }, 0);
    presenter.receive({ timeMs: 10, position: [0, 0], orientation: [-170 * degrees] }, 10);
    expect(headingAt(presenter, 60) / degrees).toBeCloseTo(-180, 6);
  });

  test("a correction longer than `snapDistance` snaps", () => {
    expect(placeAt(corrected({ snapDistance: 19 }), 1000)).toEqual([100, 20, 0]);
    expect(placeAt(corrected({ snapDistance: 21 }), 1000)).toEqual([100, 0, 0]);
  });
});

describe("turning", () => {
  const after = (settings: PresenterSettings): number => {
    const presenter = new Presenter({ ...settings, convergence: "snap", compensationMs: 0 });
    presenter.receive({ timeMs: 0, position: [0, 0], orientation: [0], turnRate: [9] }, 0);
    presenter.receive({ timeMs: 500, position: [0, 0], orientation: [0.5], turnRate: [2] }, 500);
    return headingAt(presenter, 1000);
  };

  test("holds the heading, turns on as sent, or as between the last two sends", () => {
    expect([after({}), after({ turning: "sent" }), after({ turning: "derived" })]).toEqual([0.5, 1.5, 1]);
  });

  test("one that rests where it is may turn there, if that was sent", () => {
    const turned = (turning: Turning): number => {
      const presenter = new Presenter({ turning, convergence: "snap", compensationMs: 0 });
      presenter.receive({ timeMs: 0, position: [0, 0], orientation: [0], turnRate: [1] }, 0);
      presenter.receive({ timeMs: 500, position: [0, 0], orientation: [0.5], turnRate: [1], settles: true }, 500);
      return headingAt(presenter, 1000);
    };
    expect([turned("hold"), turned("derived"), turned("sent")]).toEqual([0.5, 0.5, 1]);
  });
});

test("a mistake in the settings is named at the start", () => {
  expect(() => new Presenter({ positionMs: -1 })).toThrow("positionMs is -1, but must be 0 or more");
  expect(() => new Presenter({ deltaMs: Number.NaN })).toThrow("deltaMs");
  expect(() => new Presenter({ model: "cubic" as never })).toThrow("model is cubic");
  expect(() => new Presenter({ convergence: "slow" as never })).toThrow("convergence is slow");
  expect(resolvePresenterSettings({}).model).toBe(MOTION_MODELS[DEFAULT_PRESENTER.model as MotionModelName]);
});

test("what was applied after the moment asked for does not count", () => {
  const sends = [0, 100, 200].map((timeMs) => ({ timeMs, position: [timeMs, 0], appliedAtMs: timeMs + 50 }));
  const settings: PresenterSettings = { model: "hold", convergence: "snap" };
  expect([60, 150, 249, 250].map((ms) => shownAt(settings, sends, ms).position[0])).toEqual([0, 100, 100, 200]);
});

test("a render clock that goes back is taken to stand still", () => {
  const presenter = new Presenter({ model: "linear", compensationMs: 0, positionMs: 100 });
  presenter.receive({ timeMs: 0, position: [0, 0], velocity: [100, 0] }, 0);
  presenter.receive({ timeMs: 900, position: [90, 50], velocity: [100, 0] }, 1000);
  presenter.receive({ timeMs: 950, position: [95, 50], velocity: [100, 0] }, 500);
  expect([placeAt(presenter, 500), placeAt(presenter, 1000), placeAt(presenter, 1100)]).toEqual([
    [100, 0, 0],
    [100, 0, 0],
    [105, 50, 0],
  ]);
});
