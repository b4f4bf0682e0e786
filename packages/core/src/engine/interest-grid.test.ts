import { describe, expect, test } from "vitest";
import { resolved, Ship, smallWorld, viewOf } from "../../test/small-world.ts";
import type { World } from "../index.ts";
import { EngineView } from "./engine-view.ts";
import { InterestGrid } from "./interest-grid.ts";

function start() {
  const world = smallWorld();
  const reports: string[] = [];
  const interest = new InterestGrid(world, (view, slot) => reports.push(`${view} ${slot}`));
  const take = (): string[] => reports.splice(0).sort();
  return { world, interest, take };
}

function viewAt(world: World, id: number, range: number, point: readonly number[]): EngineView {
  const settings = viewOf({ bounds: [{}], range }, [{ point }]);
  const view = new EngineView(id, resolved(world, settings), {});
  view.setPivots(settings.pivots);
  view.place(world);
  return view;
}

const moveTo = (world: World, view: EngineView, point: readonly number[]): void => {
  view.setPivots([{ point }]);
  view.place(world);
};

describe("interest grid", () => {
  test("a view hears of what is in its cells, and of what enters them; of nothing twice", () => {
    const { world, interest, take } = start();
    const [near, far] = [world.spawn(Ship, { x: 5 }), world.spawn(Ship, { x: 500 })];
    interest.subscribe(viewAt(world, 0, 20, [0, 0]));
    expect(take()).toEqual(["0 0"]);
    near.x = 6;
    far.x = 10;
    world.commit(0);
    interest.place(0);
    interest.place(1);
    expect(take()).toEqual(["0 1"]);
  });

  test("a view that moves hears of its new cells only", () => {
    const { world, interest, take } = start();
    for (const x of [0, 45, 90]) world.spawn(Ship, { x });
    const view = viewAt(world, 0, 20, [0, 0]);
    interest.subscribe(view);
    expect(take()).toEqual(["0 0"]);
    moveTo(world, view, [1, 0]);
    interest.subscribe(view);
    expect(take()).toEqual([]);
    moveTo(world, view, [40, 0]);
    interest.subscribe(view);
    expect(take()).toEqual(["0 1"]);
  });

  test("a much larger range has the grid made anew, and nobody loses its cells", () => {
    const { world, interest, take } = start();
    world.spawn(Ship, { x: 5 });
    world.spawn(Ship, { x: 900 });
    const small = viewAt(world, 0, 10, [0, 0]);
    interest.subscribe(small);
    take();
    interest.subscribe(viewAt(world, 1, 950, [0, 0]));
    expect(take()).toEqual(expect.arrayContaining(["1 0", "1 1"]));
    world.spawn(Ship, { x: 1 });
    interest.place(2);
    expect(take()).toEqual(["0 2", "1 2"]);
  });

  test("a view without a range, or that left, hears nothing", () => {
    const { world, interest, take } = start();
    world.spawn(Ship, { x: 5 });
    const view = viewAt(world, 0, 20, [0, 0]);
    interest.subscribe(view);
    take();
    view.change(resolved(world, viewOf({ bounds: [{}] })));
    interest.subscribe(view);
    expect(view.cells.size).toBe(0);
    world.spawn(Ship, { x: 6 });
    interest.place(1);
    expect(take()).toEqual([]);
    const other = viewAt(world, 1, 20, [0, 0]);
    interest.subscribe(other);
    interest.unsubscribe(other);
    take();
    world.spawn(Ship, { x: 7 });
    interest.place(2);
    expect(take()).toEqual([]);
  });
});
