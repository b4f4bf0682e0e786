/**
 * One place that decides how many cases a property tries and from which seed; loaded before every unit test file.
 *
 * `npm test` uses one fixed seed, so that a commit passes or fails the same way everywhere. `npm run test:nightly`
 * draws a new seed and tries ten times as many cases. NEARFIELD_SEED (and NEARFIELD_PATH, fast-check's way to the
 * shrunk case) replay what a failing run printed: a failure ends with the command that does so.
 */
import { configureGlobal, defaultReportMessage, type RunDetails } from "fast-check";
import { afterEach, expect } from "vitest";
import { replayCommand, seedIn } from "./replay.ts";

const fixedSeed = 1;
const casesInCi = 100;

const nightly = process.env["NEARFIELD_NIGHTLY"] === "1";
const seed = process.env["NEARFIELD_SEED"];
const path = process.env["NEARFIELD_PATH"];

configureGlobal({
  numRuns: nightly ? 10 * casesInCi : casesInCi,
  ...(seed !== undefined ? { seed: Number(seed) } : nightly ? {} : { seed: fixedSeed }),
  ...(path !== undefined ? { path } : {}),
  reporter: report,
});

/** A property: throws what fast-check would, and how to see it again. */
function report(details: RunDetails<unknown>): void {
  if (!details.failed) return;
  const { testPath = "", currentTestName = "" } = expect.getState();
  const again = { SEED: details.seed, PATH: details.counterexamplePath ?? undefined };
  // Suite and test stand as "suite > test" here, and as "suite test" where `-t` looks.
  const command = replayCommand(testPath, currentTestName.replaceAll(" > ", " "), again, nightly);
  throw new Error(`${defaultReportMessage(details)}\n\nReplay it: ${command}`, { cause: details.errorInstance });
}

/** A scenario has its seed in its name. */
afterEach(({ task }) => {
  if (task.result?.state !== "fail") return;
  const names = [task.name];
  for (let { suite } = task; suite !== undefined; suite = suite.suite) names.unshift(suite.name);
  const name = names.join(" ");
  const found = seedIn(name);
  if (found === undefined) return;
  console.error(`Replay it: ${replayCommand(task.file.filepath, name, { SEED: found }, nightly)}`);
});
