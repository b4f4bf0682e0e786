/** The own weapon fires as often as it may, and clicks when it is empty. */

import { expect, it } from "vitest";
import { RIFLE, ROCKET } from "../state.ts";
import { Gun } from "./gun.ts";

it("fires once per reload time, whatever the frame rate", () => {
  const gun = new Gun();
  const magazine = { weapon: "rifle", bullets: 9, rockets: 0 } as const;
  let shots = 0;
  for (let nowMs = 0; nowMs < 10 * RIFLE.reloadMs; nowMs += 5) if (gun.pull(true, magazine, nowMs) === "rifle") shots++;
  expect(shots).toBe(10);
  expect(gun.pull(false, magazine, 1e6)).toBe("nothing");
});

it("reloads longer after a rocket, and clicks now and then when there is none", () => {
  const gun = new Gun();
  const loaded = { weapon: "rocket", bullets: 9, rockets: 1 } as const;
  expect(gun.pull(true, loaded, 1000)).toBe("rocket");
  expect(gun.pull(true, loaded, 1000 + ROCKET.reloadMs - 1)).toBe("nothing");
  expect(gun.pull(true, { ...loaded, rockets: 0 }, 3000)).toBe("empty");
  expect(gun.pull(true, { ...loaded, rockets: 0 }, 3100)).toBe("nothing");
});

it("swaps between two weapons, or to the one that is named", () => {
  const gun = new Gun();
  gun.swap();
  expect(gun.wanted).toBe("rocket");
  gun.swap("rocket");
  expect(gun.wanted).toBe("rocket");
  gun.swap();
  expect(gun.wanted).toBe("rifle");
});
