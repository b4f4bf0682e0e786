import { object, Protocol, quantized } from "@nearfield/schema";
import { numberOf, originOf, WorldIds, worldId } from "@nearfield/schema/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { World } from "./world.ts";

const Rock = object("rock", { x: quantized(0, 100, 1) });
const protocol = new Protocol({ objects: [Rock] });

describe("an object's world id", () => {
  it("is its own for life, and finds it, whatever comes and goes", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9)), fc.nat(20), (steps, asked) => {
        const world = new World({ protocol, worldIds: new WorldIds(3) });
        const living: ReturnType<typeof spawn>[] = [];
        const given = new Set<number>();
        const spawn = () => ({ rock: world.spawn(Rock, {}), born: 0 });
        steps.forEach((step, at) => {
          if (at === asked) world.byWorldId(worldId(3, 1));
          if (step < 6 || living.length === 0) {
            const next = spawn();
            next.born = world.worldIdOf(next.rock);
            expect(given.has(next.born)).toBe(false);
            given.add(next.born);
            living.push(next);
          } else {
            const [gone] = living.splice(step % living.length, 1);
            world.destroy(gone!.rock);
            expect(world.byWorldId(gone!.born as never)).toBeUndefined();
          }
        });
        for (const { rock, born } of living) {
          expect(world.worldIdOf(rock)).toBe(born);
          expect(world.byWorldId(born as never)?.id).toBe(rock.id);
          expect(originOf(born as never)).toBe(3);
        }
      }),
    );
  });

  it("comes along when the object is brought from another server", () => {
    const world = new World({ protocol });
    const id = worldId(5, 77);
    const rock = world.spawn(Rock, { x: 4 }, { worldId: id });
    expect([originOf(world.worldIdOf(rock)), numberOf(world.worldIdOf(rock))]).toEqual([5, 77]);
    expect(world.isForeign(rock)).toBe(true);
    expect(world.isForeign(world.spawn(Rock, {}))).toBe(false);
    expect(() => world.spawn(Rock, {}, { worldId: id })).toThrow("here already");
    world.destroy(rock);
    expect(world.spawn(Rock, {}, { worldId: id }).alive).toBe(true);
  });
});
