/** Settings and presets meet types: what a type is not sent with is refused, and says what to do. */

import { describe, expect, test } from "vitest";
import { fitPresentation, missingRole, type SentRoles } from "./fit.ts";
import { GENRES, simulation, sport } from "./genres/presets.ts";
import { accelerated } from "./quadratic.ts";
import { MOTION_MODELS, type MotionModelName } from "./settings.ts";

const bare: SentRoles = { name: "ship", orientation: [], velocity: [], acceleration: [], turnRate: [] };
const moving = { ...bare, orientation: [2], velocity: [3, 4] };
const full = { ...moving, acceleration: [5, 6], turnRate: [7] };
const models = Object.keys(MOTION_MODELS) as MotionModelName[];

describe("a model is refused where the type is not sent what it goes by", () => {
  const refused = (type: SentRoles): string[] =>
    models.filter((model) => {
      try {
        fitPresentation(type, { model });
        return false;
      } catch {
        return true;
      }
    });

  test("each by what it reads", () => {
    expect(refused(full)).toEqual([]);
    expect(refused(moving)).toEqual(["accelerated"]);
    expect(refused(bare)).toEqual(["linear", "fading", "quadratic", "accelerated"]);
    expect(missingRole(moving, accelerated)).toBe("acceleration");
    expect(() => fitPresentation(bare, { model: "interpolation", turning: "sent" })).not.toThrow();
  });

  test("the reason says what to do", () => {
    expect(() => fitPresentation(moving, { model: "accelerated" })).toThrow(
      /model is accelerated, but the schema of ship names no acceleration\. Name .* acceleration: … .*"quadratic"/,
    );
    expect(() => fitPresentation(bare, { model: "linear" })).toThrow(/names no velocity.*"historyLine"/);
    expect(() => fitPresentation(moving, { turning: "sent" })).toThrow(/turning is sent.*names no turnRate.*"derived"/);
    expect(() => fitPresentation({ ...bare, velocity: [1, 2] }, { turning: "sent" })).not.toThrow();
  });
});

describe("a preset is settings", () => {
  test("its tuned ones", () => {
    for (const preset of GENRES) expect(fitPresentation(full, preset)).toBe(preset.tuned.umts);
  });

  test("without a turn rate a heading goes on as the last two sends say, or is held where it is set at once", () => {
    expect(fitPresentation(moving, simulation)).toEqual({ ...simulation.tuned.umts, turning: "derived" });
    expect(fitPresentation(moving, sport)).toEqual({ ...sport.tuned.umts, turning: "hold" });
  });

  test("and needs a velocity like them", () => {
    expect(() => fitPresentation(bare, simulation)).toThrow("names no velocity");
  });
});
