import { expect, test } from "vitest";
import { isSupportedNode } from "./install.mjs";

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
