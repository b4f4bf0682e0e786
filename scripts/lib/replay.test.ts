import { join } from "node:path";
import { expect, it } from "vitest";
import { replayCommand, seedIn } from "../../test/replay.ts";
import { root } from "./process.mjs";

const file = join(root, "packages/netlab/test/time.test.ts");

it("names the seed, the file and the test, in words that a shell and a regular expression take as they are", () => {
  expect(replayCommand(file, 'seed 7: it "costs" $5 (or 10 %)', { SEED: 7, PATH: undefined }, false)).toBe(
    'NEARFIELD_SEED=7 npm run test -- packages/netlab/test/time.test.ts -t "seed 7: it .costs. .5 .or 10 .."',
  );
  const command = replayCommand(file, "holds", { SEED: -3, PATH: "12:0" }, true);
  expect(command).toMatch(/^NEARFIELD_SEED=-3 NEARFIELD_PATH=12:0 npm run test:nightly -- /);
});

it("finds the seed in a name", () => {
  expect(["seed 12: all", "planted, seed 101 x", "it is so (seed 3)", "seeds", "no seed"].map(seedIn)).toEqual([
    12,
    101,
    3,
    undefined,
    undefined,
  ]);
});
