import { describe, expect, test } from "vitest";
import { listedCitations, unlistedCitations } from "./citations.mjs";

const page = `
Not a row: \`V §9\`, N9.

## V: fields

| number | place           | asks for              | built in |
| ------ | --------------- | --------------------- | -------- |
| V1     | §2, §2.3        | Zones, as in V §7.    | N8       |
|        | fig. 10, tab. 2 | Measures one view.    | \`round\`  |

## F: shooters

| number | place               | asks for | built in |
| ------ | ------------------- | -------- | -------- |
| F10    | tab. 5.5, 5.6, §5.1 | Bots.    | bots     |
|        | chapter 5           | Play.    | bench    |
`;
const listed = listedCitations(page);
const found = (line: string, path = "a.ts") => unlistedCitations(path, line, listed);

test("a row lists its number and its places, under its paper", () => {
  expect([...listed].sort()).toEqual(
    [
      "F chapter 5",
      "F tab. 5.5",
      "F tab. 5.6",
      "F §5.1",
      "F10",
      "V fig. 10",
      "V tab. 2",
      "V §2",
      "V §2.3",
      "V1",
    ].sort(),
  );
});

describe("unlistedCitations", () => {
  test.each([
    "// V §2, §2.3 and F §5.1",
    " * V's fig. 10 and tab. 2: one view",
    'about: "F tab. 5.5, 5.6: 48 bots"',
    "/** F tab. 5.5 and 5.6, F chapter 5 (F10) */",
    "const F1 = 1; // V8 keeps V1 apart",
    " * as RFC 6455 §5.2 says",
    "press(F3);",
  ])("knows what is listed, and what is no citation: %s", (line) => {
    expect(found(line)).toEqual([]);
  });

  test.each([
    ["// V §2.4", "V §2.4"],
    ["// V §2, §2.4", "V §2.4"],
    ["x(); // F11", "F11"],
    ['about: "F tab. 5.5, 5.7"', "F tab. 5.7"],
    ["// H fig. 10", "H fig. 10"],
  ])("finds what is not: %s", (line, citation) => {
    expect(found(`\n${line}`)).toEqual([`a.ts:2: cites ${citation}, which docs/sources.md does not list`]);
  });

  test("a section must say of which paper", () => {
    expect(found("// VFC §2")).toHaveLength(1);
    expect(found("// as §2 says")).toHaveLength(1);
  });

  test("in a document, code cites nothing by number", () => {
    expect(found("press `F3`, as F10 asks", "a.md")).toEqual([]);
    expect(found("```ts\nkeys.F3 // F4\n```\nF5", "a.md")).toEqual([
      "a.md:4: cites F5, which docs/sources.md does not list",
    ]);
  });
});
