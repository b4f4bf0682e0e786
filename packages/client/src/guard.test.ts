import { describe, expect, it } from "vitest";
import { Guard } from "./guard.ts";

const fail = (): never => {
  throw new Error("oops");
};

describe("a guard", () => {
  it("reports what a handler throws or rejects with, and lets the next one run", async () => {
    const reports: string[] = [];
    const guard = new Guard(
      (error, where) => reports.push(`${where}: ${String(error)}`),
      () => 0,
    );
    const ran: number[] = [];
    guard.run("onSpawn", fail, 1, 2);
    guard.run("onUpdate", async () => fail(), 1, 2);
    guard.run("onEvent", (a: number, b: number) => ran.push(a + b), 1, 2);
    await Promise.resolve();
    expect(ran).toEqual([3]);
    expect(reports).toEqual(["onSpawn: Error: oops", "onUpdate: Error: oops"]);
    expect(guard.errors).toBe(2);
  });

  it("reports the same place once a second and counts the rest", () => {
    let nowMs = 0;
    let reports = 0;
    const guard = new Guard(
      () => reports++,
      () => nowMs,
    );
    for (; nowMs < 3000; nowMs += 16) guard.run("activity", fail, 0, 0);
    expect(reports).toBe(3);
    expect(guard.errors).toBe(188);
  });

  it("throws on where nobody wants reports", () => {
    expect(() => new Guard(undefined, () => 0).run("activity", fail, 0, 0)).toThrow("oops");
  });
});
