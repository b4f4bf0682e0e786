/** The bus in one process: the contract of every bus, and its faults. */

import { Dice } from "@nearfield/netlab";
import { VirtualClock } from "@nearfield/netlab/internal";
import { describe, expect, it } from "vitest";
import { LocalHub, type Written } from "../src/internal/index.ts";
import { busContract } from "./bus-contract.ts";

function newHub() {
  const clock = new VirtualClock();
  const dice = new Dice(1);
  return { clock, hub: new LocalHub({ clock, random: () => dice.next(), delayMs: [1, 20] }) };
}

busContract("LocalBus", async () => {
  const { clock, hub } = newHub();
  let opened = 0;
  return {
    open: async () => hub.join(`member ${opened++}`),
    until: async (condition) => {
      const endMs = clock.nowMs + 60_000;
      while (!condition()) {
        if (clock.nowMs > endMs) throw new Error("the condition does not hold after a minute");
        clock.advance(1);
      }
    },
    reached: async () => clock.advance(20),
    end: async () => {},
  };
});

describe("faults of a LocalBus", () => {
  const none = new Uint8Array(0);

  it("lose what is on a way that is cut, and nothing else", () => {
    const { clock, hub } = newHub();
    const [ann, bob, eve] = ["ann", "bob", "eve"].map((name) => hub.join(name));
    const heard: string[] = [];
    for (const [name, bus] of [
      ["bob", bob!],
      ["eve", eve!],
    ] as const) {
      bus.subscribe("news", ([number]) => heard.push(`${name} ${number}`));
    }
    ann!.publish("news", Uint8Array.of(1));
    hub.cut("ann", "bob");
    clock.advance(100);
    ann!.publish("news", Uint8Array.of(2));
    clock.advance(100);
    hub.heal();
    ann!.publish("news", Uint8Array.of(3));
    clock.advance(100);
    expect(heard.sort()).toEqual(["bob 3", "eve 1", "eve 2", "eve 3"]);
  });

  it("leave the outcome of a write open while its member is cut off, and show it what it missed", () => {
    const { clock, hub } = newHub();
    const [ann, bob] = ["ann", "bob"].map((name) => hub.join(name));
    const outcomes: Written["kind"][] = [];
    const seen: string[] = [];
    bob!.keys.watch(({ key, revision }) => seen.push(`${key} ${revision}`));
    clock.advance(100);
    hub.isolate("bob");
    bob!.keys.put("lost", none, 0, ({ kind }) => outcomes.push(kind));
    ann!.keys.put("a", none, 0, ({ kind }) => outcomes.push(kind));
    clock.advance(100);
    ann!.keys.put("b", none, 0, () => {});
    clock.advance(5000);
    expect(outcomes).toEqual(["written", "unknown"]);
    expect(seen).toEqual([]);
    hub.heal();
    clock.advance(100);
    expect(seen).toEqual(["a 1", "b 2"]);
  });

  it("keep what arrives from a member that is paused until it goes on", () => {
    const { clock, hub } = newHub();
    const [ann, bob] = ["ann", "bob"].map((name) => hub.join(name));
    const heard: number[] = [];
    bob!.subscribe("news", ([number]) => heard.push(number!));
    bob!.pause();
    for (let i = 0; i < 5; i++) ann!.publish("news", Uint8Array.of(i));
    clock.advance(100);
    expect(heard).toEqual([]);
    bob!.resume();
    expect(heard).toEqual([0, 1, 2, 3, 4]);
  });
});
