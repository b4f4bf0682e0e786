/**
 * V fig. 10: the round of a single view, one pivot, three zones, 1,000 to 10,000 objects of 4 bytes, of which none, half or all are due.
 * Every object is updated in every round. Objects in the first zone are due; the others lie in a zone without a bound. As in the
 * paper, the table shows how much the client is sent beside the time: here the whole frame, header included.
 */

import { type ViewSettings, World } from "@nearfield/core";
import { Engine } from "@nearfield/core/internal";
import { EncodeCache, FrameWriter } from "@nearfield/protocol/internal";
import { object, Protocol, uint } from "@nearfield/schema";
import { BlockTimes, inBlocks, type Pace } from "../pace.ts";
import { median } from "../statistics.ts";
import { ROUND_MS } from "./workload.ts";

const SHARES = [0, 0.5, 1];

export interface OneViewPoint {
  readonly objects: number;
  readonly dueShare: number;
  /** Median time of a round, µs. */
  readonly roundUs: number;
  readonly bytes: number;
}

const Place = object("place", { x: uint(16), y: uint(16) }, { position: ["x", "y"] });

/** Zone edges at 100, 1,000 and beyond; objects stand at 50 or at 10,000 from the pivot and move by a unit. */
const VIEW: ViewSettings = {
  sets: [{ match: "everything", radii: [100, 1000], bounds: [{ sequence: 1 }, { sequence: 1000 }, {}] }],
  pivots: [{ point: [20_000, 20_000] }],
};

export function measureOneView(sizes: readonly number[], pace: Pace): OneViewPoint[] {
  return sizes.flatMap((objects) => SHARES.map((dueShare) => measure(objects, dueShare, pace)));
}

function measure(objects: number, dueShare: number, pace: Pace): OneViewPoint {
  const world = new World({ protocol: new Protocol({ objects: [Place] }) });
  const places = Array.from({ length: objects }, (_, index) =>
    world.spawn(Place, { x: 20_000 + (index < objects * dueShare ? 50 : 10_000), y: 20_000 }),
  );
  const model = new Engine(world, { roundMs: ROUND_MS });
  const view = model.addView(VIEW, { assumeDelivered: true });
  let round = 0;
  const play = (block: number, into: BlockTimes): void => {
    round += 1;
    for (const place of places) place.y = 20_000 + (round % 2);
    world.commit();
    into.time(block, () => model.round(round));
  };
  for (let count = 0; count < 5; count++) play(0, new BlockTimes());
  const times = new BlockTimes();
  inBlocks(pace, (block) => play(block, times));
  const cache = new EncodeCache(world);
  const writer = new FrameWriter({ world, model, view, session: 1, cache, ownerVersion: () => 0 });
  const packets = writer.write({ round, heard: 0, pivots: 0, events: [], maxBytes: 1200 });
  const bytes = packets.reduce((sum, packet) => sum + packet.bytes.length, 0);
  return { objects, dueShare, roundUs: times.over(median) * 1000, bytes };
}
