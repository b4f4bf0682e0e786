import { describe, expect, test } from "vitest";
import { findImpurities } from "./purity.mjs";

const find = (text: string, options?: { bitExact: boolean }) => findImpurities("a.ts", text, options);

describe("findImpurities", () => {
  test.each([
    ["Math.random()", "Math.random"],
    ["const started = Date.now();", "Date"],
    ["const at: Date = new Date();", "Date"],
    ["const now = performance.now();", "performance"],
    ["setTimeout(() => {}, 5);", "setTimeout"],
    ["const timers = { setInterval };", "setInterval"],
    ["const g = globalThis;", "globalThis"],
    ["const size = process.env['SIZE'];", "process"],
  ])("refuses %s", (text, name) => {
    expect(find(`\n${text}`)[0]).toMatch(`a.ts:2: ${name} in a pure source`);
  });

  test.each([
    "// Date.now() and Math.random()",
    'const text = "Date.now()";',
    "export interface Clock { performance: number; setTimeout(ms: number): void }",
    "const a = { process: 1 }.process;",
    "class Lab { process(): void {} Date = 1 }",
    'import { process } from "./merge.ts"; process();',
    "const root = Math.sqrt(2) + Math.hypot(3, 4);",
    "const wave = Math.sin(1);",
  ])("accepts %s", (text) => {
    expect(find(text)).toEqual([]);
  });

  test("refuses Math that differs between machines only where bits must agree", () => {
    expect(find("const wave = Math.sin(1);", { bitExact: true })[0]).toMatch("Math.sin");
    expect(find("const root = Math.sqrt(2);", { bitExact: true })).toEqual([]);
    expect(find("const square = x ** 2;", { bitExact: true })[0]).toMatch("**, which differs");
    expect(find("x **= 2;", { bitExact: true })[0]).toMatch("**=, which differs");
    expect(find("const most = 2 ** 20;", { bitExact: true })).toEqual([]);
    expect(find("const square = x ** 2;")).toEqual([]);
  });

  test("says when a source does not parse", () => {
    expect(find("const = ;")[0]).toMatch("does not parse");
  });
});
