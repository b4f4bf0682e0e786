/**
 * A client proposes a view at the room's own radii and bounds and tries to be sent more than the room grants: by another shape, metric, clock,
 * set order, by groups and pivots. Each attempt is played twice on the same dice, once with the proposal and once without, and what the server
 * sent is counted. Random proposals are in `packages/core/test/clamp-holds.test.ts`.
 */

import { proposeView } from "@nearfield/client/views";
import type { Bound, Pivot, ViewSettings } from "@nearfield/core";
import type { ObjectSetSettings } from "@nearfield/core/internal";
import { angle, event, object, Protocol, quantized, uint } from "@nearfield/schema";
import { along } from "@nearfield/server";
import { describe, expect, it } from "vitest";
import { Lab, type LabClient } from "../src/index.ts";
import { seeds } from "./seeds.ts";

const SIZE = 2000;
const place = quantized(0, SIZE, 0.1);
const speed = quantized(-200, 200, 0.5);
const Ship = object(
  "ship",
  { x: place, y: place, heading: angle(8), hull: uint(10), vx: speed, vy: speed },
  { position: ["x", "y"], orientation: "heading", velocity: ["vx", "vy"] },
);
const Shot = event("shot", { number: uint(16) });
const protocol = new Protocol({ objects: [Ship], events: [Shot] });
const ROUND_MS = 50;
const OWN = [
  { x: 1000, y: 1000 },
  { x: 200, y: 1000 },
  { x: 1800, y: 1000 },
];

type Proposal = (room: ObjectSetSettings, own: readonly Pivot[]) => ViewSettings;

interface Attempt {
  readonly sets: readonly ObjectSetSettings[];
  readonly role?: "spectator";
  readonly propose: Proposal;
}

/** A world full of ships that swing to and fro, tremble, stop and go on; velocities that lie. */
function people(lab: Lab): void {
  const dice = lab.dice.fork("people");
  for (let i = 0; i < 160; i++) {
    const tags = i % 2 === 0 ? ["crowd"] : [];
    lab.world.spawn(
      Ship,
      { x: dice.range(0, SIZE), y: dice.range(0, SIZE), hull: 500, vx: dice.range(-90, 90) },
      { tags },
    );
  }
  let round = 0;
  lab.server.onRound((world) => {
    round += 1;
    for (const ship of world.all(Ship)) {
      if (ship.owner !== 0) continue;
      // Every third ship rests, and stirs once in two seconds.
      if (ship.id % 3 === 0 && round % 40 !== ship.id % 40) continue;
      ship.x = Math.max(0, Math.min(SIZE, ship.x + (round % 8 < 4 ? 3 : -3)));
      if (ship.id % 5 === 0) ship.hull = 400 + (round % 2) * 200;
    }
  });
}

/** What one client is sent in ten seconds, and how many events it hears. */
function played(seed: number, { sets, role, propose }: Attempt, proposes: boolean): { updates: number; heard: number } {
  const lab = new Lab({ protocol, view: { sets, pivots: [] }, roundMs: ROUND_MS, seed, spectators: "anybody" });
  people(lab);
  lab.server.onJoin((player) => {
    const own = OWN.map((at) => lab.world.spawn(Ship, { ...at, heading: 0 }, { owner: player.id }));
    player.pivotOn(own[0]!);
  });
  lab.server.onRound(() => lab.server.emit(Shot, { number: 1 }, along([1000, 1900], [1010, 1900], { zone: 0 })));
  let heard = 0;
  const ann: LabClient = lab.join("ann", {}, role === undefined ? {} : { role });
  ann.client.onEvent(Shot, () => (heard += 1));
  lab.until(() => ann.world.count > 100);
  const [player] = lab.server.main.players.values();
  if (proposes) {
    const own = player!.owned().map(({ id }) => ({ object: id }));
    void proposeView(ann.client, propose(sets.at(-1)!, own)).catch(() => {});
  }
  lab.run(1000);
  const { telemetry } = player!;
  const before = telemetry.recordsChanged + telemetry.recordsWhole;
  heard = 0;
  lab.run(10_000);
  expect(ann.client.state).toBe("active");
  return { updates: telemetry.recordsChanged + telemetry.recordsWhole - before, heard };
}

function everything(set: Omit<ObjectSetSettings, "match">): ObjectSetSettings {
  return { ...set, match: "everything" };
}

const RINGS: Omit<ObjectSetSettings, "match"> = {
  radii: [300, 700],
  bounds: [{ time: 120, value: 5 }, { time: 500, value: 25 }, { time: 4000 }],
};
const BY_VALUE = everything({
  radii: [300, 700],
  bounds: [{ time: 2000, value: 13 }, { time: 2000, value: 40 }, { time: 4000 }],
});
const AT_ONCE: Bound = { time: 0 };
const asking =
  (more: Partial<ObjectSetSettings>): Proposal =>
  (room, [pivot]) => ({ sets: [{ ...room, ...more }], pivots: [pivot!] });

describe("a proposal at the room's own radii and bounds is sent no more than the room's view, by", () => {
  const attempts: Record<string, Attempt> = {
    square: { sets: [everything(RINGS)], propose: asking({ shape: "square" }) },
    strict: { sets: [everything({ bounds: [{ time: 120 }] })], propose: asking({ strict: true }) },
    path: { sets: [BY_VALUE], propose: asking({ metric: "path" }) },
    predicted: { sets: [BY_VALUE], propose: asking({ metric: "predicted" }) },
    relative: {
      sets: [everything({ radii: [300, 700], bounds: [2000, 2000, 4000].map((time, i) => ({ time, value: 30 + i })) })],
      propose: asking({ metric: "relative:hull" }),
    },
    "refresh for firstMiss": {
      sets: [everything({ ...RINGS, bounds: [{ time: 400 }, { time: 1000 }, { time: 4000 }], clock: "firstMiss" })],
      propose: asking({ clock: "refresh" }),
    },
    "fewer sectors": {
      sets: [
        everything({
          radii: [700],
          sectors: [60],
          bounds: [
            [AT_ONCE, { time: 1000 }],
            [{ time: 1000 }, { time: 4000 }],
          ],
        }),
      ],
      propose: ({ sectors: _, bounds, ...rest }, [pivot]) => ({
        sets: [{ ...rest, bounds: (bounds as Bound[][]).map(([first]) => first!) }],
        pivots: [pivot!],
      }),
    },
    "another order of sets": {
      sets: [
        { match: { tag: "crowd" }, bounds: [{ time: 4000 }] },
        { match: { type: "ship" }, bounds: [{ time: 100 }] },
        everything({ bounds: [{ time: 4000 }] }),
      ],
      propose: (room, [pivot]) => ({
        sets: [{ match: { type: "ship" }, bounds: [{ time: 100 }] }, { match: { tag: "crowd" }, bounds: [{}] }, room],
        pivots: [pivot!],
      }),
    },
    "a group of far objects of its own": {
      sets: [everything(RINGS)],
      propose: (room, own) => ({
        sets: [room],
        pivots: [{ group: own.map((pivot) => (pivot as { object: never }).object), margin: 300, coefficients: [2.3] }],
      }),
    },
    "a pivot on each of its objects": {
      sets: [everything(RINGS)],
      propose: (room, own) => ({ sets: [room], pivots: own }),
    },
    "a spectator's 32 pivots": {
      sets: [everything(RINGS)],
      role: "spectator",
      propose: (room) => ({
        sets: [room],
        pivots: Array.from({ length: 32 }, (_, i) => ({
          point: [1000 - (i % 6) * 150, 1000 - Math.floor(i / 6) * 150],
        })),
      }),
    },
  };

  const cases = Object.entries(attempts).flatMap(([name, attempt]) =>
    seeds(3, 1).map((seed) => [name, seed, attempt] as const),
  );

  it.each(cases)("%s (seed %i)", (_, seed, attempt) => {
    const [without, proposed] = [played(seed, attempt, false), played(seed, attempt, true)];
    expect(without.updates).toBeGreaterThan(50);
    expect(proposed.updates).toBeLessThanOrEqual(without.updates * 1.02 + 5);
  });
});

it.each(seeds(3, 1))(
  "a proposal with one wide zone hears no events that the room's zones keep from it (seed %i)",
  (seed) => {
    const attempt: Attempt = {
      sets: [everything(RINGS)],
      propose: (_room, [pivot]) => ({ sets: [everything({ bounds: [{ time: 4000 }] })], pivots: [pivot!] }),
    };
    expect(played(seed, attempt, false).heard).toBe(0);
    expect(played(seed, attempt, true).heard).toBe(0);
  },
);

it("the room's own view, proposed, is granted as it is", async () => {
  const sets = [everything(RINGS)];
  const lab = new Lab({ protocol, view: { sets, pivots: [] }, roundMs: ROUND_MS });
  const ann = lab.join("ann");
  lab.run(300);
  const answer = proposeView(ann.client, { sets, pivots: [] });
  lab.run(300);
  expect((await answer).clamped).toEqual([]);
});
