/** What a production build of a page leaves out: the sentences of errors, and checks of what stands in the source. Codes, and checks of values, stay. */

import { runInNewContext } from "node:vm";
import { SchemaError, uint } from "@nearfield/schema";
import { expect, it } from "vitest";
import { bundle } from "./page-size.ts";

/** Tells what each of three mistakes throws: whether it is of our classes, its code, its message. */
const PAGE = `
  import { quantized, SchemaError, uint } from "@nearfield/schema";
  import { BitReader, WireError } from "@nearfield/schema/internal";
  const thrown = (mistake) => {
    try {
      mistake();
    } catch (error) {
      return [error instanceof SchemaError || error instanceof WireError, error.code, error.message];
    }
  };
  tell([
    thrown(() => uint(3).check(9, "ship.hull")),
    thrown(() => new BitReader(new Uint8Array(1)).readBits(9)),
    thrown(() => quantized(5, 1, 0.1)) ?? "nothing",
  ].join("; "));
`;

it("errors of a production build have their class, code and field; the source is not checked again", async () => {
  const [chunk] = await bundle(new Map([["page.js", PAGE]]), "page.js");
  const told: string[] = [];
  runInNewContext(chunk!.code, { tell: (errors: string) => told.push(errors) });
  expect(told).toEqual(["true,value,ship.hull: value; true,truncated,truncated; nothing"]);
  expect(() => uint(3).check(9, "ship.hull")).toThrow(
    new SchemaError("value", "ship.hull", "must be an integer from 0 to 7, got 9"),
  );
});
