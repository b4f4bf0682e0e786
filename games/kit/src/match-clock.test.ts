import { expect, it } from "vitest";
import { MatchClock } from "./match-clock.ts";

it("a match is play, then the board, then the next; who wins ends it early", () => {
  const clock = new MatchClock(100, 1000, 300);
  expect(clock.advance(1099, false)).toBeUndefined();
  expect(clock.advance(1100, false)).toBe("over");
  expect(clock).toMatchObject({ phase: "over", endsMs: 1400, match: 1 });
  expect(clock.advance(1399, true)).toBeUndefined();
  expect(clock.advance(1400, false)).toBe("play");
  expect(clock).toMatchObject({ phase: "play", endsMs: 2400, match: 2 });
  expect(clock.advance(1500, true)).toBe("over");
});
