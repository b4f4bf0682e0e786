/**
 * `node scripts/colyseus.mjs`: installs the packages of `bench/colyseus` and compiles it, for benchmarks and tests that compare Nearfield with
 * Colyseus. They call it themselves; `--no-compile` only installs. It returns at once if everything is there.
 */
import { prepareColyseus } from "./lib/colyseus.mjs";
import { readOptions } from "./lib/options.mjs";
import { runMain } from "./lib/process.mjs";

await runMain(async () => {
  const options = /** @type {const} */ ({ "no-compile": { type: "boolean" } });
  const { values } = readOptions(process.argv.slice(2), options, { command: "node scripts/colyseus.mjs" });
  if (values["help"]) {
    process.stdout.write("Installs the packages of bench/colyseus and compiles it; --no-compile only installs.\n");
    return;
  }
  await prepareColyseus({ compiles: !values["no-compile"] });
});
