/** How things move and meet. */

import { describe, expect, it } from "vitest";
import { BOLT_SPEED, HERO_RADIUS, isAtEdge, MUZZLE, move, steer, strikes } from "./rules.ts";
import { COUNTRY, ROUND_MS } from "./shared.ts";

describe("a hero", () => {
  it("walks equally fast in every direction, and slower with a stick that is held halfway", () => {
    const hero = { x: 0, y: 0, vx: 0, vy: 0 };
    const speed = (moveX: number, moveY: number): number => {
      steer(hero, moveX, moveY);
      return Math.round(Math.hypot(hero.vx, hero.vy));
    };
    expect([speed(127, 0), speed(127, 127), speed(-127, 40), speed(0, 0)]).toEqual([170, 170, 170, 0]);
    expect(speed(64, 0)).toBeCloseTo(86, 0);
  });

  it("stops at the end of the country", () => {
    const hero = { x: 30, y: COUNTRY / 2, vx: -170, vy: 0 };
    for (let i = 0; i < 10; i++) move(hero, ROUND_MS);
    expect(isAtEdge(hero)).toBe(true);
    expect(hero.x).toBe(20);
  });
});

describe("a bolt", () => {
  const bolt = { x: 1000, y: 1000, vx: BOLT_SPEED, vy: 0, fromX: 900, fromY: 1000 };

  it("strikes what lies on its last two steps, and nothing before or beside them", () => {
    const at = (dx: number, dy = 0): boolean => strikes(bolt, { x: 1000 + dx, y: 1000 + dy }, 14, ROUND_MS);
    expect([at(0), at(-26), at(-52), at(14)]).toEqual([true, true, true, true]);
    expect([at(15), at(-67), at(-26, 15)]).toEqual([false, false, false]);
  });

  it("never strikes whoever shot it, also who runs after it", () => {
    const hero = { x: 1000, y: 1000, vx: 170, vy: 0 };
    const shot = { x: 1000 + MUZZLE, y: 1000, vx: BOLT_SPEED, vy: 0, fromX: 1000 + MUZZLE, fromY: 1000 };
    for (let i = 0; i < 20; i++) {
      move(shot, ROUND_MS);
      expect(strikes(shot, hero, HERO_RADIUS, ROUND_MS)).toBe(false);
      move(hero, ROUND_MS);
    }
  });
});
