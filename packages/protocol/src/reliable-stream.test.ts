import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HeldStream } from "./held-stream.ts";
import { ReliableStream } from "./reliable-stream.ts";
import { short } from "./sequence.ts";

/** Messages are numbers; their bytes are the stream's number and theirs. */
const encode = (message: number, number: number): Uint8Array =>
  Uint8Array.of(number & 255, number >> 8, message & 255, message >> 8);
const read = (bytes: Uint8Array): { number: number; message: number } => ({
  number: bytes[0]! | (bytes[1]! << 8),
  message: bytes[2]! | (bytes[3]! << 8),
});

describe("the reliable stream", () => {
  it("hands every message over once and in order, over any number of links", () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constant("push" as const) },
      { weight: 4, arbitrary: fc.constant("deliver" as const) },
      { weight: 2, arbitrary: fc.constant("confirm" as const) },
      { weight: 1, arbitrary: fc.constant("reconnect" as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const sender = new ReliableStream<number>(encode);
        const receiver = new ReliableStream<number>(encode);
        let wire: Uint8Array[] = [];
        const got: number[] = [];
        const connect = (): void => {
          sender.detach();
          wire = [];
          const link = wire;
          sender.confirm(short(receiver.heard));
          sender.attach((bytes) => link.push(bytes));
        };
        const deliver = (bytes: Uint8Array): void => {
          const { number, message } = read(bytes);
          if (receiver.accept(number)) got.push(message);
        };
        connect();
        let pushed = 0;
        for (const what of steps) {
          if (what === "push") sender.push(pushed++);
          else if (what === "deliver") wire.splice(0, 2).forEach(deliver);
          else if (what === "confirm") sender.confirm(short(receiver.heard));
          else connect();
        }
        connect();
        wire.forEach(deliver);
        expect(got).toEqual(Array.from({ length: pushed }, (_, i) => i));
      }),
    );
  });

  it("passes the wrap of its numbers", () => {
    const sender = new ReliableStream<number>(encode);
    const receiver = new ReliableStream<number>(encode);
    sender.attach((bytes) => expect(receiver.accept(read(bytes).number)).toBe(true));
    for (let i = 0; i < 140_000; i++) {
      sender.push(i & 0xffff);
      sender.confirm(short(receiver.heard));
    }
    expect(receiver.heard).toBe(140_000);
  });

  it("sends other bytes in the place of unconfirmed messages, under the same numbers", () => {
    const sender = new ReliableStream<number>(encode);
    for (const message of [10, 20, 30, 40]) sender.push(message);
    sender.confirm(1);
    sender.rewrite((bytes, number) => (read(bytes).message === 30 ? encode(99, number) : bytes));
    const sent: Uint8Array[] = [];
    sender.attach((bytes) => sent.push(bytes));
    sender.push(50);
    expect(sent.map(read)).toEqual([
      { number: 2, message: 20 },
      { number: 3, message: 99 },
      { number: 4, message: 40 },
      { number: 5, message: 50 },
    ]);
    sender.confirm(5);
  });

  it("ends with a reason when too much is unconfirmed", () => {
    const few = new ReliableStream<number>(encode, { maxMessages: 2, maxBytes: 1000 });
    few.push(1);
    few.push(2);
    expect(() => few.push(3)).toThrow(expect.objectContaining({ code: "overflow" }));
    const small = new ReliableStream<number>(encode, { maxMessages: 100, maxBytes: 7 });
    small.push(1);
    expect(() => small.push(2)).toThrow(expect.objectContaining({ code: "overflow" }));
    expect(small.sent).toBe(1);
  });

  it("does not believe in messages that were never sent, or in gaps", () => {
    const stream = new ReliableStream<number>(encode);
    stream.push(1);
    expect(() => stream.confirm(2)).toThrow(expect.objectContaining({ code: "unexpected" }));
    expect(() => stream.accept(2)).toThrow(expect.objectContaining({ code: "malformed" }));
    expect([stream.accept(1), stream.accept(1)]).toEqual([true, false]);
  });
});

describe("a stream that is held back", () => {
  function held() {
    const left: string[] = [];
    const stream = new HeldStream<string>((message) => new TextEncoder().encode(message));
    const send = (bytes: Uint8Array): void => void left.push(new TextDecoder().decode(bytes));
    return { stream, send, left };
  }

  it("sends nothing until it is let go, then all of it in order", () => {
    const { stream, send, left } = held();
    stream.attach(send);
    stream.push("a");
    stream.holdBack();
    const second = stream.push("b");
    stream.push("c");
    expect(left).toEqual(["a"]);
    stream.letGo(second);
    expect(left).toEqual(["a", "b"]);
    stream.letGo();
    stream.push("d");
    expect(left).toEqual(["a", "b", "c", "d"]);
  });

  it("keeps back what is held over a new link too", () => {
    const { stream, send, left } = held();
    stream.push("a");
    stream.holdBack();
    stream.push("b");
    stream.attach(send);
    expect(left).toEqual(["a"]);
    stream.detach();
    stream.letGo();
    stream.confirm(1);
    stream.attach(send);
    expect(left).toEqual(["a", "b"]);
  });

  it("takes no confirmation for what has not left", () => {
    const { stream, send } = held();
    stream.attach(send);
    stream.holdBack();
    stream.push("a");
    expect(() => stream.confirm(1)).toThrow("only 0 were sent");
  });
});
