/**
 * `npm test` and `npm run test:nightly`: install → build → vitest → one line of result.
 *
 * Arguments are handed to vitest (`npm test -- packages/schema -t "mask"`). A run with arguments is somebody working on
 * one test: there a type error elsewhere is shown but does not stop it, and no browser or database is installed for it.
 * The last line is always `N passed, N failed`.
 */
import { buildPages, compile } from "./lib/build.mjs";
import { ensureChromium } from "./lib/chromium.mjs";
import { prepareColyseus } from "./lib/colyseus.mjs";
import { coturn, ensureProgram, natsServer, postgres } from "./lib/debian.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { nodeProgram, promisedNodes } from "./lib/nodes.mjs";
import { runMain, ScriptError, say } from "./lib/process.mjs";
import { runVitest, sumOf } from "./lib/vitest.mjs";

const args = process.argv.slice(2).filter((arg) => arg !== "--nightly");
const nightly = process.argv.includes("--nightly");
const whole = args.length === 0;

const help = `Installs what is missing, builds, and runs the tests. The last line is \`N passed, N failed\`.

  npm test                                    every test; needs Chromium, PostgreSQL and NATS, see CONTRIBUTING.md
  npm test -- --project unit                  those that need no browser
  npm test -- packages/schema                 those of one folder or file
  npm test -- packages/schema -t "mask"       those whose name has this in it
  npm run test:nightly                        new seeds, ten times as many cases, longer soaks, every promised Node
  npm test -- --help                          this text

All other arguments are handed to vitest; npx vitest --help lists them.
`;

async function prepare() {
  await ensureInstalled();
  if (whole) {
    await ensureChromium();
    await ensureProgram(postgres);
    await ensureProgram(natsServer);
    await ensureProgram(coturn);
    await prepareColyseus({ compiles: false });
  }
  try {
    await compile();
    await buildPages();
  } catch (error) {
    if (whole || !(error instanceof ScriptError)) throw error;
    say(`${error.message} Running the chosen tests all the same.`);
  }
}

async function runTests() {
  const env = nightly ? { ...process.env, NEARFIELD_NIGHTLY: "1" } : process.env;
  const results = [await runVitest(args, { env })];
  // Every night also on the releases of Node that are promised and not at hand; their seeds are CI's.
  const others = nightly && whole ? promisedNodes.filter((version) => version !== process.versions.node) : [];
  for (const version of others) {
    const node = await nodeProgram(version);
    say(`== Node ${version}`);
    results.push(await runVitest(["--project", "unit"], { node }));
  }
  return sumOf(results);
}

await runMain(async () => {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(help);
    return 0;
  }
  let counts = { passed: 0, failed: 1, skipped: 0 };
  try {
    await prepare();
    counts = await runTests();
  } finally {
    if (counts.skipped > 0) process.stdout.write(`${counts.skipped} skipped\n`);
    // Written after the reason of a failure, which runMain prints.
    process.once("exit", () => process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`));
  }
  return counts.failed > 0 ? 1 : 0;
});
