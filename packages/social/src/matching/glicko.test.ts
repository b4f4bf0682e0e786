/** Glicko-2 against the example that its author published, and what must hold for any games. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { asOne, NEWCOMER, rate, rest } from "./glicko.ts";

it("gives the numbers of the paper's example: three opponents, 1500/200 becomes 1464.06/151.52, volatility 0.05999", () => {
  const after = rate({ rating: 1500, deviation: 200, volatility: 0.06 }, [
    { opponent: { rating: 1400, deviation: 30 }, score: 1 },
    { opponent: { rating: 1550, deviation: 100 }, score: 0 },
    { opponent: { rating: 1700, deviation: 300 }, score: 0 },
  ]);
  // The paper carries four digits; with all digits the rating is 1464.0507.
  expect(after.rating).toBeCloseTo(1464.06, 1);
  expect(after.deviation).toBeCloseTo(151.52, 2);
  expect(Math.floor(after.volatility * 1e5) / 1e5).toBe(0.05999); // the paper cuts 0.059996
});

it("grows more certain with games, less certain with rest, and never less certain than a newcomer", () => {
  const score = fc.constantFrom(0, 0.5, 1);
  const rating = fc.double({ min: 500, max: 3000, noNaN: true });
  const deviation = fc.double({ min: 30, max: 350, noNaN: true });
  const volatility = fc.double({ min: 0.03, max: 0.2, noNaN: true });
  const games = fc.array(fc.record({ opponent: fc.record({ rating, deviation }), score }), {
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(fc.record({ rating, deviation, volatility }), games, (player, played) => {
      const after = rate(player, played);
      for (const value of Object.values(after)) expect(Number.isFinite(value)).toBe(true);
      expect(after.deviation).toBeLessThanOrEqual(
        Math.min(350, rest({ ...player, volatility: after.volatility }, 1) + 1e-9),
      );
      expect(after.volatility).toBeGreaterThan(0);
      if (played.every((game) => game.score === 1)) expect(after.rating).toBeGreaterThanOrEqual(player.rating);
      if (played.every((game) => game.score === 0)) expect(after.rating).toBeLessThanOrEqual(player.rating);
    }),
  );
  expect(rate(NEWCOMER, [])).toEqual(NEWCOMER);
  expect(rest({ rating: 1500, deviation: 50, volatility: 0.06 }, 1)).toBeCloseTo(51.07, 1);
});

it("takes a team for one opponent", () => {
  expect(
    asOne([
      { rating: 1400, deviation: 30, volatility: 0.06 },
      { rating: 1600, deviation: 40, volatility: 0.06 },
    ]),
  ).toEqual({
    rating: 1500,
    deviation: Math.sqrt(1250),
  });
});
