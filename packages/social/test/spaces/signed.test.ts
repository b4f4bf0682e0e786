/** A fight whose inputs are signed, over a space: keys travel with the invitation, an observer whom the server drew replays what the players signed. */

import { LabKeys } from "@nearfield/netlab/internal";
import { expect, test } from "vitest";
import { tellKey } from "../../src/peer/index.ts";
import { Stage } from "./stage.ts";

test("seed 1: players sign, the observer replays the same states, and a reload goes on signing", async () => {
  const keys = new LabKeys(1, 4);
  const stage = new Stage({ seed: 1, loss: 0.02, keys });
  const people = await stage.join("ann", "bob", "cid");
  const [eve] = await stage.join("eve");
  for (const [slot, { lab }] of people.entries()) tellKey(lab.client, keys.publicKeys[slot]!);
  await stage.run(200);
  const space = stage.open(people);
  expect(space.inviteObserver(stage.player(eve!))).toBe(3);
  await stage.until(() => people.every((person) => (person.space?.tail ?? 0) > 60));
  await stage.until(() => (eve!.observed?.tail ?? 0) > 60);
  expect(people[0]!.invitation!.keys).toEqual(keys.publicKeys.slice(0, 3));
  expect(stage.compare(...people, eve!).differing).toEqual([]);
  expect(stage.compare(...people, eve!).common).toBeGreaterThan(50);
  expect(eve!.observed!.observer.disputes).toEqual([]);
  expect(people.flatMap((person) => person.space!.session!.disputes)).toEqual([]);
  expect(people[0]!.space!.session!.signedLog!.players.every(({ seal }) => seal !== undefined)).toBe(true);
  const bob = stage.reload(people[1]!);
  await stage.until(() => bob.space?.status === "playing");
  const present = [people[0]!, bob, people[2]!];
  const { tail } = people[0]!.space!;
  await stage.until(() => present.every((person) => person.space!.tail > tail + 40));
  await stage.until(() => eve!.observed!.tail > tail + 40);
  expect(stage.compare(...present, eve!).differing).toEqual([]);
  for (const person of present) person.space!.handIn(Uint8Array.of(1));
  eve!.observed!.handIn(Uint8Array.of(2));
  await stage.until(() => stage.outcomes.length === 1);
  expect(stage.outcomes[0]!.seats.map(({ result, key }) => [result?.[0], key.length])).toEqual([
    [1, 32],
    [1, 32],
    [1, 32],
    [2, 0],
  ]);
});
