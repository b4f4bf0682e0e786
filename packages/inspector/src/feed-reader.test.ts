/** What a page makes of the messages of a feed. */

import { describe, expect, it } from "vitest";
import { FeedReader } from "./feed-reader.ts";

describe("a reader of the feed", () => {
  it("passes over what is no tell", () => {
    const reader = new FeedReader();
    for (const message of ["{", "1", "{}", '{"tell":1}', "", new ArrayBuffer(1)])
      expect(reader.read(message)).toEqual([]);
    expect(reader.read('{"tell":"done"}')).toEqual([{ tell: "done" }]);
  });

  it("reads one tell a line", () => {
    expect(new FeedReader().read('{"tell":"done","id":1}\n{"tell":"done","id":2}')).toEqual([
      { tell: "done", id: 1 },
      { tell: "done", id: 2 },
    ]);
  });

  it("fills in the columns of a map that were told before", () => {
    const reader = new FeedReader();
    const members = { ids: [5, 7], types: [0, 1], owners: [2, 0] };
    const whole = { tell: "map", members: 1, ...members, x: [150, -1], y: [0, 12_345], headings: [90, null] };
    expect(reader.read(JSON.stringify(whole))).toEqual([
      { tell: "map", ...members, x: [1.5, -0.01], y: [0, 123.45], headings: [90, null] },
    ]);
    const later = { tell: "map", members: 1, x: [200, 0], y: [0, 0], headings: [0, null] };
    expect(reader.read(JSON.stringify(later))).toMatchObject([{ ...members, x: [2, 0] }]);
  });

  it("fills in the clients of a report that were told before", () => {
    const reader = new FeedReader();
    reader.read('{"tell":"report","round":1,"clients":[{"player":3}]}');
    expect(reader.read('{"tell":"report","round":2}')).toEqual([
      { tell: "report", round: 2, clients: [{ player: 3 }] },
    ]);
  });
});
