import { describe, expect, test } from "vitest";
import { Listeners, ListenersByKey } from "./listeners.ts";

describe("listeners", () => {
  test("run in order, and each can be taken back, once", () => {
    const listeners = new Listeners<string>();
    listeners.add("first");
    const off = listeners.add("twice");
    listeners.add("twice");
    off();
    off();
    expect(listeners.list).toEqual(["first", "twice"]);
    expect(listeners.size).toBe(2);
  });

  test("what happens while they run counts from the next time on", () => {
    const listeners = new Listeners<() => void>();
    const ran: string[] = [];
    const off = listeners.add(() => {
      ran.push("once");
      off();
      listeners.add(() => ran.push("new"));
    });
    listeners.add(() => ran.push("other"));
    for (const listener of listeners.list) listener();
    expect(ran).toEqual(["once", "other"]);
    for (const listener of listeners.list) listener();
    expect(ran).toEqual(["once", "other", "other", "new"]);
  });

  test("stay apart by key", () => {
    const byKey = new ListenersByKey<string, number>();
    const off = byKey.add("a", 1);
    byKey.add("b", 2);
    expect([byKey.of("a"), byKey.of("b"), byKey.of("c")]).toEqual([[1], [2], []]);
    off();
    expect(byKey.of("a")).toEqual([]);
  });
});
