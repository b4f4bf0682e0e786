/**
 * The control of the sabotage suite: where nothing is planted, the auditor finds nothing, whatever happens in the room. With budgets, losses and
 * people who come and go what is short is counted as such.
 */

import { viewOf } from "@nearfield/client/views";
import { Aura, Broadcast } from "@nearfield/core";
import { ReferenceEngine } from "@nearfield/core/internal";
import { describe, expect, it } from "vitest";
import { seeds } from "../seeds.ts";
import { AuditedRoom, type RoomPlan } from "./audited-room.ts";

const ROUNDS = 250;

/** @param leastPairs that are looked at in a round, on average. */
function expectNoFault(seed: number, plan: RoomPlan, leastPairs = 50): AuditedRoom {
  const room = new AuditedRoom(seed, plan);
  room.lab.step(ROUNDS);
  expect(room.audit.newestFaults, `seed ${seed}`).toEqual([]);
  expect(room.audit.faults).toBe(0);
  expect(room.audit.examined).toBeGreaterThan(leastPairs * ROUNDS);
  return room;
}

describe.each(seeds(1, 3))("nothing planted, seed %i", (seed) => {
  it("a quiet room", () => {
    const { audit } = expectNoFault(seed, {});
    expect(audit.shortCounts()).toEqual([]);
  });

  it("links that lose a fifth in bursts", () => {
    const { audit } = expectNoFault(seed, { lossy: true, hides: seed % 2 === 0 });
    expect(audit.shortCounts().map(({ of }) => of)).toContain("lost");
  });

  it("people who join, leave and lose their links", () => {
    const { telemetry } = expectNoFault(seed, { restless: true, lossy: true }).lab.server.main;
    expect(telemetry.joins + telemetry.resumes).toBeGreaterThan(4);
  });

  it("bytes that do not suffice", () => {
    const { audit } = expectNoFault(seed, { budget: 1500, lossy: true, restless: true, hides: seed % 2 === 1 });
    expect(audit.shortCounts().map(({ of }) => of)).toContain("heldBack");
    expect(audit.decided).toBeGreaterThan(0);
  });

  it("time that does not suffice", () => {
    const { audit, lab } = expectNoFault(
      seed,
      { strained: true, lossy: true, restless: true, hides: seed % 2 === 0 },
      5,
    );
    expect(lab.server.main.telemetry.every).toBe(8);
    expect(audit.outViewRounds).toBeGreaterThan(ROUNDS);
    expect(audit.decided).toBeGreaterThan(0);
    const told = lab.clients
      .filter(({ client }) => client.state === "active")
      .map(({ client }) => viewOf(client)!.loosened);
    expect(told.some(({ every, outer }) => every === 8 && outer === 8)).toBe(true);
  });

  it("time and bytes that do not suffice", () => {
    const { audit } = expectNoFault(seed, { strained: true, budget: 1500, lossy: true, restless: true }, 5);
    expect(audit.outViewRounds).toBeGreaterThan(ROUNDS);
  });

  it("few pairs in each round", () => {
    const room = new AuditedRoom(seed, { auditSample: 7, lossy: true });
    room.lab.step(ROUNDS);
    expect(room.audit.newestFaults).toEqual([]);
    expect(room.audit.examined).toBeLessThanOrEqual(7 * ROUNDS);
  });

  it("other models, by what they promise", () => {
    expectNoFault(seed, { plant: (world, options) => new ReferenceEngine(world, options) });
    expectNoFault(seed, { plant: (world, options) => new Broadcast(world, options), lossy: true });
    expectNoFault(seed, { plant: (world, options) => new Aura(world, { ...options, radius: 200 }) });
  });
});
