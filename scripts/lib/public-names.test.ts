import { describe, expect, it } from "vitest";
import { differences, exportedNames, formatNames, parseNames, rootNames } from "./public-names.mjs";

describe("the names of an index file", () => {
  it("are found in every form", () => {
    const text = `
      export { b, type A } from "./a.ts";
      export type { C as D } from "./c.ts";
      export type * as Feed from "./feed.ts";
    `;
    expect(exportedNames("index.ts", text)).toEqual(["A", "D", "Feed", "b"]);
  });

  it("must be named", () => {
    expect(() => exportedNames("index.ts", `export * from "./a.ts";`)).toThrow("name what it exports");
    expect(() => exportedNames("index.ts", "export const a = 1;")).toThrow("only names it");
  });
});

describe("the agreed names", () => {
  it("are compared both ways", () => {
    const found = differences(
      { "@nearfield/a": ["x", "y"] },
      { "@nearfield/a": ["y", "z"], "@nearfield/b/node": ["w"] },
    );
    expect(found).toEqual([
      "@nearfield/a: exports x, which nobody agreed on",
      "@nearfield/a: no longer exports z",
      "@nearfield/b/node: no longer exports w",
    ]);
  });

  it("are written and read", () => {
    const names = { "@nearfield/a": ["x", "y"], "@nearfield/a/node": ["z"] };
    expect(parseNames(formatNames(names))).toEqual(names);
  });

  it("are few at the roots", () => {
    const names = { "@nearfield/a": Array.from({ length: 120 }, (_, i) => `n${i}`), "@nearfield/a/node": ["m"] };
    expect(rootNames(names)).toBe(120);
    expect(differences(names, names)).toEqual([expect.stringContaining("export 120 names")]);
  });
});
