/**
 * The connection's states against links that do what the test says. docs/connection-states.md is checked against what
 * happens here.
 */

import { readFileSync } from "node:fs";
import type { Link } from "@nearfield/transport";
import { type MemoryLink, memoryLinks } from "@nearfield/transport/internal";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { CONNECTION_STATES, Connection, DEFAULT_RECONNECT, type ReconnectOptions } from "./connection.ts";

/** A connection, and the other side of it. */
class Bench {
  readonly connection: Connection;
  readonly log: string[] = [];
  readonly transitions: Set<string> = new Set();
  readonly servers: MemoryLink[] = [];
  readonly promised: ((link: Link | undefined) => void)[] = [];
  /** What an attempt finds: a link, nobody, or a promise that is kept later. */
  answer: "link" | "nobody" | "promise" = "link";
  attempts = 0;
  #state: string = "connecting";

  constructor(reconnect: Partial<ReconnectOptions> = {}) {
    this.connection = new Connection({
      reconnect: { ...DEFAULT_RECONNECT, ...reconnect },
      random: () => 1,
      connect: () => this.#connect(),
      onOpen: () => this.log.push("open"),
      onMessage: () => {},
      onClosed: () => {},
      onLost: () => this.log.push("lost"),
      onState: (state, reason) => {
        this.transitions.add(`${this.#state} → ${state}`);
        this.#state = state;
        this.log.push(reason === undefined ? state : `${state}: ${reason.code}`);
      },
    });
  }

  /** Breaks the newest link from the other side. */
  break(): void {
    this.servers.at(-1)?.close({ code: "closed", detail: "gone" });
    this.servers.at(-1)?.flush();
  }

  #connect(): Link | Promise<Link> {
    this.attempts += 1;
    if (this.answer === "nobody") throw new Error("nobody there");
    if (this.answer === "promise") {
      return new Promise((resolve, reject) => {
        this.promised.push((link) => (link === undefined ? reject(new Error("nobody there")) : resolve(link)));
      });
    }
    const [client, server] = memoryLinks();
    this.servers.push(server);
    return client;
  }
}

describe("a connection", () => {
  let bench: Bench;

  beforeEach(() => {
    bench = new Bench();
  });

  function welcomeAt(nowMs: number, keptForMs: number): void {
    bench.connection.tick(nowMs);
    bench.connection.welcomed(keptForMs);
  }

  /** Ticks every 100 ms, from one time to another. */
  function listen(fromMs: number, toMs: number): void {
    for (let nowMs = fromMs; nowMs <= toMs; nowMs += 100) bench.connection.tick(nowMs);
  }

  it("tries for 5 s to be let in the first time, then ends", () => {
    bench.answer = "nobody";
    listen(0, 2900);
    expect([bench.connection.state, bench.attempts]).toEqual(["connecting", 4]);
    listen(3000, 3000);
    expect([bench.attempts, bench.log]).toEqual([5, ["ended: link"]]);
    expect(bench.connection.reason?.detail).toMatch(/nobody there.*tried 5 times/);
  });

  it("goes on with the first link that works, also after one that broke before the welcome", () => {
    bench.answer = "nobody";
    listen(0, 500);
    bench.answer = "link";
    listen(600, 600);
    bench.break();
    expect(bench.connection.state).toBe("connecting");
    listen(700, 1400);
    bench.connection.welcomed(20_000);
    expect(bench.log).toEqual(["open", "open", "active"]);
  });

  it("makes one attempt where joinMs is 0", () => {
    bench = new Bench({ joinMs: 0 });
    bench.answer = "nobody";
    bench.connection.tick(0);
    expect(bench.log).toEqual(["ended: link"]);
    expect(bench.connection.reason?.detail).toBe("Error: nobody there");
  });

  it("is replaced when it breaks, and goes on", () => {
    welcomeAt(0, 20_000);
    bench.break();
    bench.connection.tick(199);
    expect(bench.log).toEqual(["open", "active", "reconnecting", "lost"]);
    bench.connection.tick(200);
    bench.connection.welcomed(20_000);
    expect(bench.log.slice(4)).toEqual(["open", "active"]);
  });

  it("tries again after 200, 400, 800 … ms, at most 5 s apart, until the session cannot be there any more", () => {
    welcomeAt(0, 30_000);
    bench.answer = "nobody";
    bench.break();
    const times: number[] = [];
    for (let nowMs = 0; nowMs <= 30_100; nowMs += 10) {
      const before = bench.attempts;
      bench.connection.tick(nowMs);
      if (bench.attempts > before) times.push(nowMs);
    }
    expect(times).toEqual([200, 600, 1400, 3000, 6200, 11_200, 16_200, 21_200, 26_200]);
    expect(bench.log.at(-1)).toBe("ended: session-gone");
  });

  it("takes silence for a loss", () => {
    welcomeAt(0, 30_000);
    listen(100, 4000);
    bench.connection.heard();
    listen(4100, 9000);
    expect(bench.connection.state).toBe("active");
    listen(9100, 9100);
    expect(bench.connection.state).toBe("reconnecting");
  });

  it("does not blame the link for a page that stood still: what came meanwhile is heard first", () => {
    welcomeAt(0, 30_000);
    bench.connection.tick(60_000);
    bench.connection.heard();
    expect(bench.connection.state).toBe("active");
    bench.connection.tick(120_000);
    listen(120_100, 124_100);
    expect(bench.connection.state).toBe("reconnecting");
  });

  it("closes a link that comes after it ended", async () => {
    bench.answer = "promise";
    bench.connection.tick(0);
    bench.connection.end({ code: "left", detail: "" });
    const [client, server] = memoryLinks();
    bench.promised[0]!(client);
    await Promise.resolve();
    client.flush();
    expect(server.closeReason?.code).toBe("left");
    expect(bench.log).toEqual(["ended: left"]);
  });

  it("treats a promise that fails like any failure", async () => {
    bench = new Bench({ joinMs: 0 });
    bench.answer = "promise";
    bench.connection.tick(0);
    bench.promised[0]!(undefined);
    await new Promise<void>((resolve) => queueMicrotask(() => queueMicrotask(resolve)));
    expect(bench.log).toEqual(["ended: link"]);
  });
});

describe("docs/connection-states.md", () => {
  const page = readFileSync(new URL("../../../docs/connection-states.md", import.meta.url), "utf8");
  const documented = new Set(
    [...page.matchAll(/^\| `(\w+)` *\| `(\w+)` *\|/gm)].map(([, from, to]) => `${from} → ${to}`),
  );

  it("names every state, and just the transitions that ever happen", () => {
    const happened = new Set<string>();
    const rare = fc.constantFrom("nobody", "somebody", "end", "silence");
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom("wait", "welcome", "break") },
      { weight: 1, arbitrary: rare },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const bench = new Bench();
        let nowMs = 0;
        for (const what of steps) {
          if (what === "wait") nowMs += 900;
          if (what === "silence") nowMs += 6000;
          if (what === "welcome" && bench.connection.link !== undefined) bench.connection.welcomed(10_000);
          if (what === "break") bench.break();
          if (what === "nobody") bench.answer = "nobody";
          if (what === "somebody") bench.answer = "link";
          if (what === "end") bench.connection.end({ code: "kicked", detail: "" });
          bench.connection.tick(nowMs);
        }
        for (const transition of bench.transitions) happened.add(transition);
      }),
      { numRuns: 500, seed: 1 },
    );
    for (const state of CONNECTION_STATES) expect(page).toContain(`\`${state}\``);
    expect(documented).toEqual(happened);
  });
});
