/** Runs vitest and counts: what every command that runs tests ends with, `N passed, N failed`, comes from its report. */

import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { root, run, ScriptError } from "./process.mjs";

const reportPath = join(root, "node_modules/.cache/vitest-report.json");

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {{ status: string, assertionResults: { status: string }[] }} FileResult */
/** @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, testResults: FileResult[] }} VitestReport */

/** Counts of a run. A file that could not even be loaded counts as one failure. @param {VitestReport} report @returns {Counts} */
export function countsOf(report) {
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests,
  };
}

/**
 * @param {readonly string[]} args for vitest
 * @param {{ env?: NodeJS.ProcessEnv, node?: string }} [options] node: the program that runs it and all that the tests start; this one by default
 * @returns {Promise<Counts>}
 */
export async function runVitest(args, { env = process.env, node = process.execPath } = {}) {
  rmSync(reportPath, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportPath}`];
  const script = join(root, "node_modules/vitest/vitest.mjs");
  const path = `${dirname(node)}${process.platform === "win32" ? ";" : ":"}${env["PATH"] ?? ""}`;
  const { code } = await run(node, [script, "run", ...reporters, ...args], { env: { ...env, PATH: path } });
  /** @type {Counts} */
  let counts;
  try {
    counts = countsOf(JSON.parse(readFileSync(reportPath, "utf8")));
  } catch {
    throw new ScriptError("vitest ended without a report; its message is above.");
  }
  // An error outside any test (an unhandled rejection) fails the run without failing a test.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

/** @param {readonly Counts[]} all @returns {Counts} */
export function sumOf(all) {
  return all.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}
