import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isSupportedNode } from "./install.mjs";
import { chooseNodes, promisedNodes } from "./nodes.mjs";
import { UsageError } from "./options.mjs";
import { countsOf, sumOf } from "./vitest.mjs";

test("the tests run on the releases that the README names, and those are supported", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [, named = ""] = /nothing but Node \(([^)]*)\)/.exec(readme) ?? [];
  const lines = named.match(/\d+(\.\d+)?/g) ?? [];
  expect(lines).toHaveLength(promisedNodes.length);
  for (const [index, line] of lines.entries())
    expect(promisedNodes[index]).toMatch(new RegExp(`^${line.replace(".", "\\.")}\\.`));
  expect(promisedNodes.every(isSupportedNode)).toBe(true);
});

test("words choose among them; others are left over", () => {
  expect(chooseNodes([])).toEqual({ versions: promisedNodes, rest: [] });
  expect(chooseNodes(["24", "packages/core"])).toEqual({ versions: ["24.21.0"], rest: ["packages/core"] });
  expect(chooseNodes(["v20.19", "22.12.0"])).toEqual({ versions: ["20.19.0", "22.12.0"], rest: [] });
  expect(() => chooseNodes(["18"])).toThrow(UsageError);
});

test("a file that did not load counts as a failure, and counts add up", () => {
  const file = (status: string, ...tests: string[]) => ({
    status,
    assertionResults: tests.map((test) => ({ status: test })),
  });
  const counts = countsOf({
    ...{ numPassedTests: 3, numFailedTests: 1, numPendingTests: 2 },
    testResults: [file("passed", "passed"), file("failed", "failed", "passed"), file("failed")],
  });
  expect(counts).toEqual({ passed: 3, failed: 2, skipped: 2 });
  expect(sumOf([counts, counts])).toEqual({ passed: 6, failed: 4, skipped: 4 });
});
