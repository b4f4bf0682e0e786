import { describe, expect, it } from "vitest";
import { ROOM, roomCentre } from "../maze.ts";
import { Camera, stageFor } from "./camera.ts";

describe("stage", () => {
  it.each([
    [1280, 800, true],
    [1920, 1080, true],
    [390, 844, false],
    [844, 390, true],
    [320, 568, false],
    [768, 1024, false],
  ])("fits into %i×%i", (width, height, wide) => {
    const stage = stageFor(width, height);
    expect(stage.wide).toBe(wide);
    expect(stage.left).toBeGreaterThanOrEqual(0);
    expect(stage.top).toBeGreaterThanOrEqual(0);
    expect(stage.left + stage.size).toBeLessThanOrEqual(width);
    expect(stage.top + stage.size).toBeLessThanOrEqual(height);
    expect(stage.size).toBeGreaterThan(250);
  });
});

describe("camera", () => {
  const inRoom = (column: number, row: number) => ({ x: roomCentre(column), y: roomCentre(row) });
  function settled(camera: Camera, own: { x: number; y: number }, overview = false): Camera {
    for (let step = 0; step < 200; step++) camera.follow(own, overview, 16);
    return camera;
  }

  it("fills the stage with the avatar's room, wherever in it the avatar is", () => {
    const camera = new Camera();
    camera.stage = stageFor(1280, 800);
    settled(camera, { x: roomCentre(2) + 6, y: roomCentre(3) - 6 });
    expect(camera.tile).toBeCloseTo(camera.stage.size / ROOM);
    expect(camera.screenX(roomCentre(2))).toBeCloseTo(camera.stage.left + camera.stage.size / 2);
    expect(camera.screenY(roomCentre(3))).toBeCloseTo(camera.stage.top + camera.stage.size / 2);
  });

  it("slides to the next room instead of jumping, and does not flutter on the threshold", () => {
    const camera = new Camera();
    camera.stage = stageFor(1280, 800);
    settled(camera, inRoom(2, 3));
    const before = camera.screenX(0);
    const threshold = roomCentre(2) + ROOM / 2;
    camera.follow({ x: threshold + 0.1, y: roomCentre(3) }, false, 16);
    expect(camera.column).toBe(2);
    camera.follow({ x: threshold + 0.5, y: roomCentre(3) }, false, 16);
    expect(camera.column).toBe(3);
    camera.follow({ x: threshold - 0.1, y: roomCentre(3) }, false, 16);
    expect(camera.column).toBe(3);
    const moved = before - camera.screenX(0);
    expect(moved).toBeGreaterThan(0);
    expect(moved).toBeLessThan(camera.stage.size / 2);
  });

  it("looks from above at the avatar itself", () => {
    const camera = new Camera();
    camera.stage = stageFor(1280, 800);
    const own = { x: roomCentre(4) + 5, y: roomCentre(4) };
    settled(camera, own, true);
    expect(camera.screenX(own.x)).toBeCloseTo(camera.stage.left + camera.stage.size / 2);
    expect(camera.tile).toBeLessThan(camera.stage.size / ROOM / 4);
  });
});
