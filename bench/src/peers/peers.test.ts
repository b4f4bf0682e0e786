import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { prepareColyseus } from "./colyseus.ts";
import { crowdOf, TIERS } from "./scene.ts";
import { noStaleness, type Staleness } from "./staleness.ts";
import type { Crowd, Host } from "./subject.ts";
import { SUBJECTS, type SubjectName, startCrowd, startHost } from "./subject-process.ts";

const size = crowdOf(120, 4);
const WARM_UP = 45;
const ROUNDS = 24;

interface Tried {
  readonly staleness: Staleness;
  readonly bytes: number;
}

let running: { host: Host; crowd: Crowd | undefined } | undefined;

/** An install over a slow network, ms. */
const INSTALL_MS = 240_000;

beforeAll(prepareColyseus, INSTALL_MS);

afterEach(async () => {
  await running?.crowd?.close();
  await running?.host.close();
  running = undefined;
});

/** The smallest form of the comparison, both ends in this process. */
async function attempt(name: SubjectName): Promise<Tried> {
  const host = await startHost(name, size);
  running = { host, crowd: undefined };
  const crowd = await startCrowd(name, size, host.url);
  running.crowd = crowd;
  let rounds = 0;
  let isDone = false;
  const joining = crowd.join(size.clients).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    host.round(false);
    rounds += 1;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  await joining;
  await crowd.begin(rounds, host.sent());
  for (let round = 1; round <= WARM_UP; round++) {
    host.round(true);
    await crowd.look(round, undefined, host.sent());
  }
  const staleness = noStaleness();
  const before = host.volume().down;
  for (let round = WARM_UP + 1; round <= WARM_UP + ROUNDS; round++) {
    host.round(true);
    await crowd.look(round, staleness, host.sent());
  }
  return { staleness, bytes: host.volume().down - before };
}

describe("the smallest comparison", () => {
  const names = Object.keys(SUBJECTS) as SubjectName[];
  const tried = new Map<SubjectName, Tried>();

  it.each(names)("%s shows its clients what it promises", async (name) => {
    const result = await attempt(name);
    tried.set(name, result);
    const tiered = SUBJECTS[name].form !== "plain" && SUBJECTS[name].form !== "view";
    result.staleness.forEach(({ pairs, largest }, tier) => {
      expect(pairs).toBeGreaterThan(0);
      expect(largest).toBeLessThanOrEqual(tiered ? TIERS[tier]!.everyRounds - 1 : 0);
    });
  });

  it("costs fewer bytes with tiers than without, on both sides", () => {
    const bytes = (name: SubjectName): number => tried.get(name)!.bytes;
    expect(bytes("nearfield")).toBeLessThan(bytes("nearfieldPlain"));
    expect(bytes("colyseusTiers")).toBeLessThan(bytes("colyseusView"));
    expect(bytes("colyseusPacked")).toBeLessThan(bytes("colyseusTiers"));
  });
});
