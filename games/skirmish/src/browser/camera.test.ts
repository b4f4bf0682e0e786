import { Dice } from "@nearfield/kit";
import { describe, expect, it } from "vitest";
import { Camera } from "./camera.ts";

const MAP = { size: 2048 };

function cameraOf(width = 1280, height = 800): Camera {
  const camera = new Camera();
  camera.width = width;
  camera.height = height;
  camera.fit(MAP);
  return camera;
}

function settle(camera: Camera, frames = 120): void {
  for (let frame = 0; frame < frames; frame++) camera.step(16);
}

const spot = () => ({ x: 0, y: 0 });

describe("camera", () => {
  it("shows the whole map after fitting", () => {
    const camera = cameraOf();
    for (const [x, y] of [
      [0, 0],
      [MAP.size, 0],
      [0, MAP.size],
      [MAP.size, MAP.size],
    ] as const) {
      const at = camera.toScreen(x, y, spot());
      expect(at.x).toBeGreaterThanOrEqual(0);
      expect(at.x).toBeLessThanOrEqual(1280);
      expect(at.y).toBeGreaterThanOrEqual(0);
      expect(at.y).toBeLessThanOrEqual(800);
    }
  });

  it("finds on the screen what it finds in the world, however it is turned", () => {
    const dice = new Dice(1, "camera");
    const camera = cameraOf();
    for (let round = 0; round < 50; round++) {
      camera.cutTo(dice.next() * MAP.size, dice.next() * MAP.size, 0.5 + dice.next() * 3);
      camera.turn(dice.next() * 2);
      camera.rise = dice.next();
      settle(camera, 3);
      const [sx, sy] = [dice.next() * 1280, dice.next() * 800];
      const world = camera.toWorld(sx, sy, spot());
      const back = camera.toScreen(world.x, world.y, spot());
      expect(back.x).toBeCloseTo(sx, 6);
      expect(back.y).toBeCloseTo(sy, 6);
    }
  });

  it("keeps what is under the pointer there while it zooms, turned or not", () => {
    for (const turn of [0, 0.7]) {
      const camera = cameraOf();
      camera.cutTo(1000, 1000, 2);
      camera.turn(turn);
      settle(camera);
      const before = camera.toWorld(900, 250, spot());
      camera.zoomAt(900, 250, 1.6);
      for (let frame = 0; frame < 60; frame++) {
        camera.step(16);
        const now = camera.toWorld(900, 250, spot());
        expect(now.x).toBeCloseTo(before.x, 6);
        expect(now.y).toBeCloseTo(before.y, 6);
      }
      expect(camera.zoom).toBeCloseTo(3.2, 6);
    }
  });

  it("moves by what the screen calls right and down", () => {
    const camera = cameraOf();
    camera.cutTo(1000, 1000, 2);
    camera.turn(Math.PI / 2);
    settle(camera);
    camera.moveBy(100, 40);
    settle(camera);
    expect(camera.x).toBeCloseTo(1000 - 20, 6);
    expect(camera.y).toBeCloseTo(1000 + 50, 6);
  });

  it("arrives at the same place at any frame rate", () => {
    const [fast, slow] = [cameraOf(), cameraOf()];
    for (const camera of [fast, slow]) {
      camera.cutTo(1000, 1000, 2);
      camera.moveBy(300, -200);
      camera.turn(0.5);
    }
    for (let frame = 0; frame < 12; frame++) fast.step(8);
    for (let frame = 0; frame < 3; frame++) slow.step(32);
    expect(fast.x).toBeCloseTo(slow.x, 6);
    expect(fast.y).toBeCloseTo(slow.y, 6);
    expect(fast.rotation).toBeCloseTo(slow.rotation, 6);
  });

  it("stays on the map", () => {
    const camera = cameraOf();
    camera.cutTo(1000, 1000, 2);
    camera.moveBy(-100_000, 100_000);
    settle(camera);
    const corner = camera.toWorld(0, 800, spot());
    expect(corner.x).toBeCloseTo(-48, 0);
    expect(corner.y).toBeCloseTo(MAP.size + 48, 0);
    camera.zoomAt(0, 0, 1e-9);
    settle(camera);
    expect(camera.zoom).toBeCloseTo(camera.leastZoom, 6);
    expect([camera.x, camera.y]).toEqual([1024, 1024]);
  });

  it("names the rectangle that the screen shows, with a margin of one large unit", () => {
    const dice = new Dice(2, "camera");
    const camera = cameraOf(390, 844);
    for (let round = 0; round < 30; round++) {
      camera.cutTo(300 + dice.next() * 1400, 300 + dice.next() * 1400, 1 + dice.next() * 3);
      camera.turn(dice.next() * 3);
      settle(camera, 2);
      const { at, size, rotation } = camera.rectangle();
      const corner = camera.toWorld(390, 844, spot());
      const [dx, dy] = [corner.x - at[0], corner.y - at[1]];
      expect(dx * Math.cos(rotation) + dy * Math.sin(rotation) + 16).toBeCloseTo(size[0] / 2, 6);
      expect(dy * Math.cos(rotation) - dx * Math.sin(rotation) + 16).toBeCloseTo(size[1] / 2, 6);
    }
  });

  it("asks for no more of the world while it is seen from higher up", () => {
    const camera = cameraOf();
    camera.cutTo(1000, 1000, 2);
    const plain = camera.rectangle();
    camera.rise = 1;
    expect(camera.rectangle()).toEqual(plain);
    const corner = camera.toWorld(0, 0, spot());
    expect(corner.x).toBeLessThan(1000 - plain.size[0] / 2);
  });
});
