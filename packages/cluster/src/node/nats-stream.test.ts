/** Keys on a stream that remembers everything but what is trimmed, without NATS. */

import type { JetStreamClient } from "@nats-io/jetstream";
import { JetStreamApiError } from "@nats-io/jetstream";
import { describe, expect, it } from "vitest";
import { appendAfter, isUnanswered, NatsKeys, type Stored } from "./nats-stream.ts";

class FakeStream {
  /** By sequence; undefined: trimmed. */
  readonly entries: (Stored | undefined)[] = [undefined];
  /** Sequences that were asked for and are not answered. */
  readonly asked: { readonly sequence: number; readonly answer: () => void }[] = [];
  readonly told: string[] = [];
  readonly keys: NatsKeys = new NatsKeys({
    js: {
      publish: (subject: string, value: Uint8Array) => this.#publish(subject, value),
    } as unknown as JetStreamClient,
    name: "world",
    patienceMs: 1000,
    next: (sequence) =>
      Promise.resolve(this.entries.find((entry) => entry !== undefined && entry.revision >= sequence)),
    at: (sequence) =>
      new Promise((resolve) => {
        this.asked.push({ sequence, answer: () => resolve(this.entries[sequence] ?? "gone") });
      }),
    trim: () => {},
    announce: () => {},
    failed: (error) => expect.fail(String(error)),
  });

  constructor() {
    this.keys.watch(({ key, revision }) => void this.told.push(`${key} ${revision}`));
  }

  #publish(subject: string, value: Uint8Array): Promise<{ seq: number }> {
    const [, key, after] = /^\$KV\.world\.(.+)\.(\d+)$/.exec(subject)!;
    return Promise.resolve({ seq: this.add(key!, Number(after), value) });
  }

  /** A write of anybody. Throws as NATS does if the entry before it has a successor. */
  add(key: string, after: number, value: Uint8Array = new Uint8Array(0)): number {
    if (this.entries.some((entry) => entry?.key === key && entry.after === after))
      throw new JetStreamApiError({ code: 400, err_code: 10_071, description: "wrong last sequence" });
    return this.entries.push({ key, after, value, revision: this.entries.length }) - 1;
  }

  async answerAll(): Promise<void> {
    for (let turn = 0; turn < 8; turn++) {
      for (const { answer } of this.asked.splice(0)) answer();
      await Promise.resolve();
    }
  }
}

describe("keys on a stream", () => {
  it("ask for everything that was announced at once, and tell of it in its order", async () => {
    const stream = new FakeStream();
    const [a] = [stream.add("a", 0), stream.add("b", 0), stream.add("a", 1)];
    stream.keys.grown(3);
    expect(stream.asked.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    stream.asked.reverse();
    await stream.answerAll();
    expect(stream.told).toEqual([`a ${a}`, "b 2", "a 3"]);
    stream.keys.close();
  });

  it("are written whatever happens to other keys meanwhile", async () => {
    const stream = new FakeStream();
    const written = stream.keys.put("a", Uint8Array.of(1), 0);
    stream.add("b", 0);
    for (let turn = 0; turn < 8; turn++) await stream.answerAll();
    expect(await written).toEqual({ kind: "written", at: 1 });
    stream.keys.close();
  });

  it("do not skip an entry that was announced and that the node does not have yet", async () => {
    const stream = new FakeStream();
    const first = stream.add("a", 0);
    stream.keys.grown(first + 1);
    await stream.answerAll();
    expect(stream.told).toEqual([`a ${first}`]);
    const second = stream.add("a", first);
    stream.keys.grown(second);
    await stream.answerAll();
    expect(stream.told).toEqual([`a ${first}`, `a ${second}`]);
    stream.keys.close();
  });

  it("read on after entries that were trimmed", async () => {
    const stream = new FakeStream();
    let last = 0;
    for (let write = 0; write < 5; write++) last = stream.add("a", last);
    for (const trimmed of [1, 2, 4]) stream.entries[trimmed] = undefined;
    stream.keys.grown(last);
    for (let turn = 0; turn < 4; turn++) await stream.answerAll();
    expect(stream.told).toEqual(["a 3", `a ${last}`]);
    stream.keys.close();
  });

  it("ignore an entry of a writer that slept while its successor was trimmed, and tell the writer", async () => {
    const stream = new FakeStream();
    const first = stream.add("a", 0);
    const second = stream.add("a", first);
    const third = stream.add("a", second);
    // It knows the first one alone, whose successor is trimmed by now.
    stream.entries[second] = undefined;
    const written = stream.keys.put("a", Uint8Array.of(9), first);
    for (let turn = 0; turn < 8; turn++) await stream.answerAll();
    expect(await written).toEqual({ kind: "conflict" });
    expect(stream.told.at(-1)).toBe(`a ${third}`);
    stream.keys.close();
  });
});

describe("nodes without a leader", () => {
  const unavailable = new JetStreamApiError({ code: 503, err_code: 10_008, description: "temporarily unavailable" });

  it("give no answer: a write may have happened, or may still happen", async () => {
    expect(isUnanswered(unavailable)).toBe(true);
    const js = { publish: () => Promise.reject(unavailable) } as unknown as JetStreamClient;
    expect(await appendAfter(js, "log", new Uint8Array(0), 0)).toEqual({ kind: "unknown" });
  });
});
