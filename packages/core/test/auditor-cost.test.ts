/**
 * What the auditor allocates in a steady round: next to nothing, however many pairs it looks at. 200 clients, 500 objects that all move,
 * every update sent to everybody.
 */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ObjectId } from "@nearfield/schema";
import { expect, test } from "vitest";
import { Auditor, type AuditSubject, type SentLog, type SentWindow } from "../src/internal/index.ts";
import { ROUND_MS, Ship, smallWorld, viewOf } from "./small-world.ts";

const VIEWS = 200;
const OBJECTS = 500;
const SAMPLE = 1024;
const BLOCK = 20;
const MOST_BLOCKS = 20;
/** Measured: 16 bytes for each pair, one number that is boxed, whatever the compiler inlines; 27 until it is done. Objects would take far more. */
const CEILING = 64 * SAMPLE;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Everything was sent in the last round. */
class AllSent implements SentLog {
  readonly #ids: readonly ObjectId[];
  round = 0;

  constructor(ids: readonly ObjectId[]) {
    this.#ids = ids;
  }

  tell(into: SentWindow): void {
    this.tellRound(this.round, into);
  }

  tellRound(round: number, into: SentWindow): void {
    for (let slot = into.from; slot < into.to; slot++) into.sent(this.#ids[slot]!, round, false);
  }
}

test.each(["displacement", "path", "predicted"])("by %s, a steady round leaves next to nothing behind", (metric) => {
  const world = smallWorld();
  const auditor = new Auditor(world, { sample: SAMPLE, roundMs: ROUND_MS });
  const ships = Array.from({ length: OBJECTS }, (_, i) => world.spawn(Ship, { x: i - 250, y: (i * 7) % 300 }));
  const sent = new AllSent(ships.map(({ id }) => id));
  const bounds = [
    { time: 100, value: 5 },
    { time: 300, value: 20 },
  ];
  for (let i = 0; i < VIEWS; i++) {
    const subject: AuditSubject = {
      session: i + 1,
      settings: viewOf({ radii: [100], bounds, metric, range: 900 }, [{ object: ships[i]!.id }]),
      isPaused: false,
      isOut: false,
      outer: 1,
      inner: 1,
      sent,
      isVisible: () => true,
      beginRound: () => {},
      endRound: () => {},
      isHeldBack: () => false,
      isCounted: () => true,
    };
    auditor.add(subject);
  }
  let round = 0;
  const play = (): number => {
    round += 1;
    for (let i = 0; i < OBJECTS; i++) ships[i]!.x += round % 40 < 20 ? 1 : -1;
    world.commit(0);
    const before = process.memoryUsage().heapUsed;
    auditor.examine(round);
    sent.round = round;
    auditor.conclude(round);
    return process.memoryUsage().heapUsed - before;
  };
  sent.round = 1;
  for (let i = 0; i < 60; i++) play();
  collect();
  let median = Number.POSITIVE_INFINITY;
  for (let block = 0; block < MOST_BLOCKS && median >= CEILING; block++) {
    const left = Array.from({ length: BLOCK }, play).sort((a, b) => a - b);
    median = left[BLOCK / 2]!;
  }
  expect(median).toBeLessThan(CEILING);
  expect(auditor.examined).toBeGreaterThan(60 * SAMPLE);
  expect(auditor.findings.faults).toBe(0);
});
