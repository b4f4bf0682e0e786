import { World } from "@nearfield/core";
import { object, Protocol, quantized } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { SliceMap } from "../slices/slice-map.ts";
import { Interests } from "./interests.ts";

const place = quantized(0, 1000, 1);
const Ship = object("ship", { x: place, y: place }, { position: ["x", "y"] });
const HERE = 1;
const THERE = 2;
/** Everything is theirs, so every view reaches it. */
const map = SliceMap.whole(THERE);
const VIEW = {
  sets: [{ match: "everything" as const, range: 100, bounds: [{ time: 0 }] }],
  pivots: [{ point: [500, 500] }],
};

function begin(): Interests {
  return new Interests(new World({ protocol: new Protocol({ objects: [Ship] }) }), 50, 0);
}

/** Rounds, of so many, in which the other server is told something, and in how many areas. */
function told(interests: Interests, from: number, to: number): string[] {
  const words: string[] = [];
  for (let round = from; round <= to; round++) {
    for (const [owner, { areas }] of interests.changes(map, HERE, round))
      words.push(`${owner} in ${round}: ${areas.length}`);
  }
  return words;
}

describe("what a server asks of others", () => {
  it("is said again after 40 rounds, since the bus may lose a message", () => {
    const interests = begin();
    interests.look([[1, VIEW]]);
    expect(told(interests, 1, 100)).toEqual(["2 in 1: 1", "2 in 41: 1", "2 in 81: 1"]);
  });

  it("is said twice when it is nothing, and then no more", () => {
    const interests = begin();
    interests.look([[1, VIEW]]);
    expect(told(interests, 1, 10)).toEqual(["2 in 1: 1"]);
    interests.look([]);
    expect(told(interests, 11, 200)).toEqual(["2 in 11: 0", "2 in 51: 0"]);
  });

  it("is told to one server anew without keeping from others what has changed", () => {
    const interests = begin();
    interests.look([[1, VIEW]]);
    expect(interests.again(map, HERE, 3, 1)).toMatchObject({ isAfresh: true, areas: [] });
    expect(told(interests, 1, 1)).toEqual(["2 in 1: 1"]);
  });
});
