import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LabError } from "./lab-error.ts";
import { VirtualClock } from "./virtual-clock.ts";

describe("VirtualClock", () => {
  it("runs tasks by time, equal times in the order of scheduling, against a sorted list", () => {
    const plan = fc.array(fc.record({ timeMs: fc.integer({ min: 0, max: 20 }), cancelled: fc.boolean() }), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(plan, (tasks) => {
        const clock = new VirtualClock();
        const ran: number[] = [];
        const cancels = tasks.map(({ timeMs }, index) => clock.at(timeMs, () => ran.push(index)));
        for (const [index, cancel] of cancels.entries()) if (tasks[index]!.cancelled) cancel();
        const expected = [...tasks.keys()].filter((index) => !tasks[index]!.cancelled);
        expected.sort((a, b) => tasks[a]!.timeMs - tasks[b]!.timeMs || a - b);
        expect(clock.pending).toBe(expected.length);
        clock.runUntil(20);
        expect(ran).toEqual(expected);
        expect(clock.pending).toBe(0);
      }),
    );
  });

  it("shows each task its own time, and stops where it was told", () => {
    const clock = new VirtualClock({ startMs: 100 });
    const seen: number[] = [];
    for (const timeMs of [130, 110, 120.5]) clock.at(timeMs, () => seen.push(clock.nowMs));
    clock.advance(25);
    expect(seen).toEqual([110, 120.5]);
    expect(clock.nowMs).toBe(125);
    expect(clock.nextMs).toBe(130);
    clock.runUntil(130);
    expect(seen).toEqual([110, 120.5, 130]);
    expect(clock.nextMs).toBeUndefined();
  });

  it("runs what tasks schedule, within the same run, behind what was there before", () => {
    const clock = new VirtualClock();
    const log: string[] = [];
    clock.at(5, () => {
      log.push("first");
      clock.at(5, () => log.push("scheduled now"));
      clock.after(2, () => log.push("scheduled later"));
    });
    clock.at(5, () => log.push("second"));
    clock.advance(10);
    expect(log).toEqual(["first", "second", "scheduled now", "scheduled later"]);
  });

  it("beats regularly until stopped, without adding up rounding errors", () => {
    const clock = new VirtualClock();
    const beats: number[] = [];
    const stop = clock.every(0.1, () => beats.push(clock.nowMs));
    clock.advance(100);
    expect(beats).toHaveLength(1000);
    expect(beats[999]).toBe(100);
    stop();
    clock.advance(100);
    expect(beats).toHaveLength(1000);
  });

  it("lets a beat stop itself", () => {
    const clock = new VirtualClock();
    let beats = 0;
    const stop = clock.every(10, () => {
      beats += 1;
      if (beats === 3) stop();
    });
    clock.advance(1000);
    expect(beats).toBe(3);
  });

  it("gives up on tasks that keep each other alive without letting time pass", () => {
    const clock = new VirtualClock({ maxTasksPerMs: 500 });
    const again = (): unknown => clock.after(0.000_001, again);
    again();
    expect(() => clock.advance(10)).toThrow(LabError);
    expect(clock.nowMs).toBeLessThan(1);
  });

  it("does not mistake many tasks over a long time for a runaway", () => {
    const clock = new VirtualClock({ maxTasksPerMs: 10 });
    let beats = 0;
    clock.every(0.5, () => {
      beats += 1;
    });
    clock.advance(10_000);
    expect(beats).toBe(20_000);
  });

  it("does not pile up cancelled timeouts", () => {
    const clock = new VirtualClock();
    let ran = 0;
    clock.at(1_000_000, () => {
      ran += 1;
    });
    for (let index = 0; index < 100_000; index += 1) clock.at(2_000_000, () => undefined)();
    expect(clock.pending).toBe(1);
    clock.runUntil(2_000_000);
    expect(ran).toBe(1);
  });

  it("goes on after a task that throws", () => {
    const clock = new VirtualClock();
    const log: string[] = [];
    clock.at(1, () => {
      throw new Error("a bug");
    });
    clock.at(2, () => log.push("after"));
    expect(() => clock.advance(5)).toThrow("a bug");
    expect(clock.nowMs).toBe(1);
    clock.advance(5);
    expect(log).toEqual(["after"]);
  });

  it("refuses to go back, to stand still for ever, and to be run by its own tasks", () => {
    const clock = new VirtualClock({ startMs: 10 });
    expect(() => clock.at(9, () => undefined)).toThrow(/scheduled for 9 ms, but must be at 10 ms or later/);
    expect(() => clock.at(Number.NaN, () => undefined)).toThrow(LabError);
    expect(() => clock.runUntil(9)).toThrow(LabError);
    expect(() => clock.advance(Number.POSITIVE_INFINITY)).toThrow(LabError);
    expect(() => clock.every(0, () => undefined)).toThrow(LabError);
    clock.after(1, () => clock.advance(1));
    expect(() => clock.advance(5)).toThrow(/the clock is running it/);
  });
});
