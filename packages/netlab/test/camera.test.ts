/** A player who looks through a camera: what it shows is exact, what lies around it is not, and a still camera costs nothing. */

import { onViewSet, proposeView, setPivots, viewOf } from "@nearfield/client/views";
import type { ViewLimits, ViewSettings } from "@nearfield/core";
import { Lab, type LabClient } from "@nearfield/netlab";
import { object, Protocol, quantized } from "@nearfield/schema";
import type { Player, RoomOptions } from "@nearfield/server";
import type { RoomSeam } from "@nearfield/server/seam";
import { describe, expect, test } from "vitest";

const place = quantized(0, 1000, 0.01);
const Unit = object("unit", { x: place, y: place }, { position: ["x", "y"] });
const COEFFICIENTS = [2, 4];

function scene(clientPivots: RoomOptions["clientPivots"] = {}) {
  const sets = [
    {
      match: "everything" as const,
      radii: [50, 100, 200],
      bounds: [{ value: 0 }, { value: 2 }, { value: 8 }, { value: 32 }],
    },
  ];
  const view: ViewSettings = { sets, pivots: [] };
  const viewLimits: ViewLimits = { sets, pivots: 1, cameras: 2 };
  const lab = new Lab({
    protocol: new Protocol({ objects: [Unit] }),
    view,
    viewLimits,
    mayPivot: (_, pivot) => "camera" in pivot,
    clientPivots,
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
  return { lab, ann, units, view, viewLimits };
}

describe("a camera", () => {
  test("has what it shows exact: a rectangle, turned as it is", () => {
    const { lab, ann, units } = scene();
    const rotation = Math.PI / 5;
    const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
    setPivots(ann.client, [{ camera: [500, 500], size: [160, 90], rotation, coefficients: COEFFICIENTS }]);
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
    pan(lab, ann, 60, 0);
    const still = pan(lab, ann, 125, 0);
    const moving = pan(lab, ann, 125, 1);
    // 124 units, a message for every 1.8 of them, at most one for two frames.
    expect(moving - still).toBeGreaterThan(30);
    expect(moving - still).toBeLessThan(80);
  });
});

/** Moves the camera by so much a frame. Returns how many messages that took. */
function pan(lab: Lab, ann: LabClient, frames: number, by: number): number {
  const before = ann.client.traffic!.sequenced.messagesOut;
  for (let frame = 0; frame < frames; frame++) {
    setPivots(ann.client, [{ camera: [500 + frame * by, 500], size: [160, 90], coefficients: COEFFICIENTS }]);
    lab.run(16);
  }
  return ann.client.traffic!.sequenced.messagesOut - before;
}

function playerOf(lab: Lab): Player {
  return [...lab.server.main.players.values()][0]!;
}

describe("the room's rules for clients' pivots", () => {
  const coefficientsOf = ({ client }: LabClient): unknown =>
    viewOf(client)!.settings.pivots.map((pivot) => "coefficients" in pivot && pivot.coefficients);

  test("govern how often a client tells of its camera, and its outer zones, without a word back", () => {
    const { lab, ann } = scene({ cameraMoved: 0.2, cameraCoefficients: [3, 5] });
    lab.run(200);
    let told = 0;
    onViewSet(ann.client, () => {
      told += 1;
    });
    pan(lab, ann, 60, 0);
    const still = pan(lab, ann, 125, 0);
    // A message for every 18 of 124 units; acks ride in some of them.
    const moving = pan(lab, ann, 125, 1) - still;
    expect(moving).toBeGreaterThan(0);
    expect(moving).toBeLessThan(10);
    expect(coefficientsOf(ann)).toEqual([[3, 5]]);
    expect(playerOf(lab).settings.pivots).toMatchObject([{ coefficients: [3, 5] }]);
    expect(told).toBe(0);
    expect(lab.server.main.audit.faults).toBe(0);
  });

  test("change while the room runs: cameras that are there get them, too", () => {
    const { lab, ann, view, viewLimits } = scene();
    pan(lab, ann, 60, 0);
    expect(coefficientsOf(ann)).toEqual([COEFFICIENTS]);
    const seam: RoomSeam = lab.server.main.invite((each) => ({ name: "operator", seam: each })).guest.seam;
    seam.applySettings({ view, viewLimits, clientPivots: { cameraCoefficients: [1.5] } });
    lab.run(300);
    expect(coefficientsOf(ann)).toEqual([[1.5]]);
    pan(lab, ann, 60, 1);
    expect(coefficientsOf(ann)).toEqual([[1.5]]);
    seam.applySettings({ view, viewLimits });
    pan(lab, ann, 60, 1);
    lab.run(700);
    expect(coefficientsOf(ann)).toEqual([COEFFICIENTS]);
    expect(lab.server.main.audit.faults).toBe(0);
  });

  test("hold for a client that does not keep to them", async () => {
    const { lab, ann } = scene({ cameraCoefficients: [2] });
    lab.run(200);
    // A proposal states pivots of its own.
    const camera = { camera: [500, 500] as const, size: [160, 90] as const, coefficients: [2, 4] };
    const proposed = proposeView(ann.client, { ...viewOf(ann.client)!.settings, pivots: [camera] });
    lab.run(300);
    expect((await proposed).clamped).toContain("pivots[0].coefficients: are [2] in this room");
    expect(playerOf(lab).settings.pivots).toMatchObject([{ coefficients: [2] }]);
  });
});
