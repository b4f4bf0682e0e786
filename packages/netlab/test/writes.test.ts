/** Who may write: the three modes, no echo to the writer, and refused or corrected writes that come back at once. */

import { lock, onRefused, release } from "@nearfield/client/writing";
import { type Entity, zones } from "@nearfield/core";
import type { Player } from "@nearfield/server";
import { describe, expect, it } from "vitest";
import { Lab, type LabClient } from "../src/index.ts";
import { ROUGH } from "./conditions.ts";
import { Crate, differences, Probe, protocol, rest, Ship, view } from "./scenario.ts";
import { seeds } from "./seeds.ts";

type ProbeEntity = Entity<(typeof Probe)["shape"]>;
type CrateEntity = Entity<(typeof Crate)["shape"]>;

function probeOf({ client, world }: LabClient): ProbeEntity {
  return [...world.where(Probe, (probe) => probe.owner === client.world.session)][0]!;
}

function withProbes(seed: number): Lab {
  const lab = new Lab({ protocol, view, roundMs: 50, seed });
  lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Probe, { x: 500, y: 500 }, { owner: player.id })));
  return lab;
}

describe("server mode", () => {
  it("throws when a client writes, and leaves the value as it was", () => {
    const lab = new Lab({ protocol, view, roundMs: 50 });
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 5, y: 5 }, { owner: player.id })));
    const ann = lab.join("ann");
    lab.run(200);
    const [ship] = [...ann.world.all(Ship)];
    expect(() => {
      ship!.x = 7;
    }).toThrow(/ship\.x: only the server writes it/);
    expect(ship!.x).toBe(5);
  });
});

describe("owner mode", () => {
  it("sends the owner's writes to everybody else, and no echo to the owner", () => {
    const lab = withProbes(1);
    const [ann, ben] = [lab.join("ann"), lab.join("ben")];
    lab.run(300);
    const probe = probeOf(ann);
    const [player] = [...lab.server.main.players.values()];
    const before = player!.telemetry.recordsChanged;
    for (let i = 0; i < 40; i++) {
      probe.x = 500 + i;
      lab.run(50);
    }
    rest(lab, 1000);
    expect(player!.telemetry.recordsChanged).toBe(before);
    expect(ben.world.get(probe.id)!["x"]).toBe(539);
    expect(differences(lab, ann)).toEqual([]);
    expect(differences(lab, ben)).toEqual([]);
    expect(() => {
      (ben.world.get(probe.id) as unknown as ProbeEntity).x = 1;
    }).toThrow(/only its owner/);
  });

  it.each(seeds(1, 8))(
    "seed %i: owner and server write the same fields on a rough path; all agree in the end",
    (seed) => {
      const lab = withProbes(seed);
      const dice = lab.dice.fork("game");
      let moving = true;
      lab.server.onRound((world) => {
        for (const probe of world.all(Probe)) {
          if (moving && dice.chance(0.2)) probe.x = dice.range(0, 1000);
          if (moving && dice.chance(0.1)) probe.mode = dice.pick(["idle", "scan"]);
        }
      });
      const clients = ["ann", "ben", "cay"].map((nickname) => lab.join(nickname, ROUGH));
      lab.until(() => clients.every(({ client, world }) => client.state === "active" && world.count === 3));
      for (let i = 0; i < 200; i++) {
        for (const client of clients) {
          if (!dice.chance(0.5)) continue;
          const probe = probeOf(client);
          probe.x = dice.range(0, 1000);
          if (dice.chance(0.3)) probe.mode = dice.pick(["idle", "scan"]);
          if (dice.chance(0.3)) probe.y += dice.range(-0.3, 0.3);
        }
        if (dice.chance(0.02)) dice.pick(clients).breakLink();
        lab.run(dice.int(80));
      }
      moving = false;
      rest(lab, 10_000);
      for (const client of clients) expect(differences(lab, client)).toEqual([]);
    },
  );

  it("comes back at once when the game refuses or corrects it", () => {
    const lab = withProbes(3);
    lab.server.onWrite(Probe, (_, probe, { x }) => {
      if (x === undefined) return true;
      if (x > 900) return false;
      return Math.abs(x - probe.x) > 10 ? { x: probe.x + 10 } : true;
    });
    const [ann, ben] = [lab.join("ann", { latencyMs: 20 }), lab.join("ben")];
    const refused: string[] = [];
    onRefused(ann.client, (_, refusal) => refused.push(refusal));
    lab.run(300);
    const probe = probeOf(ann);
    probe.x = 950;
    probe.mode = "scan";
    lab.run(150);
    expect(refused).toEqual(["invalid"]);
    expect([probe.x, probe.mode]).toEqual([500, "idle"]);
    probe.x = 800;
    lab.run(150);
    expect(probe.x).toBe(510);
    probe.x = 515;
    lab.run(1000);
    expect(probe.x).toBe(515);
    expect(refused).toEqual(["invalid"]);
    expect(differences(lab, ann)).toEqual([]);
    expect(differences(lab, ben)).toEqual([]);
  });

  it("changes hands: the former owner's late writes are refused, the new owner may write", () => {
    const lab = withProbes(4);
    const [ann, ben] = [lab.join("ann", { latencyMs: 100 }), lab.join("ben")];
    const refused: string[] = [];
    onRefused(ann.client, (_, refusal) => refused.push(refusal));
    lab.run(600);
    const probe = probeOf(ann);
    const benNumber = ben.world.session;
    lab.world.setOwner(lab.world.get(probe.id)!, benNumber);
    probe.x = 1;
    lab.run(1000);
    expect(refused).toEqual(["not-owner"]);
    expect(ann.client.state).toBe("active");
    expect(probe.owner).toBe(benNumber);
    const bens = ben.world.get(probe.id) as unknown as ProbeEntity;
    bens.x = 77;
    rest(lab, 2000);
    expect(probe.x).toBe(77);
    expect(differences(lab, ann)).toEqual([]);
    expect(differences(lab, ben)).toEqual([]);
  });

  it("tells the game's listeners after the merge, which may ask the pool (V §4)", () => {
    const lab = withProbes(5);
    const told: [string, number, number][] = [];
    lab.server.onUpdate(Probe, (probe, player) => {
      const close = [...lab.world.where(Probe, (other) => Math.abs(other.x - probe.x) < 1)].length;
      told.push([player.nickname, probe.x, close]);
    });
    const ann = lab.join("ann");
    lab.join("ben");
    lab.run(200);
    const probe = probeOf(ann);
    probe.x = 600;
    probe.y = 3;
    lab.run(200);
    expect(told).toEqual([["ann", 600, 1]]);
  });

  it("makes one update of all that a client wrote to an object in a round", () => {
    const lab = withProbes(6);
    const ann = lab.join("ann");
    lab.run(200);
    const probe = probeOf(ann);
    const slot = lab.world.store.liveSlot(probe.id);
    const before = lab.world.version[slot]!;
    probe.x = 1;
    ann.client.update();
    probe.y = 2;
    ann.client.update();
    probe.x = 3;
    ann.client.update();
    lab.run(200);
    expect(lab.world.version[slot]).toBe(before + 1);
  });
});

describe("locked mode", () => {
  function stage(seed: number, lockMs = 2000): { lab: Lab; crate: CrateEntity } {
    const lab = new Lab({ protocol, view, roundMs: 50, seed, times: { lockMs } });
    const crate = lab.world.spawn(Crate, { x: 5, y: 5, label: "0" });
    return { lab, crate };
  }
  const crateOf = ({ world }: LabClient): CrateEntity => [...world.all(Crate)][0]!;

  it("throws when a client writes without the lock", () => {
    const { lab } = stage(1);
    const ann = lab.join("ann");
    lab.run(200);
    expect(() => {
      crateOf(ann).label = "mine";
    }).toThrow(/crate\.label: lock it first/);
    expect(crateOf(ann).label).toBe("0");
  });

  it.each(seeds(1, 3))("seed %i: no update is lost when many count at once on rough paths", async (seed) => {
    const { lab, crate } = stage(seed, 20_000);
    const clients = ["ann", "ben", "cay"].map((nickname) => lab.join(nickname, ROUGH));
    lab.until(() => clients.every(({ world }) => world.count === 1));
    let counted = 0;
    const refused: string[] = [];
    for (const { client } of clients) onRefused(client, (_, refusal) => refused.push(refusal));
    const count = async (client: LabClient): Promise<void> => {
      for (let i = 0; i < 15; i++) {
        const held = await lock(client.client, crateOf(client));
        held.label = String(Number(held.label) + 1);
        release(client.client, held);
        counted += 1;
      }
    };
    const all = Promise.all(clients.map(count));
    for (let i = 0; i < 600 && counted < 45; i++) {
      lab.run(100);
      await Promise.resolve();
    }
    await all;
    rest(lab, 10_000);
    expect(refused).toEqual([]);
    expect(crate.label).toBe("45");
    for (const client of clients) expect(differences(lab, client)).toEqual([]);
  });

  it("grants in the order of asking; a holder that leaves, or holds too long, loses it", async () => {
    const { lab, crate } = stage(2);
    const [ann, ben, cay] = ["ann", "ben", "cay"].map((nickname) => lab.join(nickname)) as [
      LabClient,
      LabClient,
      LabClient,
    ];
    lab.run(200);
    const granted: string[] = [];
    const lost: string[] = [];
    onRefused(ben.client, (_, refusal) => lost.push(refusal));
    for (const client of [ann, ben, cay]) {
      void lock(client.client, crateOf(client)).then(() => granted.push(client.nickname));
      lab.run(100);
    }
    await Promise.resolve();
    expect(granted).toEqual(["ann"]);
    ann.leave();
    lab.run(200);
    await Promise.resolve();
    expect(granted).toEqual(["ann", "ben"]);
    crateOf(ben).label = "never sent";
    lab.run(2200);
    await Promise.resolve();
    expect(granted).toEqual(["ann", "ben", "cay"]);
    expect(lost).toEqual(["timeout"]);
    expect(crateOf(ben).label).toBe("0");
    expect(() => release(ben.client, crateOf(ben))).toThrow(/not locked/);
    release(cay.client, crateOf(cay));
    lab.run(200);
    expect(crate.label).toBe("0");
    expect(differences(lab, ben)).toEqual([]);
  });

  it("ends with its object, and is refused past the limits", async () => {
    const lab = new Lab({ protocol, view, roundMs: 50, limits: { locksPerPlayer: 2, waitingPerLock: 1 } });
    const crates = [1, 2, 3].map((x) => lab.world.spawn(Crate, { x, y: 1 }));
    const clients = ["ann", "ben", "cay"].map((nickname) => lab.join(nickname));
    lab.run(200);
    const [ann, ben, cay] = clients as [LabClient, LabClient, LabClient];
    const outcomes: string[] = [];
    const ask = (client: LabClient, index: number): void => {
      const entity = client.world.get(crates[index]!.id)!;
      lock(client.client, entity).then(
        () => outcomes.push(`${client.nickname} ${index}`),
        (error: { code: string }) => outcomes.push(`${client.nickname} ${index} ${error.code}`),
      );
      lab.run(100);
    };
    ask(ann, 0);
    ask(ann, 1);
    ask(ann, 2);
    ask(ben, 0);
    ask(cay, 0);
    await Promise.resolve();
    expect(outcomes).toEqual(["ann 0", "ann 1", "ann 2 quota", "cay 0 queue-full"]);
    const lost: string[] = [];
    onRefused(ann.client, (_, refusal) => lost.push(refusal));
    lab.world.destroy(crates[0]!);
    lab.run(200);
    await Promise.resolve();
    expect(lost).toEqual(["gone"]);
    expect(outcomes.at(-1)).toBe("ben 0 gone");
  });
});

describe("a locked object that leaves the view", () => {
  it("can still be released, without what was written", async () => {
    const ranged = zones(Ship, { bounds: [{ time: 0 }], range: 100 });
    const lab = new Lab({ protocol, view: ranged, roundMs: 50 });
    const crate = lab.world.spawn(Crate, { x: 10, y: 10, label: "0" });
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 0, y: 0 }, { owner: player.id })));
    const [ann, ben] = [lab.join("ann"), lab.join("ben")];
    lab.run(200);
    const locking = lock(ann.client, [...ann.world.all(Crate)][0]!);
    lab.run(200);
    const held = await locking;
    held.label = "lost";
    crate.x = 900;
    lab.run(200);
    expect(held.alive).toBe(false);
    release(ann.client, held);
    crate.x = 10;
    lab.run(200);
    const again = lock(ben.client, [...ben.world.all(Crate)][0]!);
    lab.run(200);
    expect((await again).label).toBe("0");
    expect(differences(lab, ann)).toEqual([]);
  });
});

describe("an owned object that leaves its owner's view and comes back", () => {
  it.each(seeds(1, 8))("seed %i: keeps what was written, on a rough path with broken links", (seed) => {
    const ranged = zones(Ship, { radii: [50], bounds: [{ time: 0 }, { time: 100 }], range: 200 });
    const lab = new Lab({ protocol, view: ranged, roundMs: 50, seed });
    const dice = lab.dice.fork("game");
    const look = (player: Player, x: number): void => player.setPivots([{ point: [x, 500] }]);
    let moving = true;
    lab.server.onJoin((player) => {
      lab.world.spawn(Probe, { x: 500, y: 500 }, { owner: player.id });
      look(player, 500);
    });
    lab.server.onRound((world) => {
      if (!moving) return;
      for (const probe of world.all(Probe)) if (dice.chance(0.1)) probe.mode = dice.pick(["idle", "scan"]);
      for (const player of lab.server.main.players.values()) if (dice.chance(0.1)) look(player, dice.pick([500, 900]));
    });
    const clients = ["ann", "ben"].map((nickname) => lab.join(nickname, ROUGH));
    lab.until(() => clients.every(({ client }) => client.state === "active"), 30_000);
    let written = 0;
    for (let i = 0; i < 240; i++) {
      for (const { world } of clients) {
        for (const probe of world.where(Probe, (candidate) => world.isMine(candidate))) {
          written += 1;
          if (dice.chance(0.4)) probe.mode = dice.pick(["idle", "scan"]);
          if (dice.chance(0.3)) probe.x = dice.range(450, 550);
        }
      }
      if (dice.chance(0.03)) dice.pick(clients).breakLink();
      lab.run(dice.int(80));
    }
    moving = false;
    for (const player of lab.server.main.players.values()) look(player, 500);
    rest(lab, 12_000);
    expect(written).toBeGreaterThan(50);
    for (const client of clients) expect(differences(lab, client)).toEqual([]);
  });
});
