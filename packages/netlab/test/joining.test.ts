/**
 * Joining has one order (docs/guide/sessions.md): when a client has joined, what `onJoin` made for it is there, and what came until then
 * is handed to whoever listens from that turn on. Hundreds of seeded joins, over links that delay, lose and reorder, under byte budgets,
 * with objects that go before they arrived.
 */

import type { Client } from "@nearfield/client";
import type { ObjectId } from "@nearfield/schema";
import { to } from "@nearfield/server";
import { describe, expect, it } from "vitest";
import { type Dice, Lab } from "../src/index.ts";
import type { LabOptions, PathConditions } from "../src/internal/index.ts";
import { Chat, Probe, protocol, Score, Ship, Shot, spawnShip, stir, view } from "./scenario.ts";
import { nightly, seeds } from "./seeds.ts";

const JOINS = nightly(300);
/** Where four packets in ten are lost, both ways, a first welcome may take longer than the five seconds after which a client gives up. */
const PATIENT = { reconnect: { joinMs: 30_000 } };

/** A path that a player may have: from next door to the other side of the world, with losses in bursts or none. */
function randomPath(dice: Dice): PathConditions {
  const latencyMs = dice.pick([0, 5, 30, 80, 200, 400]);
  return {
    latencyMs,
    jitterMs: dice.chance(0.5) ? latencyMs / 4 : 0,
    loss: dice.pick([0, 0, 0.05, 0.2, 0.4]),
    ...(dice.chance(0.2) && { bytesPerSecond: 20_000 }),
  };
}

async function pass(lab: Lab, ms: number): Promise<void> {
  const endMs = lab.clock.nowMs + ms;
  await run(lab, () => lab.clock.nowMs >= endMs);
}

/** Runs until it holds, a millisecond at a time, as a process does: what waits for promises runs in between. */
async function run(lab: Lab, until: () => boolean, limitMs = 30_000): Promise<void> {
  for (let ms = 0; !until(); ms++) {
    if (ms > limitMs) throw new Error(`not within ${limitMs} ms (seed ${lab.dice.seed})`);
    lab.run(1);
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
}

interface Joined {
  readonly client: Client;
  /** Own ships, probes and scores in the turn after `untilJoined`. */
  readonly own: readonly ObjectId[];
  readonly heard: string[];
}

/** What a game does: waits for the join, then attaches its listeners in the same turn. */
async function play(client: Client): Promise<Joined> {
  await client.untilJoined();
  const heard: string[] = [];
  const own = [...client.world.objects()].filter((entity) => client.world.isMine(entity)).map(({ id }) => id);
  client.onState((state) => heard.push(`state ${state}`));
  client.onRoomState((state) => heard.push(`room ${state}`));
  client.onEvent(Chat, ({ words }) => heard.push(words));
  client.onEvent(Shot, ({ number }) => heard.push(`shot ${number}`));
  for (const type of [Ship, Probe, Score]) client.onSpawn(type as typeof Ship, ({ id }) => heard.push(`spawn ${id}`));
  client.activity(() => heard.at(-1) !== "activity" && heard.push("activity"));
  return { client, own, heard };
}

function makeLab(seed: number, options: Partial<LabOptions> = {}): { lab: Lab; made: Map<number, ObjectId[]> } {
  const lab = new Lab({ protocol, view, roundMs: 50, seed, spectators: "anybody", ...options });
  const dice = lab.dice.fork("game");
  const made = new Map<number, ObjectId[]>();
  for (let i = 0; i < 40; i++) spawnShip(lab.world, dice);
  lab.server.onJoin((player) => {
    lab.server.emit(Chat, { words: `hello ${player.nickname}` }, to(player));
    lab.server.emit(Shot, { x: 1, y: 1, number: player.id }, to(player));
    if (player.role === "spectator") return;
    const owner = { owner: player.id };
    const ship = lab.world.spawn(Ship, { x: dice.range(0, 1000), y: dice.range(0, 1000) }, owner);
    const others = [lab.world.spawn(Probe, { x: 3, y: 3 }, owner), lab.world.spawn(Score, { points: 1 }, owner)];
    player.pivotOn(ship);
    made.set(player.id, [ship.id, ...others.map(({ id }) => id)]);
  });
  lab.server.onRound((world) => stir(world, dice));
  return { lab, made };
}

describe("a client that has joined", () => {
  it(`has its own objects and hears everything from the beginning, in ${JOINS} joins over links of every kind`, async () => {
    for (let seed = 1; seed <= JOINS; seed++) {
      const { lab, made } = makeLab(seed, { ...(seed % 4 === 0 && { budget: 2000 }) });
      const { client } = lab.join("ann", randomPath(lab.dice.fork("path")), PATIENT);
      let joined: Joined | undefined;
      const playing = play(client).then((result) => {
        joined = result;
      });
      await run(lab, () => joined !== undefined);
      await playing;
      const { own, heard } = joined!;
      expect([seed, own.toSorted()]).toEqual([seed, made.get(client.world.session)!.toSorted()]);
      expect([seed, heard]).toEqual([seed, []]);
      await run(lab, () => heard.includes("activity"));
      expect([seed, heard.slice(0, 2)]).toEqual([seed, ["state active", "room active"]]);
      expect([seed, heard.indexOf("activity")]).toEqual([seed, heard.length - 1]);
      expect([seed, heard.filter((line) => line.startsWith("hello"))]).toEqual([seed, ["hello ann"]]);
      for (const id of own) expect([seed, heard.filter((line) => line === `spawn ${id}`)]).toHaveLength(2);
      const spawned = heard.filter((line) => line.startsWith("spawn"));
      expect([seed, new Set(spawned).size]).toEqual([seed, spawned.length]);
    }
  });

  it("is told of each object that is there, once", async () => {
    const { lab } = makeLab(5);
    const { client } = lab.join("ann", { latencyMs: 60, loss: 0.2 });
    let joined: Joined | undefined;
    void play(client).then((result) => {
      joined = result;
    });
    await run(lab, () => joined?.heard.includes("activity") === true);
    const told = joined!.heard.filter((line) => line.startsWith("spawn")).map((line) => Number(line.slice(6)));
    const here = [...client.world.objects()].filter(({ type }) => type.name !== "crate").map(({ id }) => id as number);
    expect(told.toSorted()).toEqual(here.toSorted());
  });

  it("may be a spectator, who owns nothing", async () => {
    const { lab } = makeLab(6);
    const { client } = lab.join("eye", { latencyMs: 100, loss: 0.3 }, { role: "spectator" });
    let joined: Joined | undefined;
    void play(client).then((result) => {
      joined = result;
    });
    await run(lab, () => joined?.heard.includes("activity") === true);
    expect(joined!.own).toEqual([]);
    expect(joined!.heard).toContain("hello eye");
  });

  it("does not wait for objects that went before they arrived, whenever that was", async () => {
    for (const seed of seeds(1, 100)) {
      const { lab, made } = makeLab(seed);
      const dice = lab.dice.fork("end");
      const { client } = lab.join("ann", { latencyMs: dice.int(300), loss: dice.pick([0, 0.2, 0.4]) }, PATIENT);
      let joined: Joined | undefined;
      void play(client).then((result) => {
        joined = result;
      });
      await run(lab, () => made.size > 0);
      await pass(lab, dice.int(1000));
      const [gone] = [...made.values()].flat();
      lab.world.destroy(lab.world.get(gone!)!);
      await run(lab, () => joined !== undefined, 60_000);
      expect([seed, joined!.own.length >= 2]).toEqual([seed, true]);
    }
  });

  it("joins over a link that breaks in between, and hears everything once", async () => {
    for (const seed of seeds(1, 60)) {
      const { lab, made } = makeLab(seed);
      const dice = lab.dice.fork("break");
      const ann = lab.join("ann", { latencyMs: 100, loss: 0.3 });
      let joined: Joined | undefined;
      void play(ann.client).then((result) => {
        joined = result;
      });
      await run(lab, () => ann.client.state === "active");
      await pass(lab, dice.int(200));
      ann.breakLink();
      await run(lab, () => joined?.heard.includes("activity") === true);
      expect([seed, joined!.own.toSorted()]).toEqual([seed, made.get(ann.world.session)!.toSorted()]);
      expect([seed, joined!.heard.filter((line) => line.startsWith("hello"))]).toEqual([seed, ["hello ann"]]);
    }
  });

  it("has heard nothing before, even with listeners that were there from the start", async () => {
    const { lab } = makeLab(9);
    const { client } = lab.join("ann", { latencyMs: 50 });
    const heard: string[] = [];
    client.onState((state) => heard.push(state));
    client.onEvent(Chat, ({ words }) => heard.push(words));
    client.activity(() => heard.push("activity"));
    await run(lab, () => client.hasJoined);
    expect(heard).toEqual([]);
    lab.run(16);
    expect(heard.slice(0, 3)).toEqual(["active", "hello ann", "activity"]);
  });

  it("is not one that was refused: whoever waits is told why, at once", async () => {
    const { lab } = makeLab(10);
    const { client } = lab.join("ann", {}, { room: "nowhere" });
    const states: string[] = [];
    client.onState((state, reason) => states.push(`${state} ${reason?.code}`));
    const waiting = client.untilJoined().catch((error: unknown) => error);
    await run(lab, () => client.state === "ended");
    lab.run(16);
    expect(await waiting).toMatchObject({ code: "room" });
    expect(states).toEqual(["ended room"]);
    await expect(client.untilJoined()).rejects.toMatchObject({ code: "room" });
  });
});
