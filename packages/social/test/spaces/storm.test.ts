/** Action spaces in bad weather: paths close and open, machines stall, pages are loaded anew, players leave, all by seeded dice. Whoever plays at the end agrees on every final state. */

import { Dice } from "@nearfield/netlab";
import { expect, test } from "vitest";
import { seeds } from "../../../netlab/test/seeds.ts";
import { type Person, Stage } from "./stage.ts";

const NAMES = ["ann", "bob", "cid", "dee"] as const;

test.each(seeds(1, 5))("final states agree whatever happens, seed %d", async (seed) => {
  const dice = new Dice(seed).fork("weather");
  const stage = new Stage({ seed, loss: 0.1, delayMs: () => 10 + dice.int(120) });
  const people: Person[] = await stage.join(...NAMES);
  stage.open(people);
  await stage.until(() => people.every((person) => (person.space?.tail ?? 0) > 10), 60_000);
  const pair = (): [string, string] => {
    const [one, other] = [dice.int(4), 1 + dice.int(3)];
    return [NAMES[one]!, NAMES[(one + other) % 4]!];
  };
  // Ann stays awake: a fight that everybody has left is over.
  const somebody = (): number => 1 + dice.int(3);
  for (let event = 0; event < 6; event++) {
    const what = dice.int(4);
    const at = somebody();
    if (what === 0) stage.peers.close(...pair());
    else if (what === 1) stage.peers.open(...pair());
    else if (what === 2) people[at]!.isStalled = !people[at]!.isStalled;
    else people[at] = stage.reload(people[at]!);
    await stage.run(500 + dice.int(3000));
  }
  for (const person of people) person.isStalled = false;
  await stage.until(() => people.every((person) => person.space?.status === "playing"), 60_000);
  // Suspicion is not taken back: who suspects somebody alone is ruled out by the server a few seconds later, and comes in anew.
  const isCalm = ({ space }: Person): boolean => space!.session?.gone.size === 0 && space!.session.suspects.size === 0;
  await stage.until(() => people.every(isCalm), 60_000);
  const tail = Math.max(...people.map((person) => person.space!.tail));
  await stage.until(() => people.every((person) => person.space!.tail > tail + 40), 60_000);
  const { common, differing } = stage.compare(...people);
  expect(differing).toEqual([]);
  // Nobody suspects anybody and the weather is over, so all play on without a new entry and have the last forty states in common, at least.
  expect(common).toBeGreaterThanOrEqual(40);
});
