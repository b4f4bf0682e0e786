/**
 * Short lives of clusters, by dice, in which players at three gateways lock crates, count under the lock, move them over borders and give them back; slices change their owners all the
 * while, links are cut, processes pause, servers die.
 *
 * Whatever happens: who counts under a lock always finds the count that was there when it got the lock, so no two holders are obeyed; and no release is carried
 * out twice. While no server dies: no two clients hold a lock at a time, every release is carried out, and nothing is refused, except to a client whose copy of the crate went
 * because its owner could not be heard for long. In the end every lock can be had.
 */

import { lock, onRefused, release } from "@nearfield/client/writing";
import type { ObjectId, WorldId } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { seeds } from "../../netlab/test/seeds.ts";
import { ClusterLab, Crate, ROUND_MS, type Roamer, Ship } from "./cluster-lab.ts";
import { acting, makeTrouble, type Trouble } from "./troubles.ts";

const HEALED_MS = 10_000;
const CRATES = 4;
const STEPS = 80;

interface Person {
  readonly roamer: Roamer;
  /** What was refused, denied or lost, by crate. */
  readonly refusals: { readonly crate: ObjectId; readonly why: string }[];
  /** Crates that went from its world. */
  readonly gone: Set<ObjectId>;
  isAsking: boolean;
  /** What it has given back, by crate, with the mark that it wrote. */
  readonly given: { readonly crate: ObjectId; readonly mark: number }[];
}

interface Life {
  readonly cluster: ClusterLab;
  readonly people: readonly Person[];
  /** Marks that were let through, on any server. */
  readonly accepted: number[];
  /** What no lock should let happen, in words. */
  readonly wrong: string[];
}

async function live(seed: number, trouble: Trouble): Promise<Life> {
  const cluster = new ClusterLab({ seed });
  const { dice, hub } = cluster;
  cluster.startInColumns(4);
  const [accepted, wrong]: [number[], string[]] = [[], []];
  const watch = (lab: (typeof cluster.servers)[number]["lab"]): void => {
    lab.server.onWrite(Crate, (_, crate, { weight, mark }) => {
      if (weight !== crate.weight + 1) wrong.push(`${crate.weight} was counted up to ${weight}`);
      if (accepted.includes(mark!)) wrong.push(`release ${mark} was carried out twice`);
      accepted.push(mark!);
      return true;
    });
    lab.server.onJoin((player) =>
      player.pivotOn(lab.world.spawn(Ship, { x: dice.range(430, 570), y: 500 }, { owner: player.id })),
    );
  };
  for (const { lab } of cluster.servers) watch(lab);
  const { world } = cluster.servers[1]!.lab;
  for (let i = 0; i < CRATES; i++) world.spawn(Crate, { x: dice.range(430, 490), y: 500 });
  const people = cluster.servers.slice(0, 3).map((server, i): Person => {
    const roamer = cluster.roam(server, `player ${i}`);
    const person: Person = { roamer, refusals: [], gone: new Set(), isAsking: false, given: [] };
    onRefused(roamer.client, (crate, why) => person.refusals.push({ crate, why }));
    roamer.client.onDestroy(Crate, ({ id }) => person.gone.add(id));
    roamer.client.onLeave(Crate, ({ id }) => person.gone.add(id));
    return person;
  });
  await run(cluster, 2500);
  let watched = cluster.servers.length;
  let marks = 0;
  const play = async (isOver: boolean): Promise<void> => {
    for (const person of people) marks = turn(cluster, person, marks, isOver);
    await run(cluster, ROUND_MS);
    for (; watched < cluster.servers.length; watched++) watch(cluster.servers[watched]!.lab);
    if (trouble !== "deaths") wrong.push(...heldTwice(people));
  };
  for (let step = 0; step < STEPS; step++) {
    if (trouble !== "none") makeTrouble(cluster, trouble);
    if (dice.chance(0.1)) giveSlice(cluster);
    await play(false);
  }
  hub.heal();
  hub.setDelay([0.3, 3]);
  for (let ms = 0; ms < HEALED_MS; ms += ROUND_MS) await play(true);
  return { cluster, people, accepted, wrong };
}

/** One thing that a player does: asks for a lock, holds it for a while, gives it back with one more counted. */
function turn({ dice }: ClusterLab, person: Person, marks: number, isOver: boolean): number {
  const { client } = person.roamer;
  const crates = [...client.world.all(Crate)];
  const held = crates.find((crate) => client.world.isLocked(crate));
  if (client.state !== "active") return marks;
  if (held !== undefined) {
    if (!isOver && !dice.chance(0.3)) return marks;
    Object.assign(held, { weight: held.weight + 1, mark: marks + 1, x: dice.range(430, 570) });
    release(client, held);
    person.given.push({ crate: held.id, mark: marks + 1 });
    return marks + 1;
  }
  if (isOver || person.isAsking || crates.length === 0 || !dice.chance(0.4)) return marks;
  person.isAsking = true;
  const crate = dice.pick(crates);
  lock(client, crate)
    .catch((error: { readonly code?: string }) =>
      person.refusals.push({ crate: crate.id, why: error.code ?? "failed" }),
    )
    .finally(() => {
      person.isAsking = false;
    });
  return marks;
}

/** Refusals that no copy's end explains. */
function unexplained(people: readonly Person[]): string[] {
  return people.flatMap(({ refusals, gone }) =>
    refusals.filter(({ crate, why }) => why !== "gone" || !gone.has(crate)).map(({ why }) => why),
  );
}

function marksOf(people: readonly Person[]): number[] {
  return people.flatMap(({ given }) => given.map(({ mark }) => mark));
}

/** Marks of releases that were neither carried out nor refused, as the last of a crate is when its copy goes. */
function unanswered(people: readonly Person[], accepted: readonly number[]): number[] {
  return people.flatMap(({ given, gone }) =>
    given.flatMap(({ crate, mark }, i) => {
      const isLast = !given.slice(i + 1).some((later) => later.crate === crate);
      return accepted.includes(mark) || (isLast && gone.has(crate)) ? [] : [mark];
    }),
  );
}

/** A slice changes its owner, with everything in it. */
function giveSlice(cluster: ClusterLab): void {
  const { dice } = cluster;
  const [some, heir] = [dice.pick(acting(cluster)), dice.pick(acting(cluster))];
  if (some === undefined || heir === undefined) return;
  some.guest.membership.propose((map) => map!.assign(dice.pick(map!.slices).id, heir.number));
}

/** Crates that two clients hold at once. */
function heldTwice(people: readonly Person[]): string[] {
  const holders = new Map<WorldId, string>();
  return people.flatMap(({ roamer: { client, server } }) =>
    [...client.world.all(Crate)].flatMap((crate) => {
      if (!client.world.isLocked(crate)) return [];
      const id = server.lab.world.worldIdOf(crate.id);
      const other = holders.get(id);
      holders.set(id, server.name);
      return other === undefined ? [] : [`crate ${id} is held at ${other} and at ${server.name}`];
    }),
  );
}

/** Promises are kept between rounds. */
async function run(cluster: ClusterLab, ms: number): Promise<void> {
  cluster.run(ms);
  await new Promise((resolve) => setImmediate(resolve));
}

/** Everybody locks, and gives back, every crate in turn. Returns how often that worked. */
async function lockAll({ cluster, people }: Life): Promise<number> {
  let locked = 0;
  for (const { roamer } of people) {
    for (const crate of [...roamer.client.world.all(Crate)]) {
      lock(roamer.client, crate).catch(() => {});
      await run(cluster, 600);
      if (!roamer.client.world.isLocked(crate)) continue;
      locked += 1;
      release(roamer.client, crate);
    }
  }
  return locked;
}

function weights(cluster: ClusterLab): number {
  return acting(cluster)
    .flatMap(({ lab: { world } }) => [...world.all(Crate)].filter((crate) => !world.isForeign(crate)))
    .reduce((sum, { weight }) => sum + weight, 0);
}

describe("locks in a cluster", () => {
  it.each(seeds(6001, 20))(
    "have one holder, and lose no release, while slices change their owners (seed %i)",
    async (seed) => {
      const life = await live(seed, "none");
      const { people, accepted, wrong, cluster } = life;
      expect(wrong).toEqual([]);
      expect(people.flatMap(({ refusals }) => refusals)).toEqual([]);
      expect(accepted.length).toBeGreaterThan(10);
      expect(accepted.toSorted()).toEqual(marksOf(people).toSorted());
      expect(weights(cluster)).toBe(accepted.length);
      expect(await lockAll(life)).toBe(3 * CRATES);
    },
  );
  it.each(seeds(6101, 20))("do so while links are cut or slow and processes pause (seed %i)", async (seed) => {
    const life = await live(seed, "links");
    const { people, accepted, wrong, cluster } = life;
    expect(wrong).toEqual([]);
    expect(unexplained(people)).toEqual([]);
    expect(marksOf(people)).toEqual(expect.arrayContaining(accepted));
    expect(unanswered(people, accepted)).toEqual([]);
    expect(weights(cluster)).toBe(accepted.length);
    expect(await lockAll(life)).toBe(3 * CRATES);
  });

  it.each(seeds(6201, 20))(
    "have one holder that is obeyed, whoever dies, and can be had again (seed %i)",
    async (seed) => {
      const life = await live(seed, "deaths");
      const { people, accepted, wrong, cluster } = life;
      expect(wrong).toEqual([]);
      expect(marksOf(people)).toEqual(expect.arrayContaining(accepted));
      expect(weights(cluster)).toBeLessThanOrEqual(accepted.length);
      expect(await lockAll(life)).toBe(3 * CRATES);
    },
  );
});
