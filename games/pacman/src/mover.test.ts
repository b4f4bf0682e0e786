import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FLOOR, HEADINGS, type Heading, Maze, SIDE } from "./maze.ts";
import { CORNER, glide, type Mover, walk } from "./mover.ts";

/** A plus of corridors: the row y = 5 and the column x = 5 of an 11×11 board. */
const plus = (x: number, y: number): boolean => x >= 0 && y >= 0 && x <= 10 && y <= 10 && (x === 5 || y === 5);
const mover = (x: number, y: number, heading: Heading): Mover => ({ x, y, heading });

describe("walk", () => {
  it("goes straight on and stops at a wall, exactly on the tile's centre", () => {
    const pac = mover(8, 5, 1);
    expect(walk(pac, 1, 1.3, plus)).toBe(true);
    expect(pac.x).toBeCloseTo(9.3);
    walk(pac, 1, 3, plus);
    expect(pac).toEqual(mover(10, 5, 1));
    expect(walk(pac, 1, 1, plus)).toBe(false);
  });

  it("keeps a wish until the crossing and then turns", () => {
    const pac = mover(2, 5, 1);
    walk(pac, 0, 2, plus);
    expect(pac.heading).toBe(1);
    walk(pac, 0, 2, plus);
    expect(pac.heading).toBe(0);
    expect(pac.x).toBe(5);
    expect(pac.y).toBeLessThan(4.5);
  });

  it("cuts the corner: a wished turn is begun before the centre", () => {
    const [cutting, late] = [mover(4.7, 5, 1), mover(4.7, 5, 1)];
    walk(cutting, 0, 1, plus);
    walk(late, 1, 0.3, plus);
    walk(late, 0, 0.7, plus);
    expect(cutting.y).toBeLessThan(late.y);
  });

  it("takes a turn that is wished a little late, and not one that is wished too late", () => {
    const [late, tooLate] = [mover(5 + CORNER - 0.05, 5, 1), mover(5 + CORNER + 0.05, 5, 1)];
    walk(late, 0, 1, plus);
    walk(tooLate, 0, 1, plus);
    expect(late).toMatchObject({ x: 5, heading: 0 });
    expect(tooLate.heading).toBe(1);
  });

  it("turns back at once", () => {
    const pac = mover(3.3, 5, 1);
    walk(pac, 3, 0.5, plus);
    expect(pac.x).toBeCloseTo(2.8);
  });

  it("never enters a wall, whatever is pressed", () => {
    const maze = new Maze(4);
    const open = (x: number, y: number): boolean => maze.open(x, y);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...HEADINGS), fc.double({ min: 0.01, max: 0.4, noNaN: true })), {
          maxLength: 300,
        }),
        (moves) => {
          const start = maze.middleOf(9);
          const pac = mover(start % SIDE, Math.floor(start / SIDE), 1);
          for (const [want, distance] of moves) {
            walk(pac, want, distance, open);
            expect(maze.at(Math.round(pac.x), Math.round(pac.y))).toBe(FLOOR);
            expect(
              Math.min(Math.abs(pac.x - Math.round(pac.x)), Math.abs(pac.y - Math.round(pac.y))),
            ).toBeLessThanOrEqual(CORNER + 1e-6);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("glide", () => {
  it("asks at every centre and follows the answer", () => {
    const asked: [number, number][] = [];
    const ghost = mover(3, 5, 1);
    glide(ghost, 3.5, (x, y) => {
      asked.push([x, y]);
      return x === 5 ? 2 : 1;
    });
    expect(asked).toEqual([
      [3, 5],
      [4, 5],
      [5, 5],
      [5, 6],
    ]);
    expect(ghost.x).toBe(5);
    expect(ghost.y).toBeCloseTo(6.5);
  });

  it("moves as far in many small steps as in one", () => {
    const [whole, parts] = [mover(1, 5, 1), mover(1, 5, 1)];
    const choose = (x: number): Heading => (x >= 5 ? 0 : 1);
    glide(whole, 6, choose);
    for (let step = 0; step < 60; step++) glide(parts, 0.1, choose);
    expect(parts.x).toBeCloseTo(whole.x);
    expect(parts.y).toBeCloseTo(whole.y);
  });
});
