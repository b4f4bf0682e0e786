import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineAndColumn, parseText, pathText, placeIn, TEXT_CAPACITY, TextFault } from "./json-text.ts";

function faultOf(text: string): string {
  try {
    parseText(text);
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    const { line, column } = lineAndColumn(text, error.offset);
    return `${line}:${column} ${error.message}`;
  }
  return "none";
}

describe("JSON with comments", () => {
  test("reads what JSON.parse reads, as JSON.parse does", () => {
    const property = fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, "\t"), (value, space) => {
      const text = JSON.stringify(value, undefined, space);
      expect(parseText(text)).toEqual(JSON.parse(text));
    });
    fc.assert(property, { numRuns: 300 });
  });

  test("comments, commas before a closing bracket and a byte order mark are passed over", () => {
    const text = '\ufeff// first\n{ /* a */ "a": [1, /* , */ 2,], // "b": 3\r\n "c": "// no comment", }/**/';
    expect(parseText(text)).toEqual({ a: [1, 2], c: "// no comment" });
  });

  test("never throws anything but a fault with a place in the text", () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "a",
      "1",
      "-",
      "/",
      "*",
      "\\",
      "\n",
      "null",
      '"k"',
      ".",
      "e",
    );
    const property = fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join("");
      try {
        parseText(text);
      } catch (error) {
        expect(error).toBeInstanceOf(TextFault);
        expect((error as TextFault).offset).toBeLessThanOrEqual(text.length);
      }
    });
    fc.assert(property, { numRuns: 2000 });
  });

  test.each([
    ["", "1:1 expected a value, found the end of the text"],
    ["{\n  a: 1\n}", '2:3 expected a key in quotes or }, found "a:"'],
    ['{\r\n"a" 1}', '2:5 expected : after the key, found "1}"'],
    ['{"a": 1\n "b": 2}', '2:2 expected , or }, found "\\"b\\":"'],
    ['{"a": 1, "a": 2}', '1:10 the key "a" stands twice'],
    ["[1] 2", '1:5 expected the end, found "2"'],
    ['["a\nb"]', "1:2 this text in quotes has no end, or a character that must be escaped"],
    ["[1e999]", "1:2 1e999 is too large"],
    ["/* ", "1:1 this comment has no end"],
    ["[NaN]", '1:2 expected a value, found "NaN]"'],
    ["[,]", '1:2 expected a value, found ",]"'],
  ])("%j: %s", (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  test("size, depth and keys are bounded", () => {
    const deep = TEXT_CAPACITY.depth;
    expect(faultOf("[".repeat(deep) + "]".repeat(deep))).toBe("none");
    expect(faultOf("[".repeat(100_000))).toBe(`1:${deep + 1} is nested deeper than ${deep}`);
    expect(faultOf(" ".repeat(TEXT_CAPACITY.length + 1))).toContain("at most 262144 are read");
    expect(faultOf(`{"${"k".repeat(TEXT_CAPACITY.key + 1)}": 1}`)).toContain("a key is longer than 128");
    expect(faultOf(`"${"long ".repeat(50_000)}"`)).toBe("none");
  });

  test('a key "__proto__" is a key like any other', () => {
    const read = parseText('{"__proto__": {"polluted": true}}') as object;
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.keys(read)).toEqual(["__proto__"]);
  });
});

describe("places", () => {
  const text = '{\n  "sets": [\n    { "bounds": [{ "time": 5 }, { "time": -5 }] }\n  ]\n}';

  test("of a value, of its key, and of what is around one that is missing", () => {
    const path = ["sets", 0, "bounds", 1, "time"];
    expect(pathText(path)).toBe("sets[0].bounds[1].time");
    expect(lineAndColumn(text, placeIn(text, path))).toEqual({ line: 3, column: 43 });
    expect(lineAndColumn(text, placeIn(text, path, true))).toEqual({ line: 3, column: 35 });
    expect(placeIn(text, ["sets", 0, "bounds", 1, "value"])).toBe(placeIn(text, ["sets", 0, "bounds", 1]));
    expect(placeIn(text, ["limits"])).toBe(0);
  });
});
