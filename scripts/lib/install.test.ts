import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { firstMissingPackage, isSupportedNode } from "./install.mjs";

test.each([
  ["18.20.4", false],
  ["20.18.1", false],
  ["20.19.0", true],
  ["21.7.3", false],
  ["22.11.0", false],
  ["22.12.0", true],
  ["23.5.0", false],
  ["24.0.0", true],
  ["26.1.0", true],
])("Node %s is supported: %s", (version, supported) => {
  expect(isSupportedNode(version)).toBe(supported);
});

describe("firstMissingPackage", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "nearfield-install-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const asked = {
    "": {},
    "packages/own": { version: "0.1.0" },
    "node_modules/own": { link: true },
    "node_modules/a": { version: "1.0.0" },
    "node_modules/a/node_modules/b": { version: "2.0.0" },
    "node_modules/binding-elsewhere": { version: "3.0.0", optional: true },
  };
  const installed = {
    "node_modules/own": { link: true },
    "node_modules/a": { version: "1.0.0" },
    "node_modules/a/node_modules/b": { version: "2.0.0" },
  };

  /** Writes a lockfile, and npm's record of what it installed, with a folder for each package in it. */
  function write(record: Record<string, object> | undefined): void {
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: asked }));
    if (record === undefined) return;
    for (const path of Object.keys(record)) mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, "node_modules/.package-lock.json"), JSON.stringify({ packages: record }));
  }

  test("nothing is missing, though the binary of another platform is not there", () => {
    write(installed);
    expect(firstMissingPackage(folder)).toBeUndefined();
  });

  test("on a fresh clone everything is", () => {
    write(undefined);
    expect(firstMissingPackage(folder)).toBe("node_modules");
  });

  test("a package of another version, or one that was removed by hand", () => {
    write({ ...installed, "node_modules/a/node_modules/b": { version: "2.0.1" } });
    expect(firstMissingPackage(folder)).toBe("node_modules/a/node_modules/b");
    write(installed);
    rmSync(join(folder, "node_modules/own"), { recursive: true });
    expect(firstMissingPackage(folder)).toBe("node_modules/own");
  });
});

test("an install of the repository brings nothing of Colyseus", () => {
  const lockfile = readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8");
  expect(lockfile).not.toContain("colyseus");
});
