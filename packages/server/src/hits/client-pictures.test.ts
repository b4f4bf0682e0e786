/**
 * What the server knows of a client's pictures: the round trip, what arrived of frames of several packets, and which times a claim can
 * mean.
 */

import { World } from "@nearfield/core";
import { DecisionKind, type Decisions } from "@nearfield/core/internal";
import { Presentation, resolvePresenterSettings } from "@nearfield/presentation/internal";
import { float64, type ObjectId, object, Protocol } from "@nearfield/schema";
import { beforeEach, describe, expect, it } from "vitest";
import { ClientPictures } from "./client-pictures.ts";

const Ship = object("ship", { x: float64(), y: float64() }, { position: ["x", "y"] });
const Rock = object("rock", { x: float64(), y: float64() }, { position: ["x", "y"] });
const ROUND_MS = 50;

function decisions(ids: readonly ObjectId[], kind: number = DecisionKind.update): Decisions {
  return {
    count: ids.length,
    ids: Uint32Array.from(ids),
    kinds: new Uint8Array(ids.length).fill(kind),
    causes: new Uint8Array(ids.length),
    zones: new Uint8Array(ids.length),
    urgencies: new Float64Array(ids.length),
    waits: new Uint32Array(ids.length),
    settled: new Uint8Array(ids.length),
    withheld: 0,
  };
}

describe("a client's pictures", () => {
  let world: World;
  let pictures: ClientPictures;

  beforeEach(() => {
    world = new World({ protocol: new Protocol({ objects: [Ship, Rock] }) });
    pictures = new ClientPictures({
      world,
      isTarget: [true, false],
      presentation: new Presentation(resolvePresenterSettings({ model: "hold", convergence: "snap" })),
      renderLagMs: 0,
      roundMs: ROUND_MS,
      capMs: 500,
      maxSends: 100,
      session: 7,
    });
  });

  /** A frame of that round, in packets from `first` to `end` − 1. */
  function send(round: number, first: number, end: number, ids: readonly ObjectId[], kind?: number): void {
    pictures.sending(round, first, decisions(ids, kind));
    pictures.sent(first, end);
  }

  function seen(id: ObjectId, renderMs: number): number | undefined {
    const out = new Float64Array(3);
    const question = {
      renderMs,
      newestMs: Number.NaN,
      appliedMs: Number.NaN,
      momentMs: Number.NaN,
      playoutMs: renderMs,
      shiftMs: 0,
      spreadMs: 0,
      slackMs: 0,
      lateMs: 0,
      earlyMs: 0,
      ageMs: pictures.usualAgeMs,
    };
    return pictures.log.picture(id, question, out) ? out[0] : undefined;
  }

  it("measures the way by the usual trip, and takes half of it for the time a command was under way", () => {
    for (let round = 10; round < 15; round++) send(round, round - 10, round - 9, []);
    expect([pictures.renderMsOf(600), pictures.earliestMs(600)]).toEqual([600, Number.NEGATIVE_INFINITY]);
    // Up to the client's next frame it takes 8 ms on average, which are no part of the way.
    pictures.acked({ newest: 0, runs: [1] }, 668);
    expect([pictures.path.tripMs, pictures.renderMsOf(1000)]).toEqual([168, 920]);
    pictures.acked({ newest: 1, runs: [2] }, 658);
    pictures.acked({ newest: 1, runs: [2] }, 2000);
    pictures.acked({ newest: 2, runs: [3] }, 708);
    expect([pictures.path.tripMs, pictures.renderMsOf(1000), pictures.earliestMs(1000)]).toEqual([108, 950, 920]);
    pictures.path.forget();
    expect([pictures.path.isKnown, pictures.renderMsOf(1000)]).toEqual([false, 1000]);
    for (let i = 0; i < 65; i++) pictures.path.note(100 + i);
    expect(pictures.path.tripMs).toBe(132.5);
  });

  it("knows up to which moment a client interpolates by what it sent: a trip ago, and as much as ways vary", () => {
    for (const tripMs of [100, 100, 100]) pictures.path.note(tripMs);
    expect(pictures.playoutMsOf(1000)).toBe(900);
    for (const tripMs of [80, 120, 80, 120, 80, 120]) pictures.path.note(tripMs);
    expect(pictures.playoutMsOf(1000)).toBeCloseTo(900 - 2 * 20 * Math.SQRT1_2, 9);
  });

  it("lets a claim differ by a round in all", () => {
    expect(pictures.lateMs + pictures.earlyMs).toBe(ROUND_MS);
  });

  it("keeps targets alone, and none of the client's own", () => {
    const ids = [world.spawn(Ship), world.spawn(Rock), world.spawn(Ship, {}, { owner: 7 })].map(({ id }) => id);
    send(1, 0, 1, ids);
    expect(pictures.log.size).toBe(1);
    send(2, 1, 2, ids, DecisionKind.leave);
    expect(pictures.log.size).toBe(2);
  });

  it("knows of a frame of several packets what arrived, as it comes to light", () => {
    const [a, b] = [world.spawn(Ship, { x: 1 }), world.spawn(Ship, { x: 2 })].map(({ id }) => id) as [
      ObjectId,
      ObjectId,
    ];
    send(1, 0, 2, [a, b]);
    pictures.acked({ newest: 1, runs: [1, 1] }, 110);
    pictures.lost(a, 1);
    pictures.arrived(Uint32Array.of(b), 1, 1);
    expect([seen(a, 500), seen(b, 500)]).toEqual([undefined, 2]);
  });

  it("knows that what builds on a lost packet is left out, though its own packet arrived", () => {
    const ship = world.spawn(Ship, { x: 1 });
    send(1, 0, 1, [ship.id]);
    ship.x = 2;
    world.commit();
    send(2, 1, 2, [ship.id]);
    pictures.acked({ newest: 1, runs: [1, 1] }, 160);
    pictures.orphaned(ship.id, 2, 0);
    pictures.lost(ship.id, 2);
    expect(seen(ship.id, 500)).toBeUndefined();
    send(4, 2, 3, [ship.id]);
    pictures.acked({ newest: 2, runs: [2, 1] }, 260);
    expect(seen(ship.id, 500)).toBe(2);
  });

  it("forgets what its frame had no room for", () => {
    const { id } = world.spawn(Ship, { x: 1 });
    pictures.sending(1, 0, decisions([id]));
    pictures.lost(id, 1);
    pictures.sent(0, 1);
    expect(pictures.log.size).toBe(0);
  });

  it("knows what arrived although it was given up, and counts the numbers of packets on past 65,536", () => {
    const { id } = world.spawn(Ship, { x: 5 });
    for (let round = 1; round < 70_000; round++) {
      send(round, round - 1, round, round === 69_999 ? [id] : []);
      if (round % 100 === 0) pictures.acked({ newest: (round - 1) & 0xffff, runs: [100] }, round * ROUND_MS + 60);
    }
    pictures.lost(id, 69_999);
    expect(seen(id, 70_005 * ROUND_MS)).toBeUndefined();
    pictures.acked({ newest: 69_998 & 0xffff, runs: [50] }, 69_999 * ROUND_MS + 60);
    expect(seen(id, 70_005 * ROUND_MS)).toBe(5);
  });
});
