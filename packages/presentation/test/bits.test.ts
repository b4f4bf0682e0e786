/** What is shown is the same to the last bit wherever it is computed; a change of this number is a change of what players see. */

import { expect, test } from "vitest";
import { bitsOfStory } from "./bits.ts";

test("the story of all models comes to the same number as in Node 20 and Chromium 156", () => {
  expect(bitsOfStory()).toBe("5a04d477");
});
