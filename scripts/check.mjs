/**
 * `npm run check`: every static check, each counted as one; `npm run check -- arrows text` runs some of them.
 *
 * A check prints only when it fails. The last line is `N passed, N failed`.
 */

import { join } from "node:path";
import { colyseusProject, prepareColyseus } from "./lib/colyseus.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { nearest, readOptions, UsageError } from "./lib/options.mjs";
import { root, run, runMain, runTool, say } from "./lib/process.mjs";

/** @param {string} name @param {...string} args */
const script = (name, ...args) => run(process.execPath, [join(root, "scripts", name), ...args], { output: "collect" });
/** @param {string} name */
const own = (name) => script(`check-${name}.mjs`);
/** @param {string} entry @param {...string} args */
const tool = (entry, ...args) => runTool(entry, args, { output: "collect" });

/** In this order: later checks read what `types` builds. @type {Record<string, () => Promise<{ code: number, output: string }>>} */
const checks = {
  types: () => tool("typescript/bin/tsc", "-b", "tsconfig.json", colyseusProject, "--pretty", "false"),
  format: () => tool("@biomejs/biome/bin/biome", "ci", "--colors=off", "--max-diagnostics=100", "."),
  promises: () => tool("oxlint/bin/oxlint", "--type-aware", "--deny-warnings"),
  unused: () => tool("knip/bin/knip.js", "--no-config-hints", "--no-progress"),
  arrows: () => tool("dependency-cruiser/bin/dependency-cruise.mjs", "--config", ".dependency-cruiser.mjs", "."),
  kernel: () => script("kernel.mjs", "--check"),
  pure: () => own("pure"),
  names: () => own("names"),
  text: () => own("text"),
  layout: () => own("layout"),
  snippets: () => own("snippets"),
};

/** The checks that follow imports, also those of `bench/colyseus`. */
const followImports = ["types", "promises", "unused", "arrows"];

const help = `The static checks; all of them, or those that are named.

  npm run check                      every check: ${Object.keys(checks).join(", ")}
  npm run check -- arrows text       some of them
  npm run check -- --help            this text

What each fails on stands in CONTRIBUTING.md. The last line is \`N passed, N failed\`; npm run fix repairs formatting.
`;

await runMain(async () => {
  const { values, names: chosen } = readOptions(
    process.argv.slice(2),
    {},
    { command: "npm run check", takesNames: true },
  );
  if (values["help"]) {
    process.stdout.write(help);
    return 0;
  }
  for (const name of chosen) {
    if (Object.hasOwn(checks, name)) continue;
    const near = nearest(name, Object.keys(checks));
    const guess = near === undefined ? "." : `; did you mean ${near}?`;
    throw new UsageError(`There is no check "${name}"${guess} There are ${Object.keys(checks).join(", ")}.`);
  }
  await ensureInstalled();
  const names = chosen.length > 0 ? chosen : Object.keys(checks);
  if (names.some((name) => followImports.includes(name))) await prepareColyseus({ compiles: false });
  let failed = 0;
  for (const name of names) {
    const startedMs = performance.now();
    const { code, output } = (await checks[name]?.()) ?? { code: 1, output: "" };
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    if (code !== 0) {
      failed += 1;
      say(`\n${output.trimEnd()}`);
    }
    say(`${code === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
  }
  if (failed > 0) say("`npm run fix` repairs formatting and what else can be repaired without thought.");
  process.stdout.write(`${names.length - failed} passed, ${failed} failed\n`);
  return failed > 0 ? 1 : 0;
});
