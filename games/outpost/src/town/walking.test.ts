import { Dice } from "@nearfield/kit";
import { expect, test } from "vitest";
import { ARRIVAL, HOUSES, PLACE_SPOTS, PLACES, placeAt, ROUND_WALLS } from "./plan.ts";
import { AVATAR_RADIUS, FULL_STICK, WALK_SPEED, walkInTown } from "./walking.ts";

test("nobody walks into a house, a trunk or the fountain, or faster than one can", () => {
  const dice = new Dice(3, "walks");
  const walker = { ...ARRIVAL, vx: 0, vy: 0, heading: 0 };
  for (let step = 0; step < 20_000; step++) {
    if (step % 40 === 0) walker.heading = dice.int(1000);
    const wish = {
      moveX: (walker.heading % 3) * 127 - 127,
      moveY: (walker.heading % 7) * 42 - 127,
      heading: walker.heading,
    };
    const { x, y } = walker;
    walkInTown(walker, wish, 16);
    for (const { x: left, y: top, width, height } of HOUSES)
      expect(walker.x > left && walker.x < left + width && walker.y > top && walker.y < top + height).toBe(false);
    for (const wall of ROUND_WALLS)
      expect((walker.x - wall.x) ** 2 + (walker.y - wall.y) ** 2).toBeGreaterThan(
        (wall.radius + AVATAR_RADIUS - 3) ** 2,
      );
    const far = Math.sqrt((walker.x - x) ** 2 + (walker.y - y) ** 2);
    expect(far).toBeLessThan(WALK_SPEED * 0.016 * 2 + 1);
  }
});

test("a full stick reaches full speed, and a longer vector is no faster", () => {
  for (const stick of [FULL_STICK, FULL_STICK * 5]) {
    const walker = { ...ARRIVAL, vx: 0, vy: 0, heading: 0 };
    for (let step = 0; step < 30; step++) walkInTown(walker, { moveX: stick, moveY: 0, heading: 0 }, 16);
    expect(walker.vx).toBeCloseTo(WALK_SPEED);
  }
});

test("every place can be used from somewhere that one can walk to", () => {
  for (const place of PLACES) {
    const { x, y } = PLACE_SPOTS[place];
    const walker = { x, y: y + 30, vx: 0, vy: 0, heading: 0 };
    walkInTown(walker, { moveX: 0, moveY: 0, heading: 0 }, 16);
    expect(placeAt(walker.x, walker.y)).toBe(place);
  }
});
