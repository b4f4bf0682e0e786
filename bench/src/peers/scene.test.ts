import { describe, expect, it } from "vitest";
import { Interest } from "./interest.ts";
import { crowdOf, Scene, SIGHT, SIGHT_LOST, TIERS, tierOf } from "./scene.ts";

const size = crowdOf(200, 12);

function distance({ x, y }: Scene, a: number, b: number): number {
  return Math.sqrt((x[a]! - x[b]!) ** 2 + (y[a]! - y[b]!) ** 2);
}

/** Between sight and loss of sight, what was seen is kept in the last tier. */
function isRight(d: number, tier: number | undefined, tiered: boolean): boolean {
  if (d <= SIGHT) return tier === (tiered ? tierOf(d) : 0);
  return tier === undefined || (d <= SIGHT_LOST && tier === (tiered ? TIERS.length - 1 : 0));
}

describe("tierOf", () => {
  it("counts the outer edge in", () => {
    expect([0, 50, 50.01, 100, 150, 150.01].map(tierOf)).toEqual([0, 0, 1, 1, 2, 3]);
  });
});

describe("Scene", () => {
  it("walks the same way every time, and stays inside", () => {
    const [one, other] = [new Scene(size), new Scene(size)];
    for (let round = 0; round < 300; round++) {
      one.step();
      other.step();
    }
    expect(one.x).toEqual(other.x);
    expect(Math.min(...one.x, ...one.y)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...one.x, ...one.y)).toBeLessThanOrEqual(size.side);
  });

  it("has everybody walk once they have set out", () => {
    const scene = new Scene(size);
    for (let round = 0; round < 20; round++) scene.step();
    const before = scene.x.slice();
    scene.step();
    expect(scene.x.every((x, i) => x !== before[i])).toBe(true);
  });
});

describe("Interest", () => {
  it.each([true, false])("tells what a look at every pair would tell (tiers: %s)", (tiered) => {
    const scene = new Scene(size);
    const interest = new Interest(scene, tiered);
    const known = new Map<number, number>();
    const wrong: string[] = [];
    for (let round = 0; round < 200; round++) {
      scene.step();
      interest.sort();
      for (let client = 0; client < size.clients; client++) {
        interest.refresh(client, (object, before, now) => {
          const pair = client * size.objects + object;
          if ((known.get(pair) ?? -1) !== before) wrong.push(`round ${round}: ${client} had ${object} otherwise`);
          if (now < 0) known.delete(pair);
          else known.set(pair, now);
        });
        for (let object = 0; object < size.objects; object++) {
          const d = distance(scene, client, object);
          const tier = known.get(client * size.objects + object);
          if (!isRight(d, tier, tiered)) wrong.push(`round ${round}: ${client} has ${object} at ${d} as ${tier}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(known.size).toBeGreaterThan(0);
  });
});
