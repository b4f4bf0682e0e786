import { expect, it } from "vitest";
import { asteroids } from "./asteroids.ts";
import { avatars } from "./avatars.ts";
import { measureVolume } from "./measure.ts";

it.each([
  { scene: asteroids, bits: 10.7 },
  { scene: avatars, bits: 30 },
])("the scene plays, arrives whole and takes few bits: $scene.name", ({ scene, bits }) => {
  const { updates, bitsPerUpdate } = measureVolume(scene, 300);
  expect(updates).toBeGreaterThan(300);
  expect(bitsPerUpdate).toBeLessThan(bits);
});
