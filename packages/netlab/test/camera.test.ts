/** A player who looks through a camera: what it shows is exact, what lies around it is not, and a still camera costs nothing. */

import { Lab } from "@nearfield/netlab";
import { object, Protocol, quantized } from "@nearfield/schema";
import { describe, expect, test } from "vitest";

const place = quantized(0, 1000, 0.01);
const Unit = object("unit", { x: place, y: place }, { position: ["x", "y"] });
const COEFFICIENTS = [2, 4];

function scene() {
  const sets = [
    {
      match: "everything" as const,
      radii: [50, 100, 200],
      bounds: [{ value: 0 }, { value: 2 }, { value: 8 }, { value: 32 }],
    },
  ];
  const lab = new Lab({
    protocol: new Protocol({ objects: [Unit] }),
    view: { sets, pivots: [] },
    viewLimits: { sets, pivots: 1, cameras: 2 },
    mayPivot: (_, pivot) => "camera" in pivot,
    roundMs: 50,
    seed: 8,
  });
  /** One every 20 units, all of them on the move. */
  const units = Array.from({ length: 2500 }, (_, at) =>
    lab.world.spawn(Unit, { x: (at % 50) * 20, y: Math.floor(at / 50) * 20 }),
  );
  lab.server.onRound(() => {
    for (const unit of units) unit.x = Math.min(999, unit.x + 0.3);
  });
  const ann = lab.join("ann", { latencyMs: 20 });
  return { lab, ann, units };
}

describe("a camera", () => {
  test("has what it shows exact: a rectangle, turned as it is", () => {
    const { lab, ann, units } = scene();
    const rotation = Math.PI / 5;
    const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
    ann.client.setPivots([{ camera: [500, 500], size: [160, 90], rotation, coefficients: COEFFICIENTS }]);
    lab.run(3000);
    const errors = [0, 0, 0, 0];
    for (const unit of units) {
      const [dx, dy] = [unit.x - 500, unit.y - 500];
      const reach = Math.max(Math.abs(cos * dx + sin * dy) / 80, Math.abs(cos * dy - sin * dx) / 45);
      // Not the last ones on either side of an edge: what was sent is a few rounds old.
      const zone = [1, ...COEFFICIENTS, 99].findIndex((edge) => reach <= edge * 0.95);
      const replica = ann.world.get(Unit, unit.id)!;
      errors[zone] = Math.max(errors[zone]!, Math.hypot(unit.x - replica.x, unit.y - replica.y));
    }
    // A round trip and two rounds of movement come on top of the bounds.
    const late = 0.3 * 4;
    expect(errors[0]).toBeLessThan(late);
    expect(errors[1]).toBeLessThan(2 + late);
    expect(errors[2]).toBeLessThan(8 + late);
    expect(errors[3]).toBeLessThan(32 + late);
    expect(errors[3]).toBeGreaterThan(8);
    expect(lab.server.main.audit.faults).toBe(0);
  });

  test("is told to the server when it has moved far enough, and at rest not at all", () => {
    const { lab, ann } = scene();
    const pan = (frames: number, by: number): number => {
      const before = ann.client.traffic!.sequenced.messagesOut;
      for (let frame = 0; frame < frames; frame++) {
        ann.client.setPivots([{ camera: [500 + frame * by, 500], size: [160, 90], coefficients: COEFFICIENTS }]);
        lab.run(16);
      }
      return ann.client.traffic!.sequenced.messagesOut - before;
    };
    pan(60, 0);
    const still = pan(125, 0);
    const moving = pan(125, 1);
    // 124 units, a message for every 1.8 of them, at most one for two frames.
    expect(moving - still).toBeGreaterThan(30);
    expect(moving - still).toBeLessThan(80);
  });
});
