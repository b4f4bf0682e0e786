import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Chunks } from "./chunks.ts";
import { heap } from "./memory.ts";

/** A list that keeps its numbers in chunks, as its users do. */
class List {
  readonly #chunks: Chunks;
  #chunk: number;
  #size = 1;
  #count = 0;

  constructor(chunks: Chunks) {
    this.#chunks = chunks;
    this.#chunk = chunks.take(1);
  }

  push(number: number): void {
    if (this.#count === 1 << this.#size) {
      this.#chunk = this.#chunks.enlarge(this.#chunk, this.#size, this.#count);
      this.#size++;
    }
    this.#chunks.page(this.#chunk)[this.#chunks.offset(this.#chunk) + this.#count++] = number;
  }

  get numbers(): number[] {
    const start = this.#chunks.offset(this.#chunk);
    return [...this.#chunks.page(this.#chunk).subarray(start, start + this.#count)];
  }

  release(): void {
    this.#chunks.release(this.#chunk, this.#size);
  }
}

describe("chunks", () => {
  test("lists that grow, end and begin among one another keep their own numbers", () => {
    const step = fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 40 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: "max" }), (steps) => {
        const chunks = new Chunks(heap);
        const lists = new Map<number, { list: List; expected: number[] }>();
        let number = 0;
        for (const [name, times] of steps) {
          if (times === 0 && lists.has(name)) {
            lists.get(name)!.list.release();
            lists.delete(name);
          }
          if (!lists.has(name)) lists.set(name, { list: new List(chunks), expected: [] });
          const { list, expected } = lists.get(name)!;
          for (let i = 0; i < times; i++) {
            list.push(++number);
            expected.push(number);
          }
        }
        for (const { list, expected } of lists.values()) expect(list.numbers).toEqual(expected);
      }),
    );
  });

  test("what was left behind serves the next list of that size, and no other", () => {
    const chunks = new Chunks(heap);
    const chunk = chunks.take(4);
    chunks.take(4);
    chunks.release(chunk, 4);
    expect(chunks.take(3)).not.toBe(chunk);
    expect(chunks.take(4)).toBe(chunk);
    expect(chunks.take(4)).not.toBe(chunk);
  });

  test("a list larger than a page has a page of its own", () => {
    const chunks = new Chunks(heap);
    const lists = [new List(chunks), new List(chunks), new List(chunks)];
    for (let number = 0; number < 100_000; number++) for (const list of lists) list.push(number);
    const expected = Array.from({ length: 100_000 }, (_, number) => number);
    for (const list of lists) expect(list.numbers).toEqual(expected);
  });
});
