/** Commands that wait for confirmation: how many may wait, and when they are sent again. */

import type { SteppedCommand } from "@nearfield/protocol/internal";
import { objectId } from "@nearfield/schema/internal";
import type { Link } from "@nearfield/transport";
import { describe, expect, it } from "vitest";
import { CommandWindow } from "./command-window.ts";

/** A link of which only the sending is used; a message is as long as it holds commands, times ten. */
class Out {
  readonly sent: string[] = [];
  inOrder: boolean;
  isBehind = false;
  readonly maxUnreliableBytes: number;

  constructor(inOrder = false, maxUnreliableBytes = 1200) {
    this.inOrder = inOrder;
    this.maxUnreliableBytes = maxUnreliableBytes;
  }

  send(channel: string, bytes: Uint8Array): boolean {
    if (this.isBehind) return false;
    this.sent.push(`${channel} ${bytes[0]} × ${bytes.length / 10}`);
    return true;
  }
}

const linkOf = (out: Out): Link => out as unknown as Link;
const one: SteppedCommand = { id: objectId(1, 0), type: {} as never, values: {}, stepMs: 16 };

function make(): CommandWindow {
  return new CommandWindow((first, list) => new Uint8Array(list.length * 10).fill(first));
}

describe("a window", () => {
  it("repeats what is not confirmed, over a link that loses", () => {
    const [window, out] = [make(), new Out()];
    window.push(one, true);
    window.push(one, false);
    window.send(linkOf(out), 0, 25);
    window.push(one, false);
    window.send(linkOf(out), 10, 25);
    window.send(linkOf(out), 30, 25);
    window.confirm(2);
    window.send(linkOf(out), 60, 25);
    window.confirm(3);
    window.send(linkOf(out), 90, 25);
    expect(out.sent).toEqual(["unsequenced 1 × 2", "unsequenced 1 × 3", "unsequenced 3 × 1"]);
  });

  it("puts each command into four messages, over a link that loses, and all into one when the server misses some", () => {
    const [window, out] = [make(), new Out()];
    for (let i = 0; i < 8; i++) {
      window.push(one, true);
      window.send(linkOf(out), i, 25);
    }
    expect(out.sent.slice(-2)).toEqual(["unsequenced 4 × 4", "unsequenced 5 × 4"]);
    window.sendAgain();
    window.send(linkOf(out), 8, 25);
    expect(out.sent.at(-1)).toBe("unsequenced 1 × 8");
    window.push(one, true);
    window.send(linkOf(out), 9, 25);
    expect(out.sent.at(-1)).toBe("unsequenced 1 × 9");
  });

  it("goes on repeating its last commands until they are confirmed, less often after the fourth time", () => {
    const [window, out] = [make(), new Out()];
    window.push(one, true);
    for (let nowMs = 0; nowMs < 400; nowMs += 5) window.send(linkOf(out), nowMs, 25);
    expect(out.sent).toEqual(Array.from({ length: 4 + 3 }, () => "unsequenced 1 × 1"));
    window.confirm(1);
    window.send(linkOf(out), 1000, 25);
    expect(out.sent).toHaveLength(7);
  });

  it("sends news at once", () => {
    const [window, out] = [make(), new Out()];
    for (let i = 0; i < 3; i++) {
      window.push(one, true);
      window.send(linkOf(out), i, 25);
    }
    expect(out.sent).toHaveLength(3);
  });

  it("repeats itself less often while it hears nothing, so that no server takes it for a flood", () => {
    const [window, out] = [make(), new Out(false, 100_000)];
    for (let nowMs = 0; nowMs < 10_000; nowMs += 16) {
      if (window.hasRoom(one.stepMs)) window.push(one, true);
      window.send(linkOf(out), nowMs, 16);
      if (nowMs < 2000) window.confirm(Math.max(0, window.last - 6));
    }
    const counts = out.sent.map((line) => Number(line.split(" × ")[1]));
    const heard = 2000 / 16;
    expect(counts.slice(0, heard)).toEqual(Array.from({ length: heard }, (_, index) => Math.min(4, index + 1)));
    const silent = counts.slice(heard);
    expect(silent.length).toBeLessThan(62 + 72);
    // Two seconds of it, which the server may get at once.
    expect(silent.slice(0, 62 + 10).reduce((sum, count) => sum + count, 0)).toBeLessThan(4000);
  });

  it("sends each once where nothing is lost, and again over the next link", () => {
    const [window, out, next] = [make(), new Out(true), new Out(true)];
    window.push(one, true);
    window.send(linkOf(out), 0, 25);
    window.push(one, false);
    window.send(linkOf(out), 30, 25);
    window.send(linkOf(out), 60, 25);
    window.confirm(1);
    window.send(linkOf(next), 90, 25);
    expect([...out.sent, ...next.sent]).toEqual(["unsequenced 1 × 1", "unsequenced 2 × 1", "unsequenced 2 × 1"]);
  });

  it("repeats what may have been lost before its link began to keep order", () => {
    const [window, out] = [make(), new Out(false)];
    for (let i = 0; i < 4; i++) window.push(one, false);
    window.send(linkOf(out), 0, 25);
    window.confirm(1);
    out.inOrder = true;
    window.send(linkOf(out), 1, 25);
    window.push(one, true);
    window.send(linkOf(out), 2, 25);
    out.inOrder = false;
    window.send(linkOf(out), 3, 25);
    expect(out.sent).toEqual(["unsequenced 1 × 4", "unsequenced 2 × 3", "unsequenced 5 × 1", "unsequenced 2 × 4"]);
  });

  it("sends again what a link that is behind did not take", () => {
    const [window, out] = [make(), new Out(true)];
    window.push(one, true);
    out.isBehind = true;
    window.send(linkOf(out), 0, 25);
    out.isBehind = false;
    window.push(one, true);
    window.send(linkOf(out), 1, 25);
    expect(out.sent).toEqual(["unsequenced 1 × 2"]);
  });

  it("sends the oldest first where not all fit, and one that fits nowhere reliably", () => {
    const [window, narrow, tiny] = [make(), new Out(false, 30), new Out(false, 5)];
    for (let i = 0; i < 8; i++) window.push(one, false);
    window.send(linkOf(narrow), 0, 25);
    window.send(linkOf(tiny), 0, 25);
    expect([...narrow.sent, ...tiny.sent]).toEqual(["unsequenced 1 × 2", "reliable 1 × 1"]);
  });

  it("has room for two seconds", () => {
    const window = make();
    while (window.hasRoom(16)) window.push(one, false);
    expect(window.count).toBe(125);
    window.confirm(25);
    expect([window.count, window.last, window.hasRoom(16)]).toEqual([100, 125, true]);
  });

  it("is not confused by confirmations of what never was, or was before", () => {
    const window = make();
    window.push(one, false);
    window.confirm(5);
    window.confirm(0);
    expect([window.count, window.last]).toEqual([0, 1]);
  });
});
