/**
 * One place that decides how many cases a property tries and from which seed; loaded before every unit test file.
 *
 * `npm test` uses one fixed seed, so that a commit passes or fails the same way everywhere. `npm run test:nightly`
 * draws a new seed and tries ten times as many cases. NEARFIELD_SEED (and NEARFIELD_PATH, fast-check's way to the
 * shrunk case) replay what a failing run printed.
 */
import { configureGlobal } from "fast-check";

const fixedSeed = 1;
const casesInCi = 100;

const nightly = process.env["NEARFIELD_NIGHTLY"] === "1";
const seed = process.env["NEARFIELD_SEED"];
const path = process.env["NEARFIELD_PATH"];

configureGlobal({
  numRuns: nightly ? 10 * casesInCi : casesInCi,
  ...(seed !== undefined ? { seed: Number(seed) } : nightly ? {} : { seed: fixedSeed }),
  ...(path !== undefined ? { path } : {}),
});
