import { describe, expect, it } from "vitest";
import { HandTimers } from "../../test/hand-timers.ts";
import { Heartbeat } from "./heartbeat.ts";

function member() {
  const log: string[] = [];
  return {
    log,
    isAlive: false,
    ping: () => log.push("ping"),
    vanish: (detail: string) => log.push(`vanish: ${detail}`),
  };
}

describe("Heartbeat", () => {
  it("pings who answered and gives up who did not", () => {
    const timers = new HandTimers();
    const heartbeat = new Heartbeat(timers, 1000);
    const lively = member();
    const dead = member();
    heartbeat.add(lively);
    heartbeat.add(dead);
    timers.beat();
    heartbeat.sign(lively);
    timers.beat();
    expect(lively.log).toEqual(["ping", "ping"]);
    expect(dead.log).toEqual(["ping", "vanish: no sign of life for 1000 ms"]);
    heartbeat.sign(dead);
    timers.beat();
    expect(dead.log).toHaveLength(2);
  });

  it("leaves alone who left, and beats no more once stopped", () => {
    const timers = new HandTimers();
    const heartbeat = new Heartbeat(timers, 1000);
    const gone = member();
    heartbeat.add(gone);
    heartbeat.remove(gone);
    timers.beat();
    expect(gone.log).toEqual([]);
    heartbeat.stop();
    expect(timers.active).toBe(0);
  });

  it("with a period of 0 sets no timer", () => {
    const timers = new HandTimers();
    new Heartbeat(timers, 0).add(member());
    expect(timers.active).toBe(0);
  });
});
