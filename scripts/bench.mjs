/**
 * `npm run bench -- NAME …`: builds, then runs a benchmark with the arguments given.
 *
 * Build progress goes to standard error: standard output is the benchmark's alone. `--expose-gc` lets a benchmark
 * collect garbage between two measurements.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { compile } from "./lib/build.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root, run, runMain, ScriptError } from "./lib/process.mjs";

await runMain(async () => {
  await ensureInstalled();
  if (!existsSync(join(root, "bench/tsconfig.json")))
    throw new ScriptError("There are no benchmarks in this checkout (bench/).");
  await compile(["bench"]);
  const { code } = await run(process.execPath, [
    "--expose-gc",
    join(root, "bench/dist/main.js"),
    ...process.argv.slice(2),
  ]);
  return code;
});
