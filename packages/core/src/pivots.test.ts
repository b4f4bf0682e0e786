import type { ObjectId } from "@nearfield/schema";
import { objectId } from "@nearfield/schema/internal";
import { describe, expect, test } from "vitest";
import { Crate, Drone, Score, Ship, smallWorld } from "../test/small-world.ts";
import { distanceInFrame, extentOf } from "./camera-frame.ts";
import type { Pivot, World } from "./index.ts";
import { isSameCentre, type PlacedPivot, pivotRadius, placePivot, replaced } from "./pivots.ts";

function placed(pivot: Pivot, world: World): PlacedPivot {
  const [place] = replaced([], [], [pivot]);
  placePivot(pivot, world, place!);
  return place!;
}

describe("object pivot", () => {
  test("stands where the primary is, not where its wire form says, and looks along it", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship, { x: 10.2, y: -3, heading: Math.PI / 2 });
    expect(placed({ object: ship.id }, world)).toMatchObject({
      placed: true,
      x: 10.2,
      y: -3,
      z: 0,
      dirX: expect.closeTo(0, 12),
      dirY: 1,
      dirZ: 0,
    });
  });

  test("yaw and pitch make a unit direction in space", () => {
    const world = smallWorld();
    const drone = world.spawn(Drone, { x: 1, y: 2, z: 3, yaw: Math.PI, pitch: Math.PI / 6 });
    const { z, dirX, dirY, dirZ } = placed({ object: drone.id }, world);
    expect([z, dirX, dirY, dirZ]).toEqual([
      3,
      expect.closeTo(-Math.sqrt(3) / 2, 12),
      expect.closeTo(0, 12),
      expect.closeTo(0.5, 12),
    ]);
  });

  test("an object that looks nowhere gives no direction", () => {
    const world = smallWorld();
    expect(placed({ object: world.spawn(Crate, { x: 4 }).id }, world)).toMatchObject({ dirX: 0, dirY: 0, dirZ: 0 });
  });

  test("stays where it was when its object is destroyed, even if the slot has a new one", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship, { x: 7, y: 8 });
    const pivot: Pivot = { object: ship.id };
    const place = placed(pivot, world);
    world.destroy(ship);
    for (let i = 0; i < 64; i++) world.destroy(world.spawn(Score));
    world.spawn(Ship, { x: 100, y: 100 });
    placePivot(pivot, world, place);
    expect(place).toMatchObject({ placed: true, x: 7, y: 8 });
  });

  test("has no place before its object exists, nor on one that is not spatial", () => {
    const world = smallWorld();
    expect(placed({ object: objectId(9, 0) }, world).placed).toBe(false);
    expect(placed({ object: world.spawn(Score).id }, world).placed).toBe(false);
  });
});

describe("point pivot", () => {
  test("takes 2 or 3 coordinates; its direction may have any length", () => {
    const world = smallWorld();
    expect(placed({ point: [1, 2], orientation: [3, 4] }, world)).toMatchObject({
      x: 1,
      y: 2,
      z: 0,
      dirX: 0.6,
      dirY: 0.8,
    });
    expect(placed({ point: [1, 2, 3], orientation: [0, 0, 9] }, world)).toMatchObject({ z: 3, dirX: 0, dirZ: 1 });
    expect(placed({ point: [1, 2] }, world)).toMatchObject({ dirX: 0, dirY: 0, dirZ: 0 });
  });
});

describe("group pivot", () => {
  const group = (ids: readonly ObjectId[], more: Partial<Extract<Pivot, { group: unknown }>> = {}): Pivot => ({
    group: ids,
    margin: 0,
    coefficients: [],
    ...more,
  });

  test("its centre is the mean of its members in wire units", () => {
    const world = smallWorld();
    const ids = [10.2, 20.2, 30.1].map((x) => world.spawn(Ship, { x, y: 6 }).id);
    expect(placed(group(ids), world)).toMatchObject({ x: 20, y: 6 });
  });

  test("zone 0 reaches over the farthest member plus the margin; coefficients give the others", () => {
    const world = smallWorld();
    const ids = [world.spawn(Ship, { x: -3, y: -4 }).id, world.spawn(Ship, { x: 3, y: 4 }).id];
    const place = placed(group(ids, { margin: 5, coefficients: [2, 3.5] }), world);
    expect([0, 1, 2].map((zone) => pivotRadius(place, zone, 1234))).toEqual([10, 20, 35]);
  });

  test("with a spread, members farther out widen nothing, and the centre stays near a member", () => {
    const world = smallWorld();
    const [near, ...far] = [0, 40, 80].map((x) => world.spawn(Ship, { x, y: 0 }).id) as [ObjectId, ObjectId, ObjectId];
    const together = placed(group([near, ...far], { margin: 5, coefficients: [2], spread: 30 }), world);
    expect(together).toMatchObject({ x: 40, y: 0 });
    expect([0, 1].map((zone) => pivotRadius(together, zone, 1))).toEqual([35, 70]);
    // 80 apart: the middle is nobody's place, so it is the first member's.
    const apart = placed(group([near, far[1]], { margin: 5, spread: 30 }), world);
    expect(apart).toMatchObject({ x: 0, y: 0 });
    expect(pivotRadius(apart, 0, 1)).toBe(35);
    expect(placed(group([near, far[1]], { spread: 40 }), world)).toMatchObject({ x: 40 });
  });

  test("with a spread, members are told by their ids, wherever they lie in memory, and the dead do not count", () => {
    const world = smallWorld();
    const rocks = Array.from({ length: 200 }, () => world.spawn(Ship, { x: 999 }));
    for (const rock of rocks) world.destroy(rock);
    const [dead, near, far] = [500, 0, 80].map((x) => world.spawn(Ship, { x, y: 0 }).id) as [
      ObjectId,
      ObjectId,
      ObjectId,
    ];
    expect(near).toBeGreaterThan(2 ** 20);
    world.destroy(dead);
    expect(placed(group([dead, near, far], { spread: 30 }), world)).toMatchObject({ x: 0, y: 0 });
    expect(placed(group([near, far], { spread: 50 }), world)).toMatchObject({ x: 40, y: 0 });
  });

  test("a set with more zones than the group has radii gets the last radius for the rest", () => {
    const world = smallWorld();
    const place = placed(group([world.spawn(Ship).id], { margin: 5, coefficients: [2] }), world);
    expect(pivotRadius(place, 7, 1234)).toBe(10);
  });

  test("zoom stretches its radii like any others", () => {
    const world = smallWorld();
    const place = placed(group([world.spawn(Ship).id], { margin: 5, coefficients: [2], scale: 3 }), world);
    expect([pivotRadius(place, 0, 1), pivotRadius(place, 1, 1)]).toEqual([15, 30]);
    expect(pivotRadius(placed({ point: [0, 0], scale: 3 }, world), 0, 7)).toBe(21);
  });

  test("members of several types count alike, and zone 0 covers them all", () => {
    const world = smallWorld();
    const ids = [
      world.spawn(Ship, { x: 10, y: 0 }).id,
      world.spawn(Ship, { x: 20, y: 0 }).id,
      world.spawn(Crate, { x: 100, y: 0 }).id,
      world.spawn(Drone, { x: 30, y: 0, z: 40 }).id,
    ];
    const place = placed(group(ids, { margin: 1 }), world);
    expect(place).toMatchObject({ x: 40, y: 0, z: 10 });
    expect(pivotRadius(place, 0, 0)).toBeCloseTo(1 + Math.sqrt(3700), 9);
  });

  test("the dead no longer count; when the last is gone it stays where it was", () => {
    const world = smallWorld();
    const ships = [0, 10].map((x) => world.spawn(Ship, { x }));
    const pivot = group(ships.map(({ id }) => id));
    const place = placed(pivot, world);
    expect(place.x).toBe(5);
    world.destroy(ships[0]!);
    placePivot(pivot, world, place);
    expect(place.x).toBe(10);
    world.destroy(ships[1]!);
    placePivot(pivot, world, place);
    expect(place).toMatchObject({ placed: true, x: 10 });
  });
});

describe("camera pivot", () => {
  const camera = { camera: [100, 50], size: [16, 9], rotation: Math.PI / 6, coefficients: [2, 4] } as const;
  /** The place that lies so far along the camera's width and height, in world units. */
  const seenAt = (across: number, along: number): [number, number] => {
    const [cos, sin] = [Math.cos(camera.rotation), Math.sin(camera.rotation)];
    return [cos * across - sin * along, sin * across + cos * along];
  };
  const zoneAt = (pivot: PlacedPivot, across: number, along: number): number => {
    const d = distanceInFrame(pivot.frame!, ...seenAt(across, along));
    return [0, 1, 2].findIndex((zone) => d <= pivotRadius(pivot, zone, 0) * (1 + 1e-12));
  };

  test("zone 0 is the rectangle that it shows, turned as it is; the others are that rectangle, larger", () => {
    const pivot = placed(camera, smallWorld());
    expect([pivot.placed, pivot.x, pivot.y]).toEqual([true, 100, 50]);
    for (const [width, height] of [
      [8, 4.5],
      [-8, 4.5],
      [8, -4.5],
      [0, 4.5],
      [8, 0],
    ] as const) {
      for (const [zone, coefficient] of [1, 2, 4].entries()) {
        expect(zoneAt(pivot, width * coefficient, height * coefficient)).toBe(zone);
        const beyond = zone === 2 ? -1 : zone + 1;
        expect(zoneAt(pivot, width * coefficient * 1.001, height * coefficient * 1.001)).toBe(beyond);
      }
    }
  });

  test("no distance changes faster than the object moves, and the extent holds the region", () => {
    const { frame } = placed(camera, smallWorld());
    const [farX, farY] = extentOf(frame!);
    for (let turn = 0; turn < 64; turn++) {
      const [x, y] = [Math.cos(turn / 10), Math.sin(turn / 10)];
      expect(distanceInFrame(frame!, x, y)).toBeLessThanOrEqual(1 + 1e-12);
      const far = distanceInFrame(frame!, x, y);
      expect(Math.abs(x / far)).toBeLessThanOrEqual(farX * (1 + 1e-12));
      expect(Math.abs(y / far)).toBeLessThanOrEqual(farY * (1 + 1e-12));
    }
  });

  test("zoom makes the rectangle larger", () => {
    const pivot = placed({ ...camera, scale: 3 }, smallWorld());
    expect([0, 1, 2].map((zone) => pivotRadius(pivot, zone, 0))).toEqual([13.5, 27, 54]);
  });
});

describe("changed pivots", () => {
  test("one on the same object keeps its place, with the new zoom", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship, { x: 7 });
    const before: Pivot[] = [{ point: [1, 1] }, { object: ship.id }];
    const places = before.map((pivot) => placed(pivot, world));
    world.destroy(ship);
    const [after] = replaced(before, places, [{ object: ship.id, scale: 2 }]);
    expect(after).toMatchObject({ placed: true, x: 7, scale: 2 });
  });

  test("any other starts without a place", () => {
    const world = smallWorld();
    const [a, b] = [world.spawn(Ship, { x: 1 }).id, world.spawn(Ship, { x: 2 }).id];
    const before: Pivot[] = [{ object: a }];
    const places = before.map((pivot) => placed(pivot, world));
    for (const pivot of [{ object: b }, { point: [3, 3] }, { group: [a], margin: 0, coefficients: [] }] as Pivot[]) {
      expect(replaced(before, places, [pivot])[0]!.placed).toBe(false);
    }
  });

  test("groups are the same by members, margin and coefficients", () => {
    const [a, b] = [objectId(1, 0), objectId(2, 0)];
    const group: Pivot = { group: [a, b], margin: 1, coefficients: [2] };
    expect(isSameCentre(group, { ...group, scale: 9 })).toBe(true);
    expect(isSameCentre(group, { ...group, group: [a] })).toBe(false);
    expect(isSameCentre(group, { ...group, margin: 2 })).toBe(false);
    expect(isSameCentre(group, { ...group, coefficients: [3] })).toBe(false);
    expect(isSameCentre({ point: [0, 0] }, { point: [0, 0] })).toBe(false);
  });
});
