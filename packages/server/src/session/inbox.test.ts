import { describe, expect, it } from "vitest";
import { Inbox } from "./inbox.ts";

const bytes = (length: number): Uint8Array => new Uint8Array(length);

describe("the inbox", () => {
  it("hands over what came, once and in order", () => {
    const inbox = new Inbox(3, 100);
    inbox.push("reliable", bytes(1));
    inbox.push("sequenced", bytes(2));
    expect(inbox.take().map(({ channel }) => channel)).toEqual(["reliable", "sequenced"]);
    expect(inbox.take()).toEqual([]);
  });

  it("counts anew after each round", () => {
    const inbox = new Inbox(2, 100);
    for (let round = 0; round < 5; round++) {
      inbox.push("reliable", bytes(50));
      inbox.push("reliable", bytes(50));
      expect(inbox.take()).toHaveLength(2);
    }
  });

  it("says flood, and keeps nothing, past its messages or bytes", () => {
    for (const [messages, size] of [
      [3, 1],
      [1, 101],
    ] as const) {
      const inbox = new Inbox(2, 100);
      for (let i = 0; i < messages; i++) inbox.push("reliable", bytes(size));
      expect(() => inbox.take()).toThrow(expect.objectContaining({ code: "flood" }));
      expect(() => inbox.takeFirst()).toThrow(expect.objectContaining({ code: "flood" }));
    }
  });

  it("gives the first message alone", () => {
    const inbox = new Inbox(3, 100);
    inbox.push("reliable", bytes(1));
    inbox.push("sequenced", bytes(2));
    expect(inbox.takeFirst()?.bytes.length).toBe(1);
    expect(inbox.take()).toHaveLength(1);
    expect(inbox.takeFirst()).toBeUndefined();
  });
});
