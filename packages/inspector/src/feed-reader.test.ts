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

  it("gives the values of a report their names, by the shapes that were told with the first", () => {
    const reader = new FeedReader();
    const shapes = { flows: { sends: [4], causes: [[0]] }, row: { player: 0, network: { link: 1 } }, rowLength: 2 };
    const first = { tell: "report", round: 1, flows: [1, 2, 3, 4, 150, 0, 700, 9], rows: [3, "udp", 5, null], shapes };
    const clients = [
      { player: 3, network: { link: "udp" } },
      { player: 5, network: { link: null } },
    ];
    const causes = [{ now: 0.01, mean: 0.02, peak: 0.03, total: 4 }];
    expect(reader.read(JSON.stringify(first))).toEqual([
      { tell: "report", round: 1, sends: { now: 1.5, mean: 0, peak: 7, total: 9 }, causes, clients },
    ]);
    const later = { tell: "report", round: 2, flows: [1, 2, 3, 4, 0, 0, 700, 9] };
    expect(reader.read(JSON.stringify(later))).toEqual([
      { tell: "report", round: 2, sends: { now: 0, mean: 0, peak: 7, total: 9 }, causes, clients },
    ]);
  });

  it("adds to a heat map what was counted since", () => {
    const reader = new FeedReader();
    expect(reader.read('{"tell":"heat","room":"main","samples":1,"cells":[0]}')).toEqual([]);
    const whole = { tell: "heat", room: "main", columns: 2, rows: 1, counts: [1, 0], samples: 1, most: 1 };
    expect(reader.read(JSON.stringify(whole))).toEqual([whole]);
    expect(reader.read('{"tell":"heat","room":"main","samples":2,"cells":[1,1]}')).toEqual([
      { ...whole, counts: [1, 2], samples: 2, most: 2 },
    ]);
  });
});
