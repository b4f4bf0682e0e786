/** Held commands: when they are repeated, for how long, and what ends them. */

import type { SteppedCommand } from "@nearfield/protocol/internal";
import { objectId } from "@nearfield/schema/internal";
import { describe, expect, it } from "vitest";
import { HeldCommands } from "./held-commands.ts";

const one: SteppedCommand = { id: objectId(1, 0), type: {} as never, values: {}, stepMs: 16, isHeld: true };

describe("a held command", () => {
  it("is repeated in every round after the one in which it was applied, for two seconds", () => {
    const held = new HeldCommands();
    held.applied(one, true, 10);
    const steps = Array.from({ length: 50 }, (_, i) => held.due(10 + i, 50).length);
    expect(steps).toEqual([0, ...Array.from({ length: 40 }, () => 1), ...Array.from({ length: 9 }, () => 0)]);
    expect(held.isEmpty).toBe(true);
  });

  it("lasts whole milliseconds, and none is lost", () => {
    const held = new HeldCommands();
    held.applied(one, true, 0);
    const steps = Array.from({ length: 30 }, (_, i) => held.due(i + 1, 1000 / 30)[0]!.stepMs);
    expect(new Set(steps)).toEqual(new Set([33, 34]));
    expect(steps.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(1000, -1);
  });

  it("ends with another command for the object, or when the object is gone", () => {
    const held = new HeldCommands();
    held.applied(one, true, 0);
    held.applied({ ...one, id: objectId(2, 0), isHeld: false }, true, 1);
    expect(held.due(1, 50)).toHaveLength(1);
    held.applied({ ...one, isHeld: false }, true, 2);
    expect(held.isEmpty).toBe(true);
    held.applied(one, false, 3);
    expect(held.isEmpty).toBe(true);
    held.applied(one, true, 4);
    held.clear();
    expect(held.due(5, 50)).toEqual([]);
  });
});
