/** Members who send what they must not: each is refused by a reason, in the end put out of the space, and nobody else notices. */

import type { Client } from "@nearfield/client";
import { expect, test } from "vitest";
import { SpaceEnter, SpaceRelay, SpaceResult, SpaceSignal, SpaceStatus } from "../../src/spaces/messages.ts";
import { type Person, Stage } from "./stage.ts";

/** Three who play; the third is the one who misbehaves. */
async function playing(seed: number): Promise<{ stage: Stage; people: Person[]; bad: Client; space: number }> {
  const stage = new Stage({ seed });
  const people = await stage.join("ann", "bob", "cid");
  stage.open(people);
  await stage.until(() => people.every((person) => (person.space?.tail ?? 0) > 20));
  return { stage, people, bad: people[2]!.lab.client, space: people[0]!.invitation!.space };
}

/** Ann and Bob play on as if nothing had happened. */
async function othersGoOn(stage: Stage, people: readonly Person[]): Promise<void> {
  const { tail } = people[0]!.space!;
  await stage.until(() => people.slice(0, 2).every((person) => person.space!.tail > tail + 40));
  expect(stage.compare(people[0]!, people[1]!).differing).toEqual([]);
}

test("seed 1: signals and frames to nobody, to oneself and to strangers are refused", async () => {
  const { stage, people, bad, space } = await playing(1);
  const [eve] = await stage.join("eve");
  for (const to of [2, 3, 7, 255]) {
    bad.send(SpaceSignal, { space, to, signal: new Uint8Array(8) });
    bad.send(SpaceRelay, { space, to, frame: new Uint8Array(8) });
  }
  await stage.until(() => people[2]!.refusals.length === 8);
  expect(new Set(people[2]!.refusals)).toEqual(new Set(["stranger"]));
  // Who has no seat gets nothing through.
  const before = stage.spaces.all.get(space)!.seats.map(({ refusals }) => refusals);
  eve!.lab.client.send(SpaceEnter, { space });
  eve!.lab.client.send(SpaceRelay, { space, to: 0, frame: new Uint8Array(8) });
  eve!.lab.client.send(SpaceRelay, { space: 999, to: 0, frame: new Uint8Array(8) });
  await stage.run(500);
  expect(stage.spaces.all.get(space)!.seats.map(({ refusals }) => refusals)).toEqual(before);
  await othersGoOn(stage, people);
});

test("seed 2: a flood over the server is dropped and counted, and ends with a ban", async () => {
  const { stage, people, bad, space } = await playing(2);
  const seat = stage.spaces.all.get(space)!.seats[2]!;
  for (let burst = 0; burst < 400 && !seat.isBanned; burst++) {
    for (let at = 0; at < 60; at++) bad.send(SpaceRelay, { space, to: 0, frame: new Uint8Array(1000) });
    for (let at = 0; at < 4; at++) bad.send(SpaceSignal, { space, to: 0, signal: new Uint8Array(10) });
    await stage.run(50);
  }
  expect(seat.isBanned).toBe(true);
  expect(seat.counters.droppedFrames).toBeGreaterThan(500);
  expect(seat.counters.relayedBytes).toBeLessThan(60 * 128 * 1024);
  await stage.until(() => people[2]!.ends.length > 0);
  expect(people[2]!.ends).toEqual(["banned"]);
  await othersGoOn(stage, people);
  expect([...people[0]!.space!.session!.gone.keys()]).toEqual([2]);
});

test("seed 3: frames and signals that are none put their sender out of the fight, and nobody else", async () => {
  const { stage, people, bad, space } = await playing(3);
  bad.send(SpaceRelay, { space, to: 0, frame: Uint8Array.of(16, 255, 255, 255, 255, 255, 255, 255, 255, 255) });
  bad.send(SpaceSignal, { space, to: 1, signal: new TextEncoder().encode('{"kind":"offer"}') });
  await stage.until(() => people.slice(0, 2).every((person) => person.space!.session!.gone.has(2)));
  await othersGoOn(stage, people);
});

test("seed 4: reports of others' gone, parts that do not fit and entries without end change nothing", async () => {
  const { stage, people, bad, space } = await playing(4);
  const seats = stage.spaces.all.get(space)!.seats;
  // One of three cannot report the others away.
  bad.send(SpaceStatus, { space, entry: 1, isPlaying: true, gone: 0b011, suspects: 0, tail: 0 });
  bad.send(SpaceStatus, { space, entry: 9, isPlaying: true, gone: 0b011, suspects: 0b011, tail: 0 });
  bad.send(SpaceResult, { space, part: 3, parts: 2, bytes: new Uint8Array(1) });
  bad.send(SpaceResult, { space, part: 0, parts: 65, bytes: new Uint8Array(1) });
  bad.send(SpaceResult, { space, part: 0, parts: 2, bytes: new Uint8Array(1) });
  bad.send(SpaceResult, { space, part: 0, parts: 2, bytes: new Uint8Array(1) });
  await stage.until(() => people[2]!.refusals.length === 3);
  expect(new Set(people[2]!.refusals)).toEqual(new Set(["bad-result"]));
  expect(seats.slice(0, 2).map(({ outTo }) => outTo)).toEqual([0, 0]);
  for (let at = 0; at < 20; at++) bad.send(SpaceEnter, { space });
  await stage.until(() => people[2]!.refusals.includes("flood"));
  expect(seats[2]!.visits).toBeLessThanOrEqual(6);
  await othersGoOn(stage, people);
});
