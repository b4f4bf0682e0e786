/**
 * `npm run bench -- NAME …`: builds, then runs a benchmark with the arguments given.
 *
 * Build progress goes to standard error: standard output is the benchmark's alone. `--expose-gc` lets a benchmark
 * collect garbage between two measurements.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { compile } from "./lib/build.mjs";
import { ensureInstalled, firstMissingPackage } from "./lib/install.mjs";
import { root, run, runMain, ScriptError } from "./lib/process.mjs";

/** Before anything is installed: the benchmarks know the rest. */
const help = `npm run bench -- NAME [--quick] [--json]   runs one benchmark
npm run bench -- --list                    names the benchmarks
npm run bench -- --help                    this text, and more once the packages are installed: this clone is fresh

Each of the first two installs and builds what is missing. What the benchmarks measure stands in bench/README.md.
`;

await runMain(async () => {
  const args = process.argv.slice(2);
  const wantsHelp = args.includes("--help") || args.includes("-h");
  if (wantsHelp && firstMissingPackage() !== undefined) {
    process.stdout.write(help);
    return 0;
  }
  await ensureInstalled();
  if (!existsSync(join(root, "bench/tsconfig.json")))
    throw new ScriptError("There are no benchmarks in this checkout (bench/).");
  await compile(["bench"]);
  const { code } = await run(process.execPath, ["--expose-gc", join(root, "bench/dist/main.js"), ...args]);
  return code;
});
