/** The camera: between world and screen, ahead of the aim, inside the level. */

import { describe, expect, it } from "vitest";
import { Camera, type Following } from "./camera.ts";

const LEVEL = { width: 2000, height: 2000 };
const rest: Following = {
  x: 1000,
  y: 900,
  aimX: 0,
  aimY: 0,
  faceX: 1,
  faceY: 0,
  scoped: false,
  overview: false,
};

function cameraAt(following: Following, frames = 1): Camera {
  const camera = new Camera();
  camera.width = 1280;
  camera.height = 720;
  for (let frame = 0; frame < frames; frame++) camera.follow(following, 16, LEVEL);
  return camera;
}

describe("the camera", () => {
  it("has the player in the middle, and leads from the screen back to the same place", () => {
    const camera = cameraAt(rest);
    expect([camera.screenX(1000), camera.screenY(900)]).toEqual([640, 360]);
    expect(camera.worldX(camera.screenX(777))).toBeCloseTo(777, 9);
  });

  it("looks ahead of the aim, and far ahead through the scope", () => {
    const aimed = cameraAt({ ...rest, aimX: 400 }, 120);
    expect(aimed.x).toBeGreaterThan(1020);
    const scoped = cameraAt({ ...rest, scoped: true }, 240);
    expect(scoped.x - 1000).toBeGreaterThan(200);
    expect(scoped.screenX(1000)).toBeGreaterThan(0);
    const upwards = cameraAt({ ...rest, scoped: true, faceX: 0, faceY: -1 }, 240);
    expect(upwards.screenY(900)).toBeLessThan(720 * 0.91);
  });

  it("rises for the overlay until the second zone fits", () => {
    const camera = cameraAt({ ...rest, overview: true }, 240);
    expect(camera.width / camera.scale).toBeGreaterThan(1200);
  });

  it("knows the scope's view while it looks from above: the floor shows the zones in force", () => {
    const camera = cameraAt({ ...rest, overview: true, scoped: true }, 240);
    expect([camera.scope, camera.zoom]).toEqual([0, 1]);
  });

  it("shows little of what is beyond the level", () => {
    const camera = cameraAt({ ...rest, x: 10, y: 1990 });
    expect(camera.worldX(0)).toBeCloseTo(-70, 6);
    expect(camera.worldY(720)).toBeCloseTo(2070, 6);
  });

  it("trembles for a while after a blow and then stands still", () => {
    const camera = cameraAt(rest);
    camera.shake(10, 1000);
    camera.tremble(1020);
    expect(Math.hypot(camera.shakeX, camera.shakeY)).toBeGreaterThan(1);
    camera.tremble(2000);
    expect([camera.shakeX, camera.shakeY]).toEqual([0, 0]);
  });
});
