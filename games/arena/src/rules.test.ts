import { Dice } from "@nearfield/kit";
import { describe, expect, it } from "vitest";
import { absorb, blastDamage, chooseBirth, entryInto, load, needs, spend } from "./rules.ts";
import { MOST_BULLETS, ROCKET } from "./state.ts";

const someone = () => ({
  condition: "alive" as const,
  health: 60,
  armour: 80,
  bullets: 1,
  rockets: 0,
  weapon: "rifle" as const,
});

describe("hits", () => {
  it.each([
    [0, 16, { absorbed: 0, hurt: 16 }],
    [100, 16, { absorbed: 10, hurt: 6 }],
    [4, 16, { absorbed: 4, hurt: 12 }],
    [100, 0, { absorbed: 0, hurt: 0 }],
  ])("with armour %i and damage %i", (armour, damage, expected) => {
    expect(absorb(armour, damage)).toEqual(expected);
  });

  it("of a blast lose with distance, and spare half of the one who fired", () => {
    expect(blastDamage(0, false)).toBe(ROCKET.damage);
    expect(blastDamage(0, true)).toBe(ROCKET.damage / 2);
    const damages = [10, 20, 40, 60, 70].map((distance) => blastDamage(distance, false));
    expect(damages).toEqual([...damages].sort((a, b) => b - a));
    expect(blastDamage(ROCKET.blast + 6, false)).toBe(0);
  });

  it("of a body: where a way enters it", () => {
    expect(entryInto({ x: 10, y: 0 }, 3, 0, 0, 1, 0)).toBe(7);
    expect(entryInto({ x: 10, y: 4 }, 3, 0, 0, 1, 0)).toBe(Number.POSITIVE_INFINITY);
    expect(entryInto({ x: -10, y: 0 }, 3, 0, 0, 1, 0)).toBe(Number.POSITIVE_INFINITY);
    expect(entryInto({ x: 1, y: 0 }, 3, 0, 0, 1, 0)).toBe(0);
  });
});

describe("items", () => {
  it("are for those who need them", () => {
    expect((["health", "armour", "ammo", "launcher"] as const).map((kind) => needs(someone(), kind))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    const full = { ...someone(), health: 100, armour: 100, bullets: MOST_BULLETS, rockets: 20 };
    expect((["health", "armour", "ammo", "launcher"] as const).some((kind) => needs(full, kind))).toBe(false);
    expect(needs({ ...someone(), condition: "dead" }, "health")).toBe(false);
  });

  it("fill up to what can be carried", () => {
    const fighter = { ...someone(), bullets: MOST_BULLETS - 5 };
    load(fighter, "ammo");
    load(fighter, "armour");
    load(fighter, "launcher");
    expect(fighter).toMatchObject({ bullets: MOST_BULLETS, armour: 100, rockets: 5 });
  });

  it("are spent shot by shot", () => {
    const fighter = someone();
    expect([spend(fighter), spend(fighter), fighter.bullets]).toEqual([true, false, 0]);
    expect(spend({ ...someone(), weapon: "rocket" })).toBe(false);
  });
});

it("a birth is neither in danger nor alone", () => {
  const spawns = [0, 40, 180, 900].map((x) => ({ x, y: 0 }));
  const births = Array.from({ length: 30 }, (_, seed) => chooseBirth(spawns, [{ x: 10, y: 0 }], new Dice(seed)).x);
  expect(births.filter((x) => x === 180).length).toBeGreaterThan(24);
  expect(births).not.toContain(900);
  expect(spawns).toContainEqual(chooseBirth(spawns, [], new Dice(1)));
});
