import { expect, test } from "vitest";
import { busyClock } from "./busy-clock.ts";

test("runs while the process works, and never faster than time", () => {
  let [now, used] = [100, 7];
  const clock = busyClock(
    () => now,
    () => used,
  );
  expect(clock()).toBe(0);
  // Alone on the machine.
  [now, used] = [110, 17];
  expect(clock()).toBe(10);
  // Interrupted for 30 ms.
  [now, used] = [150, 27];
  expect(clock()).toBe(20);
  // Two threads worked.
  [now, used] = [160, 47];
  expect(clock()).toBe(30);
});
