/**
 * A steady round allocates as little where V8 inlines no call. Which calls it inlines it decides anew in each process, and an argument or result
 * with a fraction takes an object of its own where it does not: so nothing may depend on it.
 */

import { setFlagsFromString } from "node:v8";
import { expect, test } from "vitest";
import { measureLeft, STEADY_CROWDS } from "./crowd.ts";

for (const flag of ["--no-turbo-inlining", "--no-maglev-inlining"]) setFlagsFromString(flag);

test.each(STEADY_CROWDS)("%s", (_, ceiling, settings) => {
  expect(measureLeft(settings, ceiling).median).toBeLessThan(ceiling);
});
