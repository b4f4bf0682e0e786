/** Compares what the inspector reports with independent counts: bytes on the wire, other models in the same game, the engine itself. */

import { Aura, Broadcast, CAUSE_NAMES } from "@nearfield/core";
import { Cause, DecisionKind } from "@nearfield/core/internal";
import type { Lab } from "@nearfield/netlab";
import { carrierOf, framedBytes, wireBytes, wirePackets } from "@nearfield/transport/internal";
import { describe, expect, it } from "vitest";
import { FRAME_HEAD_BYTES } from "../src/sizes.ts";
import { flyingLab, Ship, TestPage, view } from "./watched-lab.ts";

const SECONDS = 12;

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}

describe("traffic", () => {
  it("is what went over the links, by channel and client, whoever has left since", () => {
    const counted = new Map<string, number>();
    const hellos = new Set<string>();
    let [packets, wire] = [0, 0];
    const lab = flyingLab({
      onPacket: ({ client, direction, channel, bytes }) => {
        // The first message of a link is for the door, which counts nobody's bytes.
        if (direction === "up" && !hellos.has(client)) return void hellos.add(client);
        if (direction === "down") {
          const carrier = carrierOf(channel, false);
          packets += wirePackets(carrier, "toClient", framedBytes(carrier, channel, bytes.length));
          wire += wireBytes(carrier, "toClient", framedBytes(carrier, channel, bytes.length));
        }
        for (const who of [client, "all"]) {
          const key = `${who} ${direction} ${channel}`;
          counted.set(key, (counted.get(key) ?? 0) + bytes.length);
        }
      },
    });
    for (const nickname of ["ann", "bob", "cid"]) lab.join(nickname);
    lab.run(1000);
    const page = TestPage.welcome(lab);
    page.ask({ ask: "watch", topic: "report", room: "main", everyMs: 500 });
    lab.run(3000);
    lab.clients[2]!.leave();
    lab.run(5000);
    // A report tells of the world as it was sampled, so the comparison is made in the moment of a fresh one.
    page.ask({ ask: "watch", topic: "report", room: "main", everyMs: 500 });
    page.inspector.work(lab.clock.nowMs + 1000);
    const { traffic, wire: carried, clients } = page.last("report");
    expect(carried!.out.packets.total).toBe(packets);
    expect(carried!.out.bytes.total).toBe(wire);
    expect(carried!.out.upkeep.total).toBe(0);
    expect(clients[0]!.wireOut!.total).toBeGreaterThan(clients[0]!.out.total);
    for (const channel of ["reliable", "sequenced", "unsequenced"] as const) {
      expect(traffic.out[channel].bytes.total).toBe(counted.get(`all down ${channel}`) ?? 0);
    }
    expect(clients.map(({ nickname }) => nickname)).toEqual(["ann", "bob"]);
    const telemetry = [...lab.server.main.players.values()][0]!.telemetry;
    expect(telemetry.unsequenced.bytesOut).toBe(counted.get("ann down unsequenced"));
    // What arrived after the last round waits in the inbox: at most one frame time of acks.
    const up = sum(["reliable", "sequenced", "unsequenced"].map((channel) => counted.get(`all up ${channel}`) ?? 0));
    expect(up - traffic.in.all.bytes.total).toBeGreaterThanOrEqual(0);
    expect(up - traffic.in.all.bytes.total).toBeLessThan(200);
  });

  it("counts the updates of clients' own objects apart from the others", () => {
    const lab = flyingLab();
    const owned = new Map<number, { records: number; bytes: number }>();
    lab.server.onLeave(({ id, telemetry: { ownRecords: records, ownBytes } }) =>
      owned.set(id, { records, bytes: ownBytes }),
    );
    for (const nickname of ["ann", "bob", "cid"]) lab.join(nickname);
    lab.run(1000);
    const page = TestPage.welcome(lab);
    page.ask({ ask: "watch", topic: "report", room: "main", everyMs: 500 });
    const players = [...lab.server.main.players.values()];
    const before = players.map(({ telemetry }) => telemetry.ownRecords);
    const decided = players.map(() => 0);
    for (let round = 0; round < 100; round++) {
      lab.step();
      for (const [index, player] of players.entries()) {
        const { count, ids } = lab.server.main.model.decisions(player.view);
        const own = new Set<number>(player.owned().map(({ id }) => id));
        decided[index]! += ids.subarray(0, count).filter((id) => own.has(id)).length;
      }
    }
    expect(players.map(({ telemetry }, index) => telemetry.ownRecords - before[index]!)).toEqual(decided);
    expect(sum(decided)).toBeGreaterThan(250);
    lab.clients[2]!.leave();
    lab.run(1000);
    page.ask({ ask: "watch", topic: "report", room: "main", everyMs: 500 });
    page.inspector.work(lab.clock.nowMs + 1000);
    const { own, records, frames, clients } = page.last("report");
    for (const { id, telemetry } of players.slice(0, 2))
      owned.set(id, { records: telemetry.ownRecords, bytes: telemetry.ownBytes });
    expect(owned.size).toBe(3);
    expect(own!.records.total).toBe(sum([...owned.values()].map((one) => one.records)));
    expect(own!.bytes.total).toBe(sum([...owned.values()].map((one) => one.bytes)));
    expect(own!.records.total).toBeLessThan(records!.total / 2);
    expect(own!.bytes.total).toBeLessThan(frames.total / 2);
    expect(own!.bytes.total).toBeGreaterThan(own!.records.total / 8);
    expect(clients[0]!.own!.records).toBe(players[0]!.telemetry.ownRecords);
  });

  it("has rates that agree with its totals", () => {
    const lab = flyingLab();
    lab.join("ann");
    lab.run(1000);
    const page = TestPage.welcome(lab);
    page.ask({ ask: "watch", topic: "report", room: "main", everyMs: 500 });
    lab.run(10_000);
    const reports = page.tells.filter((tell) => tell.tell === "report");
    expect(reports.length).toBeGreaterThanOrEqual(19);
    const [first, last] = [reports[0]!, reports.at(-1)!];
    const risen = last.traffic.out.all.bytes.total - first.traffic.out.all.bytes.total;
    const perSecond = risen / ((last.timeMs - first.timeMs) / 1000);
    expect(last.traffic.out.all.bytes.mean / perSecond).toBeCloseTo(1, 1);
    expect(last.traffic.out.all.bytes.peak).toBeGreaterThanOrEqual(last.traffic.out.all.bytes.now);
    expect(sum(last.causes.map(({ total }) => total))).toBe(last.sends.total);
    expect(sum(last.sendsByZone.flat())).toBe(last.sends.total);
    expect(last.audit).toMatchObject({ heldDecided: 1, faults: 0 });
  });
});

describe("sizes", () => {
  it("take a packet's head for what an empty frame has", () => {
    const lab = flyingLab({}, 0);
    lab.join("eye", { latencyMs: 60 }, { role: "spectator" });
    lab.run(2000);
    const [player] = lab.server.main.players.values();
    lab.world.destroy(player!.owned()[0]!);
    lab.run(1000);
    const { frameBytes, framePackets } = player!.telemetry;
    lab.run(10_000);
    const head = (player!.telemetry.frameBytes - frameBytes) / (player!.telemetry.framePackets - framePackets);
    expect(head).toBe(FRAME_HEAD_BYTES);
  });
});

describe("ratios", () => {
  function played(lab: Lab): Lab {
    for (let i = 0; i < 4; i++) lab.join(`bot-${i}`);
    lab.run(2000);
    return lab;
  }

  function sendsOf(lab: Lab): number[] {
    return [...lab.server.main.telemetry.sends];
  }

  it("agree with the same game under a broadcast and under an aura", () => {
    const lab = played(flyingLab());
    const page = TestPage.welcome(lab, { auraRadius: 250 });
    page.ask({ ask: "watch", topic: "report", room: "main", everyMs: 500 });
    lab.run(SECONDS * 1000);
    const { broadcast, aura } = page.last("report").baselines;

    const rate = (other: Lab, causes: readonly number[]): number => {
      const before = sendsOf(other);
      other.run(SECONDS * 1000);
      const after = sendsOf(other);
      return sum(causes.map((cause) => after[cause]! - before[cause]!)) / SECONDS;
    };
    const updates = [Cause.time, Cause.sequence, Cause.value, Cause.change];
    const toAll = rate(played(flyingLab({ model: (world, options) => new Broadcast(world, options) })), updates);
    const near = rate(played(flyingLab({ model: (w, options) => new Aura(w, { ...options, radius: 250 }) })), updates);
    expect(broadcast.sendsPerSecond.mean / toAll).toBeCloseTo(1, 2);
    // Looked at in every 32nd round, and an object stays in an aura until 1.1 times its radius.
    expect(aura.sendsPerSecond.mean / near).toBeGreaterThan(0.8);
    expect(aura.sendsPerSecond.mean / near).toBeLessThan(1.1);
    expect(broadcast.ratio.mean).toBeGreaterThan(3);
    expect(broadcast.bytesRatio.mean!).toBeLessThan(broadcast.ratio.mean!);
    expect(broadcast.wireRatio!.mean!).toBeLessThan(broadcast.bytesRatio.mean!);
  });

  it("has a broadcast's bytes as a broadcast's own frames have them", () => {
    const lab = played(flyingLab());
    const page = TestPage.welcome(lab);
    page.ask({ ask: "watch", topic: "report", room: "main", everyMs: 500 });
    lab.run(SECONDS * 1000);
    const { broadcast } = page.last("report").baselines;

    const other = played(flyingLab({ model: (world, options) => new Broadcast(world, options) }));
    const framesOf = (): number =>
      sum([...other.server.main.players.values()].map(({ telemetry }) => telemetry.frameBytes));
    const before = framesOf();
    other.run(SECONDS * 1000);
    // These updates have half a byte each, so what begins and ends a frame weighs more on 32 of them than on all.
    const ratio = broadcast.bytesPerSecond.mean / ((framesOf() - before) / SECONDS);
    expect(ratio).toBeGreaterThan(0.95);
    expect(ratio).toBeLessThan(1.15);
  });
});

describe("samples", () => {
  it("of counters are taken as often as somebody wants a report, of places once a second", () => {
    const lab = flyingLab();
    lab.run(1000);
    let reads = 0;
    const process = () => ({ cpuMs: reads++, rssBytes: 0, heapBytes: 0, uptimeMs: 0 });
    const page = TestPage.welcome(lab, { process });
    page.ask({ ask: "watch", topic: "heat", room: "main", everyMs: 1000 });
    reads = 0;
    lab.run(2000);
    expect([reads, page.last("heat").samples]).toEqual([0, 3]);
    page.ask({ ask: "watch", topic: "report", room: "main", everyMs: 2000 });
    reads = 0;
    lab.run(8000);
    // One at once, since the last sample is two seconds old.
    expect([reads, page.last("heat").samples]).toEqual([1 + 4, 11]);
    page.ask({ ask: "watch", topic: "report", room: "main", everyMs: 500 });
    reads = 0;
    lab.run(4000);
    expect([reads, page.last("heat").samples]).toEqual([1 + 8, 15]);
  });
});

describe("why", () => {
  it("says what the engine says, and of each send its round and cause", () => {
    const lab = flyingLab();
    lab.join("ann", { latencyMs: 60, loss: 0.05 });
    const { model, name, players } = lab.server.main;
    interface Sent {
      readonly id: number;
      readonly round: number;
      readonly kind: string;
      readonly cause: string;
      readonly zone: number;
    }
    const sent: Sent[] = [];
    const step = (): void => {
      lab.step();
      for (const { view: ofPlayer } of players.values()) {
        const { count, ids, kinds, causes, zones } = model.decisions(ofPlayer);
        for (let i = 0; i < count; i++) {
          const [kind, cause] = [Object.keys(DecisionKind)[kinds[i]!]!, CAUSE_NAMES[causes[i]!]!];
          sent.unshift({ id: ids[i]!, round: lab.server.roundNumber, kind, cause, zone: zones[i]! });
        }
      }
    };
    while (lab.server.roundNumber < 60) step();
    const [player] = players.values();
    const page = TestPage.welcome(lab);
    for (const [index, ship] of [...lab.world.all(Ship)].slice(0, 6).entries()) {
      const begun = lab.server.roundNumber;
      page.ask({ ask: "watch", topic: "why", room: name, player: player!.id, object: ship.id, everyMs: 50 });
      for (let round = 0; round < 60; round++) step();
      const why = page.last("why");
      const { bound, divergence, ...rest } = model.explain(player!.view, ship.id)!;
      expect(why).toMatchObject({ object: ship.id, round: lab.server.roundNumber, state: "shown", everyChange: null });
      expect(why).toMatchObject({ zone: rest.zone, sector: rest.sector, equal: rest.equal, version: rest.version });
      expect(why.divergence.time).toBe(divergence.time);
      expect(why.bound.time).toBe(bound.time);
      expect(why.lastSend!.round).toBe(rest.lastSend);
      const ofShip = sent.filter(({ id }) => id === ship.id).map(({ id: _, ...send }) => send);
      const history = why.history.map(({ round, kind, cause, zone }) => ({ round, kind, cause, zone }));
      expect(history, `ship ${index}`).toEqual(ofShip.filter(({ round }) => round > begun).slice(0, 20));
      expect(why.lastSend!.cause).toBe(ofShip.find(({ round }) => round === rest.lastSend)!.cause);
    }
  });

  it("names the round in which a time bound makes a pair due", () => {
    const view100 = { sets: [{ match: "everything" as const, bounds: [{ time: 730 }] }], pivots: [] };
    for (const strict of [false, true]) {
      const lab = flyingLab({ view: { ...view100, sets: [{ ...view100.sets[0]!, strict }] } }, 3);
      lab.join("ann");
      lab.run(1000);
      const [player] = lab.server.main.players.values();
      const page = TestPage.welcome(lab);
      const [ship] = lab.world.all(Ship);
      page.ask({ ask: "watch", topic: "why", room: "main", player: player!.id, object: ship!.id, everyMs: 50 });
      lab.run(2000);
      let promised = 0;
      let checked = 0;
      for (let round = 0; round < 60; round++) {
        lab.step();
        const { lastSend, nextDue } = page.last("why");
        if (lastSend!.round === lab.server.roundNumber && promised > 0) {
          expect(lastSend!.round).toBe(promised);
          checked += 1;
        }
        const isFresh = lastSend!.round === lab.server.roundNumber;
        expect(nextDue).toMatchObject({ when: isFresh ? "when it changes" : "in", by: "time", exact: !isFresh });
        promised = nextDue.round!;
      }
      expect(checked).toBeGreaterThanOrEqual(3);
    }
  });

  it("knows objects that are sent on every change, and those that are gone", () => {
    const lab = flyingLab();
    lab.join("ann");
    lab.run(500);
    const [player] = lab.server.main.players.values();
    const own = player!.owned()[0]!;
    const page = TestPage.welcome(lab);
    page.ask({ ask: "watch", topic: "why", room: "main", player: player!.id, object: own.id });
    lab.run(500);
    expect(page.last("why")).toMatchObject({ everyChange: "own", nextDue: { when: "when it changes" } });
    lab.world.destroy(own);
    lab.run(500);
    const gone = page.last("why");
    expect(gone).toMatchObject({ state: "gone", type: -1, lastSend: null });
    expect(gone.history[0]).toMatchObject({ kind: "destroy", cause: "removal", fate: "sent" });
  });
});

describe("preview", () => {
  const LOOSE = [
    {
      match: "everything" as const,
      radii: [200],
      bounds: [
        { time: 150, value: 10 },
        { time: 600, value: 40 },
      ],
    },
  ];

  it("counts what the view sends once it is applied, and changes nothing before", () => {
    const lab = flyingLab();
    lab.join("ann");
    lab.run(2000);
    const [player] = lab.server.main.players.values();
    const page = TestPage.welcome(lab);
    const untouched = flyingLab();
    untouched.join("ann");
    untouched.run(2000);
    const watch = { ask: "watch", topic: "preview", room: "main", player: player!.id, sets: LOOSE };
    page.ask({ ...watch, unlimited: true, everyMs: 250 });
    lab.run(SECONDS * 1000);
    untouched.run(SECONDS * 1000);
    const { candidate, current, countedMs, settlesMs } = page.last("preview");
    expect(countedMs).toBeGreaterThan((SECONDS - 1) * 1000);
    expect(settlesMs).toBe(600);
    expect(sum(candidate.pairs.flat())).toBe(41);
    const bytes = player!.telemetry.bytesOut;
    expect(bytes).toBe([...untouched.server.main.players.values()][0]!.telemetry.bytesOut);

    page.ask({ ask: "unwatch", topic: "preview" });
    page.ask({ ask: "setView", room: "main", players: [player!.id], sets: LOOSE, unlimited: true });
    lab.run(1000);
    const before = player!.telemetry.sends;
    lab.run(SECONDS * 1000);
    const applied = (player!.telemetry.sends - before) / SECONDS;
    expect(candidate.sendsPerSecond / applied).toBeGreaterThan(0.9);
    expect(candidate.sendsPerSecond / applied).toBeLessThan(1.1);
    expect(candidate.sendsPerSecond / current.sendsPerSecond).toBeGreaterThan(1.2);
  });

  it("of the view a player has is that view", () => {
    const lab = flyingLab();
    lab.join("ann");
    lab.run(5000);
    const [player] = lab.server.main.players.values();
    const page = TestPage.welcome(lab);
    page.ask({ ask: "watch", topic: "preview", room: "main", player: player!.id, sets: view.sets });
    lab.run(SECONDS * 1000);
    const { candidate, current, clamped } = page.last("preview");
    expect(clamped).toEqual([]);
    expect(candidate.pairs).toEqual(current.pairs);
    expect(candidate.sendsPerSecond / current.sendsPerSecond).toBeCloseTo(1, 1);
  });

  it("leaves no view behind", () => {
    const lab = flyingLab();
    lab.join("ann");
    lab.run(500);
    const { main } = lab.server;
    const [player] = lab.server.main.players.values();
    const page = TestPage.welcome(lab);
    page.ask({ ask: "watch", topic: "preview", room: "main", player: player!.id, sets: view.sets });
    lab.run(500);
    page.page.close(1000, "");
    expect(main.guests).not.toContain("inspector's probe");
    const id = main.model.addView(view);
    expect(id).toBe(player!.view + 1);
    main.model.removeView(id);
  });
});
