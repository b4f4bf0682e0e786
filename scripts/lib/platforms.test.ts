import { expect, test } from "vitest";
import { missingBinaries } from "./platforms.mjs";

const platforms = [
  "darwin-arm64",
  "darwin-x64",
  "linux-arm64-gnu",
  "linux-x64-gnu",
  "win32-arm64-msvc",
  "win32-x64-msvc",
];
const others = [
  "android-arm64",
  "freebsd-x64",
  "linux-arm-gnueabihf",
  "linux-riscv64-gnu",
  "wasm32-wasi",
  "win32-ia32-msvc",
];

/** A lockfile of a tool with those binaries, of which it lacks some. */
function lockfile(offered: string[], lacking: string[] = []) {
  const names = offered.map((platform) => `@tool/binding-${platform}`);
  return {
    packages: {
      "": {},
      "node_modules/tool": {
        version: "1.2.3",
        optionalDependencies: Object.fromEntries(names.map((name) => [name, "1.2.3"])),
      },
      ...Object.fromEntries(
        names
          .filter((name) => !lacking.some((platform) => name === `@tool/binding-${platform}`))
          .map((name) => [`node_modules/${name}`, { version: "1.2.3" }]),
      ),
    },
  };
}

test("a whole lockfile lacks nothing", () => {
  expect(missingBinaries("package-lock.json", lockfile([...platforms, ...others]))).toEqual([]);
});

test.each(platforms)("the binary for %s is missed", (platform) => {
  expect(missingBinaries("package-lock.json", lockfile(platforms, [platform]))).toEqual([
    `package-lock.json: tool 1.2.3 has @tool/binding-${platform} 1.2.3, which the lockfile lacks`,
  ]);
});

test("the binaries of other platforms may be missing", () => {
  expect(missingBinaries("package-lock.json", lockfile([...platforms, ...others], others))).toEqual([]);
});

test("a tool that offers no binary for a platform is named", () => {
  const offered = platforms.filter((platform) => platform !== "win32-arm64-msvc");
  expect(missingBinaries("package-lock.json", lockfile(offered))).toEqual([
    "package-lock.json: tool 1.2.3 has no package for win32-arm64",
  ]);
});

test("musl counts as Linux, and is missed too", () => {
  const offered = [...platforms, "linux-x64-musl"];
  expect(missingBinaries("a", lockfile(offered, ["linux-x64-musl"]))).toHaveLength(1);
});

test("a binary of another version does not count", () => {
  const { packages } = lockfile(platforms);
  const stale = { ...packages, "node_modules/@tool/binding-darwin-x64": { version: "1.2.2" } };
  expect(missingBinaries("a", { packages: stale })).toHaveLength(1);
});

test("an optional package whose name says no platform must be there", () => {
  const tool = { version: "1.0.0", optionalDependencies: { fsevents: "~2.3.3" } };
  expect(missingBinaries("a", { packages: { "node_modules/tool": tool } })).toHaveLength(1);
  const both = { "node_modules/tool": tool, "node_modules/fsevents": { version: "2.3.3" } };
  expect(missingBinaries("a", { packages: both })).toEqual([]);
});

test("a binary may lie in the folder of the tool that brings it, or above", () => {
  const { packages } = lockfile(platforms, ["linux-x64-gnu"]);
  const nested = { ...packages, "node_modules/tool/node_modules/@tool/binding-linux-x64-gnu": { version: "1.2.3" } };
  expect(missingBinaries("a", { packages: nested })).toEqual([]);
});
