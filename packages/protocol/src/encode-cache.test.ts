import { World } from "@nearfield/core";
import { object, Protocol, text, uint } from "@nearfield/schema";
import { BitReader, BitWriter, readFields } from "@nearfield/schema/internal";
import { describe, expect, it } from "vitest";
import { EncodeCache } from "./encode-cache.ts";

const Rock = object("rock", { a: uint(13), b: text(60), c: uint(32) });
const protocol = new Protocol({ objects: [Rock] });

describe("the encode cache", () => {
  it("encodes an object under a mask once per round, and copies the bits to any position", () => {
    const world = new World({ protocol });
    const cache = new EncodeCache(world);
    const rocks = Array.from({ length: 100 }, (_, i) =>
      world.spawn(Rock, { a: i, b: "x".repeat(i % 40), c: 2 ** 31 + i }),
    );
    for (let round = 0; round < 3; round++) {
      cache.beginRound();
      for (const [i, rock] of rocks.entries()) {
        for (const mask of [0b001, 0b110, 0b111]) {
          const slot = world.store.liveSlot(rock.id);
          const out = new BitWriter();
          out.writeBits(1, 1 + (i % 31));
          cache.append(out, cache.fields(slot, mask));
          cache.append(out, cache.fields(slot, mask));
          const reader = new BitReader(out.finish());
          reader.readBits(1 + (i % 31));
          for (let copy = 0; copy < 2; copy++) {
            readFields(reader, Rock, mask, (field, wire) => expect(wire).toBe(world.wireAt(slot, field)));
          }
          reader.end();
        }
        rock.a = (rock.a + 1) % 8000;
        world.commit(0);
      }
    }
    expect([cache.misses, cache.hits]).toEqual([900, 900]);
  });

  it("encodes an object against a base once per round, and says so where the base is gone", () => {
    const world = new World({ protocol });
    const cache = new EncodeCache(world);
    const rock = world.spawn(Rock, { a: 1 });
    const slot = world.store.liveSlot(rock.id);
    for (let round = 1; round <= 200; round++) {
      cache.beginRound();
      rock.a = round;
      world.commit(0);
      cache.whole(slot, round);
    }
    cache.beginRound();
    const { hits, misses } = cache;
    const entry = cache.delta(slot, 200, 199, 0);
    expect([cache.delta(slot, 200, 199, 0), cache.delta(slot, 200, 198, 0) === entry]).toEqual([entry, false]);
    expect([cache.hits - hits, cache.misses - misses, cache.bitsOf(entry) < 12]).toEqual([1, 2, true]);
    expect(cache.baseVersionOf(entry)).toBe(199);
    expect(cache.delta(slot, 200, 100, 0)).toBe(-1);
  });

  it("finds every entry of its round again, however many bases an object is encoded against", () => {
    const world = new World({ protocol });
    const cache = new EncodeCache(world);
    const rocks = [1, 2, 3].map((a) => world.spawn(Rock, { a }));
    const slots = rocks.map(({ id }) => world.store.liveSlot(id));
    for (let round = 1; round <= 16; round++) {
      cache.beginRound();
      for (const rock of rocks) rock.a += 3;
      world.commit(0);
      for (const slot of slots) cache.whole(slot, round);
    }
    for (let round = 16; round < 19; round++) {
      cache.beginRound();
      const { misses } = cache;
      const all = (): number[] =>
        slots.flatMap((slot) => Array.from({ length: 12 }, (_, i) => cache.delta(slot, round, 4 + i, i % 3)));
      const entries = all();
      expect(new Set(entries).size).toBe(36);
      expect([all(), all().reverse()]).toEqual([entries, [...entries].reverse()]);
      expect(cache.misses - misses).toBe(36);
    }
  });
});
