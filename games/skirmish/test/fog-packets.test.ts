/**
 * What is in the packets, byte by byte: nothing names an object that its client may not know of, in whole matches of bots; and the packets are the same
 * with and without a crowd that hides in the fog.
 */

import { setPivots } from "@nearfield/client/views";
import type { LabPacket } from "@nearfield/netlab/internal";
import { describe, expect, it } from "vitest";
import { Bot, KIND, NO_SIDE } from "../src/index.ts";
import { cellOf, PacketWatch, seenCells } from "./packet-watch.ts";
import { begin, type Skirmish, setUp, TestPlayer } from "./skirmish-lab.ts";

/** One seed runs alone with NEARFIELD_SEED. */
const CHOSEN = process.env["NEARFIELD_SEED"];
const SEEDS = CHOSEN === undefined ? [1, 2] : [Number(CHOSEN)];

/** Minutes of play. */
const MINUTES = 4;

describe.each(SEEDS)("seed %i", (seed) => {
  it("no byte names what a client may not know of, while bots fight", () => {
    const watches: PacketWatch[] = [];
    const onPacket = (packet: LabPacket): void => {
      for (const watch of watches) watch.packet(packet);
    };
    const skirmish = setUp({ seed, sides: 3, strength: "hard" }, { seed, onPacket, frameMs: 50 });
    watches.push(...["ann", "ben", "eve"].map((name) => new PacketWatch(skirmish, name)));
    const [ann, ben] = begin(skirmish, "ann", "ben");
    const bots = [ann!, ben!].map(({ side }) => new Bot(skirmish.host.battle, { side: side!, strength: "hard", seed }));
    skirmish.host.room.onRound(() => {
      for (const bot of bots) bot.act();
    });
    // The third side is a bot's until eve takes it, in the middle of the match.
    const { state } = skirmish.host.battle;
    for (let second = 0; second < MINUTES * 60 && state.winner === NO_SIDE; second++) {
      if (second === 120) new TestPlayer(skirmish, "eve", { latencyMs: 40, jitterMs: 10 });
      moveCamera(ann!, second, state.terrain.size);
      if (second === 180) {
        ben!.lab.setReachable(false);
        ben!.lab.breakLink();
      }
      if (second === 195) ben!.lab.setReachable(true);
      skirmish.lab.run(1000);
    }
    for (const watch of watches) {
      expect(watch.faults, `replay with NEARFIELD_SEED=${seed}`).toEqual([]);
      expect(watch.named.created).toBeGreaterThan(20);
    }
    const named = watches.map(({ named: counts, bytes }) => ({ ...counts, bytes }));
    console.log(`seed ${seed}, ${(state.step / 1200).toFixed(1)} minutes: ${JSON.stringify(named)}`);
    const sum = (key: keyof PacketWatch["named"]): number => named.reduce((total, counts) => total + counts[key], 0);
    for (const key of ["left", "destroyed", "blasts", "alarms"] as const) expect(sum(key), key).toBeGreaterThan(5);
    expect(skirmish.lab.server.main.audit.faults).toBe(0);
  });
});

/** A client may look anywhere. */
function moveCamera({ lab }: TestPlayer, second: number, size: number): void {
  const at = (second * 37) % size;
  setPivots(lab.client, [{ camera: [at, size - at], size: [600, 400], rotation: second / 10, coefficients: [2, 4] }]);
}

describe("the packets of a client", () => {
  /** A fight in the middle, training and building at home; with `crowd`, many enemies hide, move, are born and die where ann does not see. */
  function packetsToAnn(seed: number, crowd: number): { readonly packets: string[]; readonly checksum: string } {
    const packets: string[] = [];
    const onPacket = ({ atMs, client, direction, channel, bytes }: LabPacket): void => {
      if (client === "ann" && direction === "down")
        packets.push(`${atMs} ${channel} ${Buffer.from(bytes).toString("hex")}`);
    };
    const skirmish = setUp({ seed, unitsMost: 1000 }, { seed, onPacket, frameMs: 50 });
    const [ann] = begin(skirmish, "ann", "ben");
    const { battle } = skirmish.host;
    const { state } = battle;
    const hiding = hidingPlace(skirmish, ann!.side!);
    const hidden: number[] = [];
    const hide = (count: number): void => {
      for (let unit = 0; unit < count; unit++) {
        const at = { x: hiding.x + (unit % 10) * 3, y: hiding.y + Math.floor(unit / 10) * 3 };
        hidden.push(state.pieces.handleOf(state.add(KIND.trooper, 1 - ann!.side!, at.x, at.y)));
      }
    };
    const armies = [ann!.side!, 1 - ann!.side!].map((side) => {
      const { x, y } = state.terrain.starts[ann!.side!]!;
      const middle = { x: x + 150 * Math.sign(512 - x), y: y + 150 * Math.sign(512 - y) };
      return Array.from({ length: 12 }, (_, unit) => {
        const kind = unit % 3 === 0 ? KIND.mortar : KIND.trooper;
        const slot = state.add(kind, side, middle.x + unit * 6, middle.y + (side === ann!.side ? 0 : 90));
        return state.pieces.handleOf(slot);
      });
    });
    hide(crowd);
    for (let second = 0; second < 40; second++) {
      if (second === 2) {
        for (const [at, side] of [ann!.side!, 1 - ann!.side!].entries()) {
          const { x, y } = state.terrain.starts[ann!.side!]!;
          battle.order(side, { units: armies[at]!, what: "attackMove", x, y });
        }
      }
      if (second === 5) battle.train(ann!.side!, baseOf(skirmish, ann!.side!), "builder", 3);
      if (crowd > 0 && second % 3 === 0) {
        hide(5);
        const gone = state.pieces.slotOf(hidden.shift()!);
        if (gone >= 0) state.remove(gone);
        battle.order(1 - ann!.side!, { units: hidden.slice(0, 100), what: "move", x: hiding.x, y: hiding.y });
      }
      skirmish.lab.run(1000);
      const seen = seenCells(battle, ann!.side!);
      for (const handle of hidden) {
        const slot = state.pieces.slotOf(handle);
        expect(slot >= 0 && seen[cellOf(battle, state.pieces.x[slot]!, state.pieces.y[slot]!)] === 1).toBe(false);
      }
    }
    return { packets, checksum: `${state.units[ann!.side!]} ${state.ore[ann!.side!]}` };
  }

  it.each(SEEDS)("are the same with and without a crowd in the fog (seed %i)", (seed) => {
    const without = packetsToAnn(seed, 0);
    expect(without.packets.length).toBeGreaterThan(200);
    expect(packetsToAnn(seed, 60)).toEqual(without);
    expect(packetsToAnn(seed, 130)).toEqual(without);
  });
});

/** Open ground as far from a side's start as can be. */
function hidingPlace({ host }: Skirmish, side: number): { readonly x: number; readonly y: number } {
  const { ground, terrain } = host.battle.state;
  const { x, y } = terrain.starts[side]!;
  const corner = terrain.tileAt(
    x < terrain.size / 2 ? terrain.size - 120 : 120,
    y < terrain.size / 2 ? terrain.size - 120 : 120,
  );
  const tile = ground.nearestOpen(corner, ground.tiles);
  return { x: ground.middleX(tile), y: ground.middleY(tile) };
}

function baseOf({ host }: Skirmish, side: number): number {
  const { pieces } = host.battle.state;
  for (let slot = 0; slot < pieces.high; slot++) {
    if (pieces.kind[slot] === KIND.base && pieces.side[slot] === side) return pieces.handleOf(slot);
  }
  return 0;
}
