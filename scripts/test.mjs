/**
 * `npm test` and `npm run test:nightly`: install → build → vitest → one line of result.
 *
 * Arguments are handed to vitest (`npm test -- packages/schema -t "mask"`). A run with arguments is somebody working on
 * one test: there a type error elsewhere is shown but does not stop it, and no browser is installed for it.
 * The last line is always `N passed, N failed`.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildPages, compile } from "./lib/build.mjs";
import { ensureChromium } from "./lib/chromium.mjs";
import { prepareColyseus } from "./lib/colyseus.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root, runMain, runTool, ScriptError, say } from "./lib/process.mjs";

const reportPath = join(root, "node_modules/.cache/vitest-report.json");
const args = process.argv.slice(2).filter((arg) => arg !== "--nightly");
const nightly = process.argv.includes("--nightly");
const whole = args.length === 0;

const help = `Installs what is missing, builds, and runs the tests. The last line is \`N passed, N failed\`.

  npm test                                    every test; needs Chromium, see CONTRIBUTING.md
  npm test -- --project unit                  those that need no browser
  npm test -- packages/schema                 those of one folder or file
  npm test -- packages/schema -t "mask"       those whose name has this in it
  npm run test:nightly                        new seeds, ten times as many cases, longer soaks
  npm test -- --help                          this text

All other arguments are handed to vitest; npx vitest --help lists them.
`;

/** @typedef {{ status: string, assertionResults: { status: string }[] }} FileResult */

/** Counts of a vitest run. A file that could not even be loaded counts as one failure. */
function readCounts() {
  /** @type {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, testResults: FileResult[] }} */
  const report = JSON.parse(readFileSync(reportPath, "utf8"));
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests,
  };
}

async function prepare() {
  await ensureInstalled();
  if (whole) {
    await ensureChromium();
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
  rmSync(reportPath, { force: true });
  const env = nightly ? { ...process.env, NEARFIELD_NIGHTLY: "1" } : process.env;
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportPath}`];
  const { code } = await runTool("vitest/vitest.mjs", ["run", ...reporters, ...args], { env });
  try {
    const counts = readCounts();
    // An error outside any test (an unhandled rejection) fails the run without failing a test.
    if (code !== 0 && counts.failed === 0) counts.failed = 1;
    return counts;
  } catch {
    throw new ScriptError("vitest ended without a report; its message is above.");
  }
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
