import { describe, expect, it } from "vitest";
import { PacedClock } from "./paced-clock.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** A host whose timers come `lateMs` after their time. */
function scene(lateMs = 0) {
  const host = new VirtualClock({ startMs: 1000.5 });
  let timersSet = 0;
  const clock = new PacedClock({
    now: () => host.nowMs,
    after: (ms, task) => {
      timersSet += 1;
      return host.after(ms + lateMs, task);
    },
  });
  return { host, clock, timersSet: () => timersSet };
}

describe("PacedClock", () => {
  it("runs tasks in order of time when the host's time has come", () => {
    const { host, clock } = scene();
    const ran: string[] = [];
    clock.after(20, () => ran.push("b"));
    clock.after(10.2, () => ran.push("a"));
    clock.after(20, () => ran.push("c"));
    clock.after(15, () => ran.push("never"))();
    host.advance(9);
    expect(ran).toEqual([]);
    host.advance(3);
    expect(ran).toEqual(["a"]);
    host.advance(9);
    expect(ran).toEqual(["a", "b", "c"]);
    expect(clock.pending).toBe(0);
  });

  it("gives a late task the time it was meant for, so that delays do not add up", () => {
    const { host, clock } = scene(7);
    const times: number[] = [];
    const step = (): void => {
      times.push(clock.nowMs);
      if (times.length < 3) clock.after(5, step);
    };
    clock.after(5, step);
    host.advance(13);
    expect(times).toEqual([1005.5, 1010.5]);
    expect(clock.nowMs).toBe(1013.5);
    host.advance(20);
    expect(times).toEqual([1005.5, 1010.5, 1015.5]);
  });

  it("runs nothing inside a call, not even what is due at once", () => {
    const { host, clock } = scene();
    let ran = 0;
    clock.at(clock.nowMs, () => {
      ran += 1;
    });
    expect(ran).toBe(0);
    host.advance(0);
    expect(ran).toBe(1);
  });

  it("waits with one timer, and goes on after a task that throws", () => {
    const { host, clock, timersSet } = scene();
    let ran = 0;
    clock.after(5, () => {
      throw new Error("a task");
    });
    for (let index = 0; index < 100; index += 1) {
      clock.after(6 + index, () => {
        ran += 1;
      });
    }
    expect(timersSet()).toBe(1);
    expect(() => host.advance(5)).toThrow("a task");
    host.advance(200);
    expect(ran).toBe(100);
  });
});
