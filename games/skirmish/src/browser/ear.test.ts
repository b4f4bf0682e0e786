import { describe, expect, it } from "vitest";
import { Camera } from "./camera.ts";
import { Ear } from "./ear.ts";

function earOver(x: number, y: number, zoom: number): Ear {
  const camera = new Camera();
  camera.width = 1280;
  camera.height = 800;
  camera.fit({ size: 2048 });
  camera.cutTo(x, y, zoom);
  const ear = new Ear();
  ear.listen(camera);
  return ear;
}

describe("ear", () => {
  it("hears what is in the middle of the screen best, and nothing far off it", () => {
    const ear = earOver(1000, 1000, 2);
    const middle = ear.hear("blast", 0, 1000, 1000).loud;
    const edge = ear.hear("blast", 1000, 1300, 1000).loud;
    expect(middle).toBe(1);
    expect(edge).toBeLessThan(middle);
    expect(edge).toBeGreaterThan(0);
    expect(ear.hear("blast", 2000, 1000, 1990).loud).toBe(0);
  });

  it("hears on which side it is", () => {
    const ear = earOver(1000, 1000, 2);
    expect(ear.hear("blast", 0, 1200, 1000).side).toBeGreaterThan(0.2);
    expect(ear.hear("blast", 1000, 800, 1000).side).toBeLessThan(-0.2);
  });

  it("hears less from higher up", () => {
    expect(earOver(1000, 1000, 0.5).hear("blast", 0, 1000, 1000).loud).toBeLessThan(0.5);
  });

  it("lets a thousand shots in a second through only now and then", () => {
    const ear = earOver(1000, 1000, 2);
    let heard = 0;
    for (let shot = 0; shot < 1000; shot++) if (ear.hear("shot", shot, 1000 + (shot % 200), 1000).loud > 0) heard++;
    expect(heard).toBeGreaterThan(10);
    expect(heard).toBeLessThan(40);
  });

  it("hears what has no place wholly", () => {
    expect(earOver(1000, 1000, 0.4).hear("click", 0)).toEqual({ loud: 1, side: 0 });
  });
});
