/** The page on security names tests: each of them exists, by file and by name. */

import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../../../", import.meta.url);
const page = readFileSync(new URL("docs/security.md", root), "utf8");
/** `path` › name, the name up to the end of its cell; a file alone stands for all of its tests. */
const named = [...page.matchAll(/`([\w./-]+\.test\.ts)`(?: › ([^|\n]+?))?\s*\|/g)].map(
  ([, file, name]) => [file!, name] as const,
);

it("names tests", () => {
  expect(named.length).toBeGreaterThan(20);
});

it.each(named)("%s › %s", (file, name) => {
  const url = new URL(file, root);
  expect(existsSync(url)).toBe(true);
  if (name === undefined) return;
  const source = readFileSync(url, "utf8");
  const titles = [...source.matchAll(/(?:it|test|describe)(?:\.each\([\s\S]*?\))?\(\s*"((?:[^"\\]|\\.)*)"/g)];
  expect(titles.map(([, title]) => title)).toContain(name);
});
