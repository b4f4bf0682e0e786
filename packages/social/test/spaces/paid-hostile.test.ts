/** Paid fights and people who send what they must not, who know each other too well, or who come back with another key. */

import { LabKeys } from "@nearfield/netlab/internal";
import { expect, test } from "vitest";
import type { PaidRules } from "../../src/peer/index.ts";
import { SpaceClaim, SpaceDemand, SpaceEvidence } from "../../src/spaces/messages.ts";
import { type Bout, bout, type Citizen, PaidStage } from "./paid-stage.ts";

const stageOf = (seed: number): PaidStage => new PaidStage({ seed, keys: new LabKeys(seed, 8) });
const isSettled = ({ settled }: Citizen): boolean => settled.length > 0;

test("seed 1: claims of strangers, parts that nobody asked for and fights that nobody opened change nothing", async () => {
  const stage = stageOf(1);
  const [ann, bob, eve] = [await stage.join("ann"), await stage.join("bob"), await stage.join("eve")];
  const { name } = await stage.open([ann, bob], []);
  const empty = new Uint8Array(0);
  for (const { lab } of [eve, bob])
    for (let at = 0; at < 40; at++) {
      const claim = { state: 8 * at, digest: new Uint8Array(16), worth: empty, isDoubted: false };
      lab.client.send(SpaceClaim, { ...claim, name: at % 2 === 0 || lab === bob.lab ? new Uint8Array(16) : name });
      lab.client.send(SpaceEvidence, { name, demand: at, part: 0, parts: 1, bytes: empty });
    }
  await stage.until(() => [ann, bob].every(isSettled));
  expect(stage.verdicts).toEqual([]);
  expect(eve.settled).toEqual([]);
});

test("seed 2: claims without end are bounded, nonsense proves nothing, and both leave the honest one its goods", async () => {
  const stage = stageOf(2);
  const [ann, bob] = [await stage.join("ann"), await stage.join("bob")];
  const { name } = await stage.open([ann, bob], []);
  const { client } = bob.lab;
  for (let at = 1; at < 100; at++)
    client.send(SpaceClaim, { name, state: at, digest: new Uint8Array(16), worth: Uint8Array.of(at), isDoubted: true });
  await stage.run(7000);
  for (let demand = 0; demand < 4; demand++)
    client.send(SpaceEvidence, { name, demand, part: 0, parts: 1, bytes: Uint8Array.of(1, 2, 3) });
  await stage.until(() => isSettled(ann), 120_000);
  expect(ann.settled[0]!.denied).toBeUndefined();
  expect(stage.verdicts.length).toBeLessThan(5);
});

test("seed 3: goods that cannot be are denied, not tried for ever", async () => {
  const rules: PaidRules<Bout> = {
    ...bout,
    earned: (...asked) => bout.earned(...asked)?.map(() => ({ good: "crown" })),
  };
  const stage = new PaidStage({ seed: 3, keys: new LabKeys(3, 8), options: { kinds: { bout: rules } } });
  const ann = await stage.join("ann", { rules });
  await stage.open([ann]);
  await stage.until(() => isSettled(ann));
  expect(ann.settled[0]!.denied).toContain("crown");
  expect(stage.errors).toHaveLength(1);
});

test("seed 4: friends and members of a party do not observe", async () => {
  const stage = stageOf(4);
  const [ann, bob, cid, dee] = [
    await stage.join("ann"),
    await stage.join("bob"),
    await stage.join("cid"),
    await stage.join("dee"),
  ];
  const { ties, lobby } = stage.social;
  await ties.ask(ann.login.account, bob.login.account);
  await ties.ask(bob.login.account, ann.login.account);
  const person = ({ name, login }: Citizen) => ({ account: login.account, name });
  const { id } = await lobby.invite(person(ann), cid.login.account);
  await lobby.join(person(cid), id);
  const space = await stage.open([ann]);
  expect(space.seats.flatMap(({ player, isObserver }) => (isObserver ? [player?.nickname] : []))).toEqual(["dee"]);
  await stage.until(() => isSettled(ann));
  expect(dee.observed).toBeDefined();
});

test("seed 5: who has no account or told no key is not taken into a paid fight", async () => {
  const stage = stageOf(5);
  const ann = await stage.join("ann");
  await expect(stage.open([ann, ann])).rejects.toMatchObject({ code: "bad-option" });
  const player = stage.player(ann);
  await expect(stage.paid.open({ kind: "duel", players: [player], stepMs: 50, seed: 1 })).rejects.toMatchObject({
    code: "bad-option",
  });
  const keyless = stage.lab.join("kim", {}, { credentials: ann.login.token });
  await stage.until(() => keyless.client.hasJoined);
  const kim = [...stage.lab.server.main.players.values()].find(({ nickname }) => nickname === "kim")!;
  await expect(stage.paid.open({ kind: "bout", players: [kim], stepMs: 50, seed: 1 })).rejects.toMatchObject({
    code: "bad-option",
  });
});

test("seed 6: with one trial at a time, disputes wait in line, and every honest one is paid", async () => {
  let [open, most] = [0, 0];
  const stage = new PaidStage({ seed: 6, keys: new LabKeys(6, 8), options: { trials: 1, onVerdict: () => open-- } });
  const rules: PaidRules<Bout> = {
    ...bout,
    earned: (fight, slot, state) => bout.earned(fight, slot, state)?.map((lot) => ({ ...lot, count: lot.count! + 9 })),
  };
  const fights: Citizen[][] = [];
  for (const pair of ["ann bob", "cid dee", "eva fay"]) {
    const [honest, forger] = pair.split(" ");
    fights.push([await stage.join(honest!), await stage.join(forger!, { rules })]);
  }
  for (const [honest] of fights)
    honest!.lab.client.onEvent(SpaceDemand, () => {
      most = Math.max(most, ++open);
    });
  for (const fight of fights) await stage.open(fight, []);
  await stage.until(() => fights.flat().every(({ settled }) => settled.length > 0), 60_000);
  expect(most).toBe(1);
  expect(fights.map((fight) => fight.map(({ settled }) => settled[0]!.denied))).toEqual(
    fights.map(() => [undefined, "forged-result"]),
  );
});
