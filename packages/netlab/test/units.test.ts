/** Units: a player's armies become pivots of its view, follow splits and meetings, cost no byte, and the auditor finds every promise kept. */

import { group, ungroup } from "@nearfield/client/units";
import { onViewSet } from "@nearfield/client/views";
import { type Entity, zones } from "@nearfield/core";
import { VIEW_CAPACITY } from "@nearfield/core/internal";
import { encodeGrouping } from "@nearfield/protocol/internal";
import { type ObjectId, object, Protocol, quantized } from "@nearfield/schema";
import type { Player } from "@nearfield/server";
import type { RoomSeam } from "@nearfield/server/seam";
import { describe, expect, it } from "vitest";
import { Lab } from "../src/index.ts";
import type { LabOptions } from "../src/internal/index.ts";

const axis = quantized(0, 4096, 0.1);
const Soldier = object("soldier", { x: axis, y: axis }, { position: ["x", "y"] });
const protocol = new Protocol({ objects: [Soldier] });
const view = zones(Soldier, {
  radii: [50, 100],
  bounds: [
    { time: 50, value: 1 },
    { time: 400, value: 5 },
    { time: 2000, value: 50 },
  ],
  range: 400,
});
const UNITS = { join: 12, part: 20, margin: 40, coefficients: [2] };

interface Armies {
  readonly lab: Lab;
  readonly player: Player;
  readonly soldiers: readonly (Entity & { x: number; y: number })[];
}

/** Ann has 300 soldiers in two armies, far from each other; strangers stand everywhere. */
function twoArmies(units: Pick<LabOptions, "units"> = { units: UNITS }): Armies {
  const lab = new Lab({ protocol, view, roundMs: 50, seed: 5, auditSample: 2000, ...units });
  for (let i = 0; i < 400; i++) lab.world.spawn(Soldier, { x: (i % 20) * 200, y: Math.floor(i / 20) * 200 });
  lab.join("ann", { latencyMs: 20 });
  lab.run(200);
  const [player] = lab.server.main.players.values();
  const soldiers = Array.from({ length: 300 }, (_, i) => {
    const [left, low] = i < 150 ? [500, 500] : [2500, 2500];
    const place = { x: left + (i % 15) * 5, y: low + Math.floor((i % 150) / 15) * 5 };
    return lab.world.spawn(Soldier, place, { owner: player!.id }) as unknown as Entity & { x: number; y: number };
  });
  lab.run(200);
  return { lab, player: player!, soldiers };
}

function unitsOf({ settingsWithUnits, settings }: Player): number {
  return settingsWithUnits.pivots.length - settings.pivots.length;
}

/** Marches soldiers from a place to another, a few units a round. */
function march({ lab, soldiers }: Armies, from: number, to: number, way: number, rounds: number): void {
  for (let round = 0; round < rounds; round++) {
    for (const soldier of soldiers.slice(from, to)) soldier.x += way;
    lab.step(1);
  }
}

describe("a player with two armies", () => {
  it("has two pivots more; a split makes three, meeting again makes two; the auditor finds nothing", () => {
    const armies = twoArmies();
    const { lab, player } = armies;
    expect(unitsOf(player)).toBe(2);
    march(armies, 100, 150, -4, 30);
    expect(unitsOf(player)).toBe(3);
    march(armies, 100, 150, 4, 30);
    lab.run(200);
    expect(unitsOf(player)).toBe(2);
    expect(lab.server.main.audit.faults).toBe(0);
    expect(lab.server.main.audit.examined).toBeGreaterThan(1000);
  });

  it("sees what is near either army, and forgets what neither is near to", () => {
    const { lab, player } = twoArmies();
    lab.run(1000);
    const [client] = lab.clients;
    const seen = [...client!.world.all(Soldier)].filter(({ id }) => player.owned().every((own) => own.id !== id));
    expect(seen.some(({ x }) => x < 1000)).toBe(true);
    expect(seen.some(({ x }) => x > 2200)).toBe(true);
    expect(
      seen.every(({ x, y }) => Math.min(Math.hypot(x - 535, y - 522), Math.hypot(x - 2535, y - 2522)) <= 401),
    ).toBe(true);
  });

  it("is told nothing of its units: no view is sent when an army splits", () => {
    const views: number[] = [];
    const armies = twoArmies();
    onViewSet(armies.lab.clients[0]!.client, () => views.push(1));
    march(armies, 100, 150, -4, 30);
    expect(unitsOf(armies.player)).toBe(3);
    expect(views).toEqual([]);
    expect(armies.player.settings.pivots).toEqual([]);
  });

  it("keeps its own pivots first, and groups by hand what the game says", () => {
    const { lab, player, soldiers } = twoArmies();
    player.setPivots([{ point: [3000, 100] }]);
    player.group([soldiers[0]!, soldiers[299]!]);
    lab.run(100);
    const { pivots } = player.settingsWithUnits;
    expect(pivots[0]).toEqual({ point: [3000, 100] });
    expect(unitsOf(player)).toBe(3);
    player.ungroup([soldiers[0]!, soldiers[299]!]);
    lab.run(100);
    expect(unitsOf(player)).toBe(2);
    expect(() => player.group([lab.world.get(0 as never)!])).toThrow(/is not an object of player ann/);
  });

  it("whose armies change hands or fall has no units left", () => {
    const { lab, player, soldiers } = twoArmies();
    for (const soldier of soldiers.slice(0, 150)) lab.world.destroy(soldier);
    for (const soldier of soldiers.slice(150)) lab.world.setOwner(soldier, 0);
    lab.run(200);
    expect(unitsOf(player)).toBe(0);
    expect(lab.server.main.audit.faults).toBe(0);
  });
});

describe("units by other settings while the room runs", () => {
  const seamOf = ({ lab }: Armies): RoomSeam =>
    lab.server.main.invite((seam) => ({ name: "operator", seam })).guest.seam;

  it("are in force in the next round; units made by hand stay, and the auditor finds nothing", () => {
    const armies = twoArmies();
    const { lab, player, soldiers } = armies;
    player.group([soldiers[0]!, soldiers[299]!]);
    lab.run(100);
    expect(unitsOf(player)).toBe(3);
    // Two armies 2,000 units apart: with this they are one.
    seamOf(armies).applySettings({ view, units: { ...UNITS, join: 3000, part: 3000 } });
    lab.run(100);
    expect(unitsOf(player)).toBe(2);
    seamOf(armies).applySettings({ view, units: { ...UNITS, most: 2, types: ["soldier"] } });
    march(armies, 100, 150, -4, 30);
    expect(unitsOf(player)).toBe(2);
    expect(lab.server.main.audit.faults).toBe(0);
  });

  it("can begin and end: objects that were there before are grouped, and a player keeps no pivot of a unit", () => {
    const armies = twoArmies({});
    const { lab, player } = armies;
    seamOf(armies).applySettings({ view, units: UNITS });
    lab.run(100);
    expect(unitsOf(player)).toBe(2);
    seamOf(armies).applySettings({ view });
    lab.run(100);
    expect(unitsOf(player)).toBe(0);
    expect(() => player.group(armies.soldiers)).toThrow(/has no option units/);
    march(armies, 0, 300, 4, 5);
    expect(lab.server.main.audit.faults).toBe(0);
  });

  it("that leave no room for the pivots a player has are refused, and the old ones stay", () => {
    const armies = twoArmies();
    const { lab, player } = armies;
    player.setPivots(Array.from({ length: 5 }, (_, i) => ({ point: [i * 100, 100] as const })));
    const most = VIEW_CAPACITY.pivots - 4;
    expect(() => seamOf(armies).applySettings({ view, units: { ...UNITS, most } })).toThrow(/with the 5 other pivots/);
    lab.run(100);
    expect(unitsOf(player)).toBe(2);
  });
});

describe("a client that groups its own objects", () => {
  /** Lets time pass until the request is answered: "done", or the code of the refusal. */
  async function answered(lab: Lab, request: Promise<void>): Promise<string> {
    const answer = request.then(
      () => "done",
      ({ code }: { code: string }) => code,
    );
    lab.run(300);
    return answer;
  }

  it("has a unit of them until it releases them or they are gone; again and again, and after a lost link", async () => {
    const { lab, player } = twoArmies();
    const [ann] = lab.clients;
    const mine = ann!.client.allMine(Soldier);
    expect(await answered(lab, group(ann!.client, [mine[0]!, mine[299]!, mine[0]!]))).toBe("done");
    expect(unitsOf(player)).toBe(3);
    expect(await answered(lab, group(ann!.client, [mine[0]!, mine[299]!, mine[5]!]))).toBe("done");
    expect(unitsOf(player)).toBe(3);
    ann!.breakLink();
    lab.run(2000);
    expect(unitsOf(player)).toBe(3);
    expect(await answered(lab, ungroup(ann!.client, [mine[0]!, mine[299]!, mine[5]!]))).toBe("done");
    expect(unitsOf(player)).toBe(2);
    expect(lab.server.main.audit.faults).toBe(0);
  });

  it("is refused what the room does not have, too many units, and objects that are gone", async () => {
    const { lab, player, soldiers } = twoArmies({ units: { ...UNITS, most: 3 } });
    const { client } = lab.clients[0]!;
    const mine = client.allMine(Soldier);
    expect(await answered(lab, group(client, mine.slice(0, 3)))).toBe("done");
    expect(await answered(lab, group(client, mine.slice(3, 6)))).toBe("done");
    expect(await answered(lab, group(client, mine.slice(6, 9)))).toBe("quota");
    // All of one and all of the other: one unit fewer.
    expect(await answered(lab, group(client, mine.slice(0, 6)))).toBe("done");
    const request = group(client, mine.slice(6, 9));
    for (const { id } of mine.slice(6, 9)) lab.world.destroy({ id });
    expect(await answered(lab, request)).toBe("gone");
    const passed = group(client, mine.slice(9, 11));
    for (const { id } of mine.slice(9, 11)) lab.world.setOwner({ id }, 0);
    expect(await answered(lab, passed)).toBe("gone");
    expect(player.owned().length).toBe(soldiers.length - 5);
    const without = twoArmies({});
    without.player.setPivots([{ point: [500, 500] }]);
    without.lab.run(300);
    const few = without.lab.clients[0]!.client.allMine(Soldier).slice(0, 2);
    expect(await answered(without.lab, group(without.lab.clients[0]!.client, few))).toBe("not-allowed");
  });

  it("cannot name objects of others, nor too many", () => {
    const { lab } = twoArmies();
    const { client } = lab.clients[0]!;
    const [stranger] = [...client.world.all(Soldier)].filter((each) => !client.world.isMine(each));
    expect(() => group(client, [stranger!])).toThrow(/is not an object of this client/);
    const many = Array.from({ length: 1025 }, (_, id) => ({ id: id as ObjectId }));
    expect(() => group(client, many)).toThrow(/at most 1024/);
  });

  it("ends with a reason where it is hostile: somebody else's object, one that never was, a spectator", () => {
    const { lab } = twoArmies();
    const foreign = [...lab.world.all(Soldier)][0]!.id;
    const never = 4000 as ObjectId;
    for (const [nickname, ids] of [
      ["eve", [foreign]],
      ["mal", [never]],
    ] as const) {
      const { client } = lab.join(nickname, { latencyMs: 5 });
      lab.run(200);
      const message = { kind: "group", request: 1, byHand: true, ids } as const;
      client.inside.session.pushAs((number) => encodeGrouping(message, protocol, number));
      lab.run(200);
      expect([nickname, client.reason?.code]).toEqual([nickname, "foreign-object"]);
    }
    expect(lab.clients[0]!.client.state).toBe("active");
  });
});

it("a room without units refuses to group", () => {
  const { player, soldiers } = twoArmies({});
  expect(unitsOf(player)).toBe(0);
  expect(() => player.group(soldiers)).toThrow(/has no option units/);
});
