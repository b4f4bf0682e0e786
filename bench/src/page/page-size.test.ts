/** A ceiling on what the README's page loads. It stands a little above the measured size; whoever makes the page smaller lowers it. */

import { expect, it } from "vitest";
import { measurePage } from "./page-size.ts";

const CEILING_BYTES = 31_950;

it("the script of the README's page does not grow", { timeout: 120_000 }, async () => {
  const { firstBytes, laterBytes } = await measurePage();
  expect(firstBytes).toBeLessThan(CEILING_BYTES);
  // UDP is not part of it, and neither is what the README's game does not call.
  expect([...laterBytes.keys()]).toContain("two-carriers");
});
