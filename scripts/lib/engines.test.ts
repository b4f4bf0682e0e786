import { expect, test } from "vitest";
import { refusedNodes, satisfies } from "./engines.mjs";

test.each([
  ["22.12.0", ">=20", true],
  ["22.12.0", ">= 22.x", true],
  ["20.19.0", ">= 22.x", false],
  ["22.12.0", "^20.12||^22.13||>=24.0", false],
  ["22.13.0", "^20.12||^22.13||>=24.0", true],
  ["24.21.0", "^20.19.0 || >=22.12.0", true],
  ["21.0.0", "^20.19.0 || >=22.12.0", false],
  ["20.19.0", "20 || >=22", true],
  ["21.7.0", "20 || >=22", false],
  ["20.19.0", "20.19.0", true],
  ["20.19.1", "20.19.0", false],
  ["20.19.0", "*", true],
  ["20.19.0", ">=18 <23", undefined],
])("Node %s in %s: %s", (version, range, answer) => {
  expect(satisfies(version, range)).toBe(answer);
});

test("names the packages that ask for another Node, optional ones aside", () => {
  const packages = {
    "": { engines: { node: ">=99" } },
    "node_modules/old": { version: "1.0.0", engines: { node: ">=18" } },
    "node_modules/a/node_modules/new": { version: "2.0.0", engines: { node: "^22.13 || >=24" } },
    "node_modules/maybe": { version: "3.0.0", optional: true, engines: { node: ">=99" } },
  };
  expect(refusedNodes("package-lock.json", { packages }, ["20.19.0", "22.12.0", "24.21.0"])).toEqual([
    'package-lock.json: new 2.0.0 asks for Node "^22.13 || >=24", which leaves out 20.19.0, 22.12.0',
  ]);
});
