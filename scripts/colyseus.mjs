/**
 * `node scripts/colyseus.mjs`: installs the packages of `bench/colyseus` and compiles it, for benchmarks and tests that set Colyseus beside
 * Nearfield. They call it themselves; `--no-compile` only installs. At once when all is there.
 */
import { prepareColyseus } from "./lib/colyseus.mjs";
import { runMain, ScriptError } from "./lib/process.mjs";

await runMain(async () => {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => arg !== "--no-compile");
  if (unknown !== undefined) throw new ScriptError(`There is no "${unknown}" here; there is --no-compile.`);
  await prepareColyseus({ compiles: !args.includes("--no-compile") });
});
