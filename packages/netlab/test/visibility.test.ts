/** Fog of war from the clients' side: rules that are asked when something changed, and the vision of teams. What may not be known of is never in a packet. */

import { zones } from "@nearfield/core";
import type { Player } from "@nearfield/server";
import { describe, expect, it } from "vitest";
import { Lab } from "../src/index.ts";
import { ROUGH } from "./conditions.ts";
import { protocol, Ship, view } from "./scenario.ts";

type LabOptions = ConstructorParameters<typeof Lab>[0];

const ROUND_MS = 50;
const ranged = zones(Ship, { radii: [50], bounds: [{ time: 0 }, { time: 100 }], range: 150 });

function foggy(visible: LabOptions["visible"], more: Partial<LabOptions> = {}): Lab {
  return new Lab({ protocol, view, roundMs: ROUND_MS, ...(visible && { visible }), ...more });
}

describe("a rule that is asked when something changed", () => {
  it("is asked once of each object, and again when the game says so", () => {
    const secret = new Set<number>();
    let asked = 0;
    const lab = foggy(
      {
        whenChanged: (_, entity) => {
          asked++;
          return !secret.has(entity.id);
        },
      },
      { auditSample: 0 },
    );
    const [spy, other] = [lab.world.spawn(Ship, { x: 1, y: 1 }), lab.world.spawn(Ship, { x: 2, y: 2 })];
    secret.add(spy.id);
    const ann = lab.join("ann");
    lab.run(1000);
    expect([ann.world.get(spy.id), ann.world.get(other.id)?.["x"]]).toEqual([undefined, 2]);
    asked = 0;
    spy.x = 3;
    other.x = 4;
    lab.run(1000);
    expect(asked).toBe(0);
    secret.clear();
    lab.server.main.visibilityChanged(spy);
    lab.run(1000);
    expect([asked, ann.world.get(spy.id)?.["x"]]).toEqual([1, 3]);
    secret.add(other.id);
    lab.server.main.visibilityChanged(other);
    lab.run(1000);
    expect(ann.world.get(other.id)).toBe(undefined);
  });

  it("is asked anew of all that a player sees", () => {
    const traitors = new Set<Player>();
    const lab = foggy({ whenChanged: (player) => traitors.has(player) });
    lab.world.spawn(Ship, { x: 1, y: 1 });
    const [ann, ben] = [lab.join("ann"), lab.join("ben")];
    lab.run(500);
    const [first] = [...lab.server.main.players.values()] as [Player];
    traitors.add(first);
    lab.server.main.visibilityChanged(first);
    lab.run(500);
    expect([ann.world.count, ben.world.count]).toEqual([1, 0]);
    expect(lab.server.main.audit.faults).toBe(0);
  });

  it("is found out by the auditor where the game forgot to tell", () => {
    let isSecret = false;
    const lab = foggy({ whenChanged: () => !isSecret });
    lab.world.spawn(Ship, { x: 1, y: 1 });
    lab.join("ann");
    lab.run(1000);
    expect(lab.server.main.audit.faults).toBe(0);
    isSecret = true;
    lab.run(3000);
    expect(lab.server.main.audit.faults).toBeGreaterThan(0);
  });
});

describe("the vision of teams", () => {
  /** By session number: the first player is of team 0, the second of team 1, and the third has none. */
  function battle(more: Partial<LabOptions> = {}): Lab {
    const numbers: number[] = [];
    const teamOfSession = (session: number): number | undefined => {
      if (!numbers.includes(session)) numbers.push(session);
      const team = numbers.indexOf(session);
      return team < 2 ? team : undefined;
    };
    return foggy(
      {
        teams: {
          area: { min: [0, 0], max: [1000, 1000] },
          cell: 20,
          teamOf: (player) => teamOfSession(player.id),
          teamOfObject: (entity) => (entity.owner === 0 ? undefined : teamOfSession(entity.owner)),
          sight: () => 100,
          blocks: (x) => x > 480 && x < 500,
        },
      },
      more,
    );
  }

  it("shows what a unit of the team sees, around no wall, and nothing else", () => {
    const lab = battle();
    const [ann, ben, cay] = [lab.join("ann"), lab.join("ben"), lab.join("cay")];
    lab.run(500);
    const [a, b] = [...lab.server.main.players.keys()];
    const scout = lab.world.spawn(Ship, { x: 110, y: 110 }, { owner: a! });
    const enemy = lab.world.spawn(Ship, { x: 310, y: 110 }, { owner: b! });
    const tree = lab.world.spawn(Ship, { x: 170, y: 110 });
    const known = (client: typeof ann): boolean[] =>
      [scout, enemy, tree].map(({ id }) => client.world.get(id) !== undefined);
    lab.run(500);
    expect([known(ann), known(ben), known(cay)]).toEqual([
      [true, false, true],
      [false, true, false],
      [false, false, false],
    ]);
    scout.x = 230;
    lab.run(500);
    expect([known(ann), known(ben)]).toEqual([
      [true, true, true],
      [true, true, false],
    ]);
    scout.x = 470;
    enemy.x = 510;
    lab.run(500);
    expect([known(ann), known(ben)]).toEqual([
      [true, false, false],
      [false, true, false],
    ]);
    lab.world.destroy(scout);
    enemy.x = 110;
    lab.run(500);
    expect([known(ann), known(ben)]).toEqual([
      [false, false, false],
      [false, true, true],
    ]);
    expect(lab.server.main.audit.faults).toBe(0);
  });

  it("holds on a rough path: what the auditor draws is as it should be, and clients hold nothing hidden", () => {
    const lab = battle({ view: ranged, seed: 7 });
    const clients = ["ann", "ben"].map((name) => lab.join(name, ROUGH));
    lab.run(2000);
    const owners = [...lab.server.main.players.keys()];
    const ships = Array.from({ length: 60 }, (_, i) =>
      lab.world.spawn(Ship, { x: (i * 137) % 1000, y: (i * 71) % 1000 }, { owner: owners[i % 3] ?? 0 }),
    );
    for (const [i, player] of [...lab.server.main.players.values()].entries()) player.pivotOn(ships[i]!);
    lab.server.onRound(() => {
      for (const [i, ship] of ships.entries()) {
        ship.x = (ship.x + 4 + (i % 5)) % 1000;
        ship.y = (ship.y + 3 + (i % 7)) % 1000;
      }
    });
    lab.run(20_000);
    const { audit } = lab.server.main;
    expect(audit.faults).toBe(0);
    expect(clients.every(({ world }) => world.count > 0)).toBe(true);
  });

  it("reports a team that is none, and shows less", () => {
    const errors: string[] = [];
    const lab = foggy(
      {
        teams: {
          area: { min: [0, 0], max: [1000, 1000] },
          cell: 50,
          teamOf: () => 0,
          teamOfObject: () => 99,
          sight: () => 100,
        },
      },
      { onError: (_, where) => errors.push(where) },
    );
    lab.world.spawn(Ship, { x: 1, y: 1 });
    const ann = lab.join("ann");
    lab.run(500);
    expect(ann.world.count).toBe(0);
    expect(new Set(errors)).toEqual(new Set(["main: visible: teamOfObject"]));
  });
});
