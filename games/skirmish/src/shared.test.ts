import { describe, expect, it } from "vitest";
import { Building, Match, Order, Purse, protocol, Side, Unit, Works } from "./shared.ts";
import {
  BUILDINGS,
  LARGEST_MAP,
  MAP_SIZES,
  NO_SIDE,
  PATCH_ORE,
  RICH_PATCH_ORE,
  TRAINING_MOST,
  UNITS_MOST,
} from "./state.ts";

const names = (type: { readonly fields: readonly { readonly name: string }[] }) => type.fields.map(({ name }) => name);

describe("the protocol", () => {
  it("has all objects, commands and events", () => {
    expect(protocol.objects.map(({ name }) => name)).toEqual([
      "unit",
      "building",
      "works",
      "ore",
      "side",
      "purse",
      "match",
    ]);
    expect(protocol.commands.map(({ name }) => name)).toEqual([
      "order",
      "train",
      "cancelTraining",
      "rally",
      "ready",
      "rematch",
    ]);
    expect(protocol.events.map(({ name }) => name)).toEqual(["refused", "blast", "underAttack"]);
    expect(names(Order)).toContain("queued");
  });

  it("keeps what others may not know out of objects that have a place", () => {
    for (const secret of ["training", "progress", "waiting", "rallyX", "rallyY"]) {
      expect(names(Building)).not.toContain(secret);
      expect(names(Works)).toContain(secret);
    }
    for (const type of [Works, Purse, Side, Match]) expect(type.position).toEqual([]);
    expect(names(Unit)).not.toContain("target");
  });

  it("has room for every number of the rules", () => {
    expect(Math.max(...Object.values(MAP_SIZES))).toBe(LARGEST_MAP);
    expect(Math.max(PATCH_ORE, RICH_PATCH_ORE)).toBeLessThan(1 << 12);
    expect(NO_SIDE).toBeLessThan(1 << 4);
    expect(TRAINING_MOST).toBeLessThan(1 << 3);
    expect(UNITS_MOST * 50).toBeLessThan(1 << 14);
    expect(Math.max(...Object.values(BUILDINGS).map(({ radius }) => radius))).toBeLessThan(1 << 6);
  });
});
