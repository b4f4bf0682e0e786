/** Action spaces over a whole server on virtual time: meeting, closed paths, stalls and votes, leaving, coming back, coming late, watching, the end. */

import { expect, test } from "vitest";
import { type Person, Stage } from "./stage.ts";

const states = (stage: Stage, at: number): string[] => stage.people[at]!.space!.peers.map(({ state }) => state);

test("seed 1: four members find each other, and all final states agree", async () => {
  const stage = new Stage({ seed: 1, loss: 0.05 });
  const people = await stage.join("ann", "bob", "cid", "dee");
  const space = stage.open(people);
  await stage.until(() => people.every((person) => person.space?.status === "playing"));
  await stage.until(() => people.every((person) => person.space!.tail > 200));
  expect(states(stage, 0)).toEqual(["direct", "direct", "direct"]);
  const { common, differing } = stage.compare(...people);
  expect(common).toBeGreaterThan(190);
  expect(differing).toEqual([]);
  expect(people[0]!.space!.peers[0]!.rttMs).toBeGreaterThan(35);
  expect(people[0]!.space!.session!.desyncs).toEqual([]);
  // Once the channels are open the server relays nothing.
  const before = space.seats.map(({ counters }) => counters.relayedFrames);
  await stage.run(2000);
  expect(space.seats.map(({ counters }) => counters.relayedFrames)).toEqual(before);
});

test("seed 2: a closed path is relayed by the server, and is left again when it opens", async () => {
  const stage = new Stage({ seed: 2, loss: 0.02 });
  stage.peers.close("ann", "bob");
  const people = await stage.join("ann", "bob", "cid");
  const space = stage.open(people);
  await stage.until(() => people.every((person) => (person.space?.tail ?? 0) > 60));
  expect(states(stage, 0)).toEqual(["relayed", "direct"]);
  expect(space.seats[0]!.counters.relayedFrames).toBeGreaterThan(30);
  expect(people[0]!.space!.peers[0]!.rttMs).toBeGreaterThan(0);
  stage.peers.open("ann", "bob");
  await stage.until(() => states(stage, 0)[0] === "direct" && states(stage, 1)[0] === "direct", 60_000);
  stage.peers.close("ann", "bob");
  await stage.until(() => states(stage, 0)[0] === "relayed" && states(stage, 1)[0] === "relayed");
  const tail = people[0]!.space!.tail;
  await stage.until(() => people.every((person) => person.space!.tail > tail + 40));
  expect(stage.compare(...people).differing).toEqual([]);
  expect(people.map(({ space: { session } = {} as never }) => session!.gone.size)).toEqual([0, 0, 0]);
});

test("seed 11: a path that closes in the middle of a fight puts nobody out, though votes are quicker than beats", async () => {
  const stage = new Stage({ seed: 11, loss: 0.1, delayMs: () => 60, session: { stallMs: 1500 } });
  const people = await stage.join("ann", "bob", "cid");
  const space = stage.open(people);
  await stage.until(() => people.every((person) => (person.space?.tail ?? 0) > 60), 60_000);
  await stage.until(() => states(stage, 0).every((state) => state === "direct"));
  stage.peers.close("ann", "bob");
  const { tail } = people[0]!.space!;
  await stage.run(8000);
  expect(people.map((person) => person.space!.session!.suspects.size)).toEqual([0, 0, 0]);
  expect(space.seats.map(({ entry }) => entry)).toEqual([1, 1, 1]);
  expect(people[0]!.space!.tail).toBeGreaterThan(tail + 140);
  expect(stage.compare(...people).differing).toEqual([]);
});

test("seed 3: who stalls is voted out, the others go on, and it comes back by itself", async () => {
  const stage = new Stage({ seed: 3 });
  const people = await stage.join("ann", "bob", "cid", "dee");
  const space = stage.open(people);
  await stage.until(() => people.every((person) => (person.space?.tail ?? 0) > 40));
  const dee = people[3]!;
  dee.isStalled = true;
  const stalledAt = dee.space!.tail;
  await stage.until(() => people.slice(0, 3).every((person) => person.space!.session!.gone.has(3)));
  await stage.until(() => people.slice(0, 3).every((person) => person.space!.tail > stalledAt + 60));
  await stage.until(() => space.seats[3]!.outTo === 1);
  expect(states(stage, 0)[2]).toBe("gone");
  dee.isStalled = false;
  await stage.until(() => dee.space!.status === "playing" && dee.space!.tail > stalledAt + 100);
  await stage.until(() => people.every((person) => person.space!.session!.gone.size === 0));
  const tail = people[0]!.space!.tail;
  await stage.until(() => people.every((person) => person.space!.tail > tail + 60));
  expect(space.seats[3]!.entry).toBe(2);
  expect(stage.compare(...people).differing).toEqual([]);
  expect(states(stage, 3)).toEqual(["direct", "direct", "direct"]);
});

test("seed 4: a page that is loaded anew is let into the running fight", async () => {
  const stage = new Stage({ seed: 4, loss: 0.05 });
  const people = await stage.join("ann", "bob", "cid");
  stage.open(people);
  await stage.until(() => people.every((person) => (person.space?.tail ?? 0) > 60));
  const bob = stage.reload(people[1]!);
  await stage.until(() => bob.space?.status === "playing");
  const present = [people[0]!, bob, people[2]!];
  const { tail } = present[0]!.space!;
  await stage.until(() => present.every((person) => person.space!.tail > tail + 60));
  // It was let in as soon as the server knew: nobody waited for the vote on a silent page.
  expect(stage.compare(...present).differing).toEqual([]);
  expect(stage.compare(...present).common).toBeGreaterThan(50);
  expect(bob.space!.session!.gone.size).toBe(0);
});

test("seed 5: who leaves holds nobody up, and who comes late takes a free slot", async () => {
  const stage = new Stage({ seed: 5 });
  const people = await stage.join("ann", "bob", "cid");
  const space = stage.open(people, { slots: 4 });
  await stage.until(() => people.every((person) => (person.space?.tail ?? 0) > 40));
  people[2]!.space!.leave();
  const { tail } = people[0]!.space!;
  await stage.run(1000);
  expect(people[0]!.space!.tail).toBeGreaterThan(tail + 15);
  expect(people[2]!.ends).toEqual(["left"]);
  const [eve] = await stage.join("eve");
  expect(space.invite(stage.player(eve!))).toBe(3);
  const present = [people[0]!, people[1]!, eve!];
  await stage.until(() => eve!.space?.status === "playing");
  await stage.until(() => present.every((person) => person.space!.tail > tail + 100));
  expect(stage.compare(...present).differing).toEqual([]);
  expect([...eve!.space!.session!.gone.keys()]).toEqual([2]);
  // A vote still works after that: gone players count as suspected by all, also by those who came later.
  people[1]!.isStalled = true;
  await stage.until(() => [people[0]!, eve!].every((person) => person.space!.session!.gone.has(1)));
});

test("seed 6: a player who answers but refuses to vote cannot hold up the others: the server settles it", async () => {
  const stage = new Stage({ seed: 6 });
  const [ann, bob, dee] = (await stage.join("ann", "bob", "dee")) as [Person, Person, Person];
  // Cid never suspects anybody, however long it waits and whoever says so.
  const cid = stage.person("cid", { session: { stallMs: 3_600_000 } });
  await stage.until(() => cid.lab.client.hasJoined);
  const people = [ann, bob, cid, dee];
  const space = stage.open(people);
  await stage.until(() => people.every((person) => (person.space?.tail ?? 0) > 40));
  cid.space!.session!.suspect = () => {};
  dee.isStalled = true;
  const stalledAt = ann.space!.tail;
  await stage.run(6000);
  expect(ann.space!.tail).toBeLessThan(stalledAt + 60);
  await stage.until(() => space.seats[2]!.outTo === 1, 40_000);
  await stage.until(() => [ann, bob].every((person) => person.space!.tail > stalledAt + 60));
  expect(stage.compare(ann, bob).differing).toEqual([]);
});

test("seed 7: a spectator sees what is final, also when the player who told it leaves", async () => {
  const stage = new Stage({ seed: 7, loss: 0.05 });
  const people = await stage.join("ann", "bob", "cid");
  const space = stage.open(people);
  await stage.until(() => people.every((person) => (person.space?.tail ?? 0) > 40));
  const [wim] = await stage.join("wim");
  expect(space.inviteSpectator(stage.player(wim!))).toBe(3);
  await stage.until(() => (wim!.watched?.head ?? 0) > 60);
  expect(space.seats[3]!.sponsor).toBe(0);
  people[0]!.space!.leave();
  const { head } = wim!.watched!;
  await stage.until(() => wim!.watched!.head > head + 60);
  expect(stage.compare(people[1]!, wim!).differing).toEqual([]);
  expect(stage.compare(people[1]!, wim!).common).toBeGreaterThan(60);
});

test("seed 8: results are handed in by parts, and the space ends when all have", async () => {
  const stage = new Stage({ seed: 8 });
  const people = await stage.join("ann", "bob");
  stage.open(people);
  await stage.until(() => people.every((person) => (person.space?.tail ?? 0) > 20));
  const long = Uint8Array.from({ length: 50_000 }, (_, at) => at % 251);
  people[0]!.space!.handIn(long);
  await stage.run(1000);
  expect(stage.outcomes).toEqual([]);
  people[1]!.space!.handIn(Uint8Array.of(1, 2, 3));
  await stage.until(() => stage.outcomes.length > 0);
  expect(stage.outcomes[0]).toMatchObject({ why: "done", seats: [{ wasIn: true }, { wasIn: true }] });
  expect(stage.outcomes[0]!.seats[0]!.result).toEqual(long);
  expect(stage.outcomes[0]!.seats[1]!.result).toEqual(Uint8Array.of(1, 2, 3));
  await stage.until(() => people.every(({ ends }) => ends.length === 1));
  expect(people.map(({ ends }) => ends[0])).toEqual(["done", "done"]);
  expect(stage.spaces.all.size).toBe(0);
});

test("seed 9: everything goes over the server where nobody has data channels", async () => {
  const stage = new Stage({ seed: 9 });
  const people = ["ann", "bob"].map((name) => stage.person(name, { isRelayOnly: true }));
  await stage.until(() => people.every(({ lab }) => lab.client.hasJoined));
  const space = stage.open(people);
  await stage.until(() => people.every((person) => (person.space?.tail ?? 0) > 60));
  expect(stage.peers.made).toBe(0);
  expect(space.seats[0]!.counters.droppedFrames).toBe(0);
  expect(stage.compare(...people).differing).toEqual([]);
});

test("seed 10: who never came is voted out, and may still come", async () => {
  const stage = new Stage({ seed: 10 });
  const people = await stage.join("ann", "bob", "cid");
  const cid = people[2]!;
  cid.isStalled = true;
  cid.lab.hide();
  stage.open(people);
  await stage.until(() => people.slice(0, 2).every((person) => (person.space?.tail ?? 0) > 60));
  expect(cid.space).toBe(undefined);
  cid.isStalled = false;
  cid.lab.show();
  await stage.until(() => cid.space?.status === "playing" && cid.space.tail > 100);
  expect(stage.compare(...people).differing).toEqual([]);
});
