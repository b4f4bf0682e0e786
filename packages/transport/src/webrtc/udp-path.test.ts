import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BEAT_MS,
  FIRST_RETRY_MS,
  LONGEST_RETRY_MS,
  OPENING_MS,
  PATH_STATES,
  PROBING_MS,
  SILENT_MS,
  UdpPath,
} from "./udp-path.ts";

/** Ms from a beat to its answer. */
const ROUND_TRIP_MS = 80;

/** A path on virtual time, and a network that answers beats until it is cut. */
class Bench {
  nowMs = 0;
  isCut = false;
  /** Whether attempts get as far as an open channel, 60 ms after they begin. */
  opens = true;
  readonly log: string[] = [];
  readonly path: UdpPath;
  readonly #due: { atMs: number; run: () => void }[] = [];

  constructor(role: "offers" | "answers" = "offers", random: () => number = () => 1) {
    const port = {
      open: (attempt: number) => {
        this.log.push(`${this.nowMs} open ${attempt}`);
        if (this.opens) this.after(60, () => this.path.opened(attempt));
      },
      drop: (attempt: number, why: string | undefined) => this.log.push(`${this.nowMs} drop ${attempt} ${why}`),
      beat: (number: number) => {
        if (!this.isCut) this.after(ROUND_TRIP_MS, () => this.isCut || this.path.answered(number));
      },
    };
    this.path = new UdpPath(role, port, 0, random);
  }

  after(ms: number, run: () => void): void {
    this.#due.push({ atMs: this.nowMs + ms, run });
  }

  /** Runs on, a tick every BEAT_MS, until something holds; returns how long it took. */
  until(isSo: () => boolean, mostMs = 120_000): number {
    const startMs = this.nowMs;
    while (!isSo()) {
      if (this.nowMs - startMs > mostMs) throw new Error(`it never came to that; ${this.path.state}`);
      this.#pass(10);
    }
    return this.nowMs - startMs;
  }

  run(ms: number): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; ) this.#pass(10);
  }

  #pass(ms: number): void {
    this.nowMs += ms;
    const due = this.#due.filter(({ atMs }) => atMs <= this.nowMs);
    for (const event of due) {
      this.#due.splice(this.#due.indexOf(event), 1);
      event.run();
    }
    if (this.nowMs % BEAT_MS === 0) this.path.tick(this.nowMs);
  }

  carry(): void {
    this.path.available();
    this.until(() => this.path.isCarrying);
  }
}

describe("UdpPath", () => {
  it("carries one round trip after the channel is open", () => {
    const bench = new Bench();
    bench.path.available();
    expect(bench.path.state).toBe("opening");
    expect(bench.until(() => bench.path.isCarrying)).toBe(60 + ROUND_TRIP_MS);
    bench.run(60_000);
    expect(bench.log).toEqual(["0 open 1"]);
  });

  it.each([0, 60, 110, 170, 249])(
    "falls back within 2 s of a silent cut, and returns within 1 s of its end (+%i ms)",
    (ms) => {
      const bench = new Bench();
      bench.carry();
      bench.run(5000 + ms);
      bench.isCut = true;
      const tookMs = bench.until(() => !bench.path.isCarrying);
      expect(tookMs).toBeGreaterThan(SILENT_MS - BEAT_MS);
      expect(tookMs).toBeLessThanOrEqual(SILENT_MS + BEAT_MS + ROUND_TRIP_MS);
      expect(bench.path.state).toBe("probing");
      bench.run(5000);
      bench.isCut = false;
      expect(bench.until(() => bench.path.isCarrying)).toBeLessThanOrEqual(1000);
      expect(bench.log).toEqual(["0 open 1"]);
    },
  );

  it("does not fall back for lost beats, one in five each way", () => {
    const bench = new Bench();
    bench.carry();
    const pattern = [true, false, false, true, false, true, false, false];
    for (let i = 0; i < 200; i++) {
      bench.isCut = pattern[i % pattern.length]!;
      bench.run(BEAT_MS);
      expect(bench.path.isCarrying).toBe(true);
    }
  });

  it("lets a channel go that stays silent, and opens others with longer and longer waits", () => {
    const bench = new Bench();
    bench.carry();
    bench.isCut = true;
    bench.run(200_000);
    const times = bench.log.filter((line) => line.includes("open")).map((line) => Number.parseInt(line, 10));
    const drops = bench.log.filter((line) => line.includes("drop")).map((line) => Number.parseInt(line, 10));
    expect(bench.log.filter((line) => line.includes("drop"))[0]).toMatch(/drop 1 silent/);
    const waits = times.slice(1).map((time, index) => time - drops[index]!);
    expect(waits[0]).toBe(FIRST_RETRY_MS);
    for (const [index, wait] of waits.entries()) {
      if (index > 0) expect(wait).toBe(Math.min(LONGEST_RETRY_MS, waits[index - 1]! * 2));
    }
    expect(waits.at(-1)).toBe(LONGEST_RETRY_MS);
    expect(drops[0]! - times[0]!).toBeLessThan(SILENT_MS + PROBING_MS + 1000);
    bench.isCut = false;
    bench.until(() => bench.path.isCarrying, LONGEST_RETRY_MS + PROBING_MS);
    bench.run(31_000);
    bench.path.failed(bench.path.attempt, "closed", bench.nowMs);
    expect(bench.until(() => bench.path.isCarrying)).toBeLessThan(FIRST_RETRY_MS + 1000);
  });

  it("gives an attempt up that never opens", () => {
    const bench = new Bench();
    bench.opens = false;
    bench.path.available();
    bench.until(() => bench.path.state === "waiting");
    expect(bench.log).toEqual(["0 open 1", `${OPENING_MS + BEAT_MS} drop 1 timeout`]);
  });

  it("judges nobody by the time in which it stood still itself", () => {
    const bench = new Bench();
    bench.carry();
    bench.path.tick(bench.nowMs + 60_000);
    expect(bench.path.isCarrying).toBe(true);
    bench.path.tick(bench.nowMs + 60_250);
    expect(bench.path.isCarrying).toBe(true);
  });

  it("takes an answer for a proof only where it may be one", () => {
    const bench = new Bench();
    bench.path.available();
    bench.path.opened(2);
    expect(bench.path.state).toBe("opening");
    bench.isCut = true;
    bench.path.opened(1);
    for (const number of [0, 2, 7, 40_000, 65_535]) bench.path.answered(number);
    expect(bench.path.state).toBe("probing");
    bench.path.answered(1);
    expect(bench.path.state).toBe("carrying");
  });

  it("answers offers, each newer than the last, and not too many", () => {
    const bench = new Bench("answers");
    bench.path.available();
    expect(bench.path.state).toBe("off");
    expect(bench.path.offered(1, 0)).toBeUndefined();
    expect(bench.path.state).toBe("opening");
    expect(bench.path.offered(1, 0)?.code).toBe("signal");
    expect(bench.path.offered(3, 0)).toBeUndefined();
    expect(bench.log).toEqual(["0 drop 1 undefined"]);
    for (const attempt of [4, 5, 6]) expect(bench.path.offered(attempt, 500)).toBeUndefined();
    expect(bench.path.offered(7, 900)).toMatchObject({ code: "signal", detail: "more than 5 offers at once" });
    expect(bench.path.offered(7, 1000)).toBeUndefined();
    expect(new Bench("offers").path.offered(1, 0)?.code).toBe("signal");
  });

  it("never opens by itself where it answers", () => {
    const bench = new Bench("answers");
    bench.path.offered(1, 0);
    bench.path.opened(1);
    bench.until(() => bench.path.isCarrying);
    bench.isCut = true;
    bench.run(100_000);
    expect(bench.path.state).toBe("waiting");
    expect(bench.log).toEqual([expect.stringMatching(/drop 1 silent/)]);
  });

  it("takes no more offers from an honest client than it allows, whatever happens", () => {
    const events = fc.constantFrom("cut", "restore", "fail", "drop", "noOpen", "run");
    fc.assert(
      fc.property(fc.array(fc.tuple(events, fc.nat(4000)), { maxLength: 60 }), (script) => {
        const client = new Bench("offers", () => 0);
        const server = new Bench("answers");
        let offers = 0;
        client.path.available();
        for (const [what, ms] of script) {
          if (what === "cut") client.isCut = true;
          else if (what === "restore") client.isCut = false;
          else if (what === "fail") client.path.failed(client.path.attempt, "closed", client.nowMs);
          else if (what === "drop") client.path.dropped(client.path.attempt, client.nowMs);
          else client.opens = what === "run";
          client.run(ms);
          expect(PATH_STATES).toContain(client.path.state);
          const opened = client.log.filter((line) => line.includes("open"));
          for (const line of opened.slice(offers)) {
            const [atMs, , attempt] = line.split(" ").map(Number);
            expect(server.path.offered(attempt!, atMs!)).toBeUndefined();
          }
          offers = opened.length;
        }
      }),
    );
  });

  it("ends for good", () => {
    const bench = new Bench();
    bench.carry();
    bench.path.end();
    bench.run(60_000);
    expect(bench.path.state).toBe("off");
    expect(bench.log.slice(1)).toEqual([expect.stringMatching(/drop 1 undefined/)]);
  });
});

describe("docs/connection-states.md", () => {
  const page = readFileSync(new URL("../../../../docs/connection-states.md", import.meta.url), "utf8");
  const section = page.split(/^## /m).find((part) => part.startsWith("What carries the link\n"))!;
  const documented = new Set(
    [...section.matchAll(/^\| `(\w+)` → `(\w+)` *\|/gm)].map(([, from, to]) => `${from} → ${to}`),
  );

  it("names every state, and just the changes that ever happen before the end", () => {
    const happened = new Set<string>();
    const events = fc.constantFrom("run", "cut", "restore", "fail", "drop", "offer", "open", "noOpen");
    fc.assert(
      fc.property(
        fc.constantFrom("offers" as const, "answers" as const),
        fc.array(fc.tuple(events, fc.nat(3000)), { maxLength: 40 }),
        (role, script) => {
          const bench = new Bench(role);
          let last = bench.path.state;
          const note = (): void => {
            if (bench.path.state !== last) happened.add(`${last} → ${bench.path.state}`);
            last = bench.path.state;
          };
          bench.path.available();
          note();
          for (const [what, ms] of script) {
            const { path } = bench;
            if (what === "cut" || what === "restore") bench.isCut = what === "cut";
            else if (what === "fail") path.failed(path.attempt, "closed", bench.nowMs);
            else if (what === "drop") path.dropped(path.attempt, bench.nowMs);
            else if (what === "offer" && role === "answers") path.offered(path.attempt + 1, bench.nowMs);
            else if (what === "open" && role === "answers") path.opened(path.attempt);
            else if (what === "noOpen") bench.opens = false;
            note();
            for (let left = ms; left > 0; left -= 10) {
              bench.run(10);
              note();
            }
          }
        },
      ),
      { numRuns: 300, seed: 1 },
    );
    for (const state of PATH_STATES) expect(section).toContain(`| \`${state}\` `);
    expect(documented).toEqual(happened);
  });
});
