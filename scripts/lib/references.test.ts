import { describe, expect, test } from "vitest";
import { entryPoints, importsOf, missingReferences, projectOf } from "./references.mjs";

const source = (path: string) => ({ "nearfield:source": path, types: "./dist/x.d.ts", default: "./dist/x.js" });
const client = {
  name: "@nearfield/client",
  exports: { ".": source("./src/index.ts"), "./node": source("./src/node/index.ts") },
};
const kit = { name: "@nearfield/kit", exports: { ".": source("./src/index.ts") } };
const clientMain = projectOf("packages/client/tsconfig.json", {
  include: ["src"],
  exclude: ["src/**/*.test.ts", "src/node"],
});
const clientNode = projectOf("packages/client/tsconfig.node.json", {
  include: ["src/node"],
  references: [{ path: "./tsconfig.json" }],
});

/** What is found when the kit's Node part refers to `references` and imports `specifier`. */
function found(references: string[], specifier: string) {
  const kitNode = projectOf("games/kit/tsconfig.node.json", {
    include: ["src/node"],
    references: references.map((path) => ({ path })),
  });
  const kitMain = projectOf("games/kit/tsconfig.json", { include: ["src"], exclude: ["src/node"] });
  return missingReferences({
    projects: [clientMain, clientNode, kitMain, kitNode],
    entries: new Map([...entryPoints("packages/client", client), ...entryPoints("games/kit", kit)]),
    names: ["@nearfield/client", "@nearfield/kit"],
    sources: new Map([["games/kit/src/node/crowd.ts", [specifier]]]),
  });
}

describe("missingReferences", () => {
  test("an entry point needs a reference to the project that compiles it, not to any of its package", () => {
    expect(found(["../../packages/client"], "@nearfield/client/node")).toEqual([
      "games/kit/src/node/crowd.ts: imports @nearfield/client/node, but games/kit/tsconfig.node.json does not refer to packages/client/tsconfig.node.json",
    ]);
    expect(found(["../../packages/client/tsconfig.node.json"], "@nearfield/client/node")).toEqual([]);
  });

  test("a reference to another entry point does not stand for the main one", () => {
    expect(found(["../../packages/client/tsconfig.node.json"], "@nearfield/client")).toHaveLength(1);
    expect(found(["../../packages/client"], "@nearfield/client")).toEqual([]);
  });

  test("a neighbour in the same package but another project needs a reference, too", () => {
    expect(found([], "../dice.ts")).toEqual([
      "games/kit/src/node/crowd.ts: imports ../dice.ts, but games/kit/tsconfig.node.json does not refer to games/kit/tsconfig.json",
    ]);
    expect(found(["./tsconfig.json"], "../dice.ts")).toEqual([]);
  });

  test("what the project holds itself, and what is not ours, needs none", () => {
    expect(found([], "./seat.ts")).toEqual([]);
    expect(found([], "node:fs")).toEqual([]);
    expect(found([], "@nearfieldish/client")).toEqual([]);
  });

  test("an entry point that does not exist is named", () => {
    expect(found(["../../packages/client"], "@nearfield/client/deno")).toEqual([
      "games/kit/src/node/crowd.ts: there is no entry point @nearfield/client/deno",
    ]);
  });
});

test("importsOf finds every kind of import once", () => {
  const text = `
    import type { A } from "a";
    import { type B, b } from "b";
    import "c";
    export * from "d";
    export type { E } from "e";
    const f = await import("f");
    type G = import("g").G;
    import { again } from "b";
    const no = "import x from 'h'"; // import "i"
  `;
  expect(importsOf("x.ts", text).sort()).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
});

test.each([
  ["src/index.ts", true],
  ["src/deep/inner.ts", true],
  ["src/node/index.ts", false],
  ["src/deep/inner.test.ts", false],
  ["src/inner.test.ts", false],
  ["test/a.test.ts", false],
  ["srcs/a.ts", false],
])("a project's folders and patterns: %s is in it: %s", (file, isIn) => {
  expect(clientMain.includes(`packages/client/${file}`)).toBe(isIn);
});

test("patterns with one star reach one folder", () => {
  const tests = projectOf("tsconfig.test.json", { include: ["packages/*/src/**/*.test.ts", "*.config.ts"] });
  expect(tests.includes("packages/core/src/a/b.test.ts")).toBe(true);
  expect(tests.includes("packages/core/more/src/b.test.ts")).toBe(false);
  expect(tests.includes("vitest.config.ts")).toBe(true);
  expect(tests.includes("apps/vite.config.ts")).toBe(false);
});
