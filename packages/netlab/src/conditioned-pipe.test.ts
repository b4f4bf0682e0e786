import type { Channel } from "@nearfield/transport/internal";
import { describe, expect, it } from "vitest";
import { ConditionedPipe } from "./conditioned-pipe.ts";
import type { Conditions } from "./conditions.ts";
import { Dice } from "./dice.ts";
import { VirtualClock } from "./virtual-clock.ts";

interface Arrival {
  readonly id: number;
  readonly sentMs: number;
  readonly atMs: number;
}

/** One pipe, numbered packets, and what came out of it when. */
class Bench {
  readonly clock = new VirtualClock();
  readonly pipe: ConditionedPipe;
  readonly arrivals: Arrival[] = [];
  #sent = 0;

  constructor(conditions: Conditions, seed = "bench") {
    this.pipe = new ConditionedPipe(this.clock, new Dice(seed), conditions);
  }

  send(channel: Channel, frameBytes = 100): number {
    const id = this.#sent;
    const sentMs = this.clock.nowMs;
    this.#sent += 1;
    this.pipe.push({
      channel,
      bytes: Uint8Array.of(id),
      frameBytes,
      deliver: () => this.arrivals.push({ id, sentMs, atMs: this.clock.nowMs }),
    });
    return id;
  }

  /** Sends `count` packets, one every `everyMs`, and waits until all have come. */
  stream(channel: Channel, count: number, everyMs: number): this {
    for (let index = 0; index < count; index += 1) {
      this.send(channel);
      this.clock.advance(everyMs);
    }
    this.clock.advance(100_000);
    return this;
  }

  get ids(): number[] {
    return this.arrivals.map((arrival) => arrival.id);
  }

  get delays(): number[] {
    return this.arrivals.map((arrival) => arrival.atMs - arrival.sentMs);
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const isAscending = (values: readonly number[]) =>
  values.every((value, index) => index === 0 || value > values[index - 1]!);

/** Lengths of the runs of packets that did not arrive. */
function bursts(ids: readonly number[], sent: number): number[] {
  const arrived = new Set(ids);
  const lengths: number[] = [];
  let run = 0;
  for (let id = 0; id <= sent; id += 1) {
    if (id < sent && !arrived.has(id)) run += 1;
    else if (run > 0) {
      lengths.push(run);
      run = 0;
    }
  }
  return lengths;
}

describe("loss", () => {
  const sent = 100_000;

  it.each([0.01, 0.2, 0.5])("independent: a share of %d, in runs of the length that chance gives", (loss) => {
    const { ids } = new Bench({ loss }).stream("unsequenced", sent, 1);
    expect(1 - ids.length / sent).toBeCloseTo(loss, 2);
    expect(mean(bursts(ids, sent))).toBeCloseTo(1 / (1 - loss), 1);
  });

  it.each([
    [0.05, 2],
    [0.2, 4],
    [0.2, 10],
  ])("in bursts: a share of %d, %d packets in a row on average", (loss, meanBurst) => {
    const bench = new Bench({ burst: { loss, meanBurst } }).stream("sequenced", sent, 1);
    const share = 1 - bench.ids.length / sent;
    expect(Math.abs(share - loss)).toBeLessThan(0.01);
    expect(Math.abs(mean(bursts(bench.ids, sent)) / meanBurst - 1)).toBeLessThan(0.05);
    expect(bench.pipe.counters).toMatchObject({
      offered: sent,
      lost: sent - bench.ids.length,
      delivered: bench.ids.length,
    });
  });

  it("by raw chances: the long-run share is that of the two states", () => {
    const chain = { p: 0.02, r: 0.1, k: 0.99, h: 0.4 };
    const { ids } = new Bench({ burst: chain }).stream("unsequenced", sent, 1);
    const bad = chain.p / (chain.p + chain.r);
    const expected = bad * (1 - chain.h) + (1 - bad) * (1 - chain.k);
    expect(Math.abs(1 - ids.length / sent - expected)).toBeLessThan(0.01);
  });

  it("is there from the first packet on, over many short scenarios", () => {
    let lost = 0;
    for (let seed = 0; seed < 5000; seed += 1) {
      const bench = new Bench({ burst: { loss: 0.2, meanBurst: 5 } }, `first ${seed}`);
      bench.send("unsequenced");
      bench.clock.advance(1);
      lost += 1 - bench.arrivals.length;
    }
    expect(Math.abs(lost / 5000 - 0.2)).toBeLessThan(0.02);
  });

  it("of everything or nothing is exact", () => {
    expect(new Bench({ loss: 1 }).stream("unsequenced", 100, 1).ids).toEqual([]);
    expect(new Bench({ loss: 0 }).stream("unsequenced", 100, 1).ids).toHaveLength(100);
  });
});

describe("delay", () => {
  it("without jitter is the latency, exactly", () => {
    const { delays } = new Bench({ latencyMs: 40 }).stream("unsequenced", 100, 3);
    expect(new Set(delays)).toEqual(new Set([40]));
  });

  it("with uniform jitter fills latency ± jitter evenly", () => {
    const { delays } = new Bench({ latencyMs: 60, jitterMs: 20 }).stream("unsequenced", 20_000, 100);
    expect(mean(delays)).toBeCloseTo(60, 0);
    const quarters = [0, 0, 0, 0];
    expect(delays.every((delay) => delay >= 40 && delay < 80)).toBe(true);
    for (const delay of delays) {
      quarters[Math.floor((delay - 40) / 10)]! += 1;
    }
    for (const count of quarters) expect(Math.abs(count - 5000)).toBeLessThan(250);
  });

  it("with normal jitter has that deviation", () => {
    const { delays } = new Bench({ latencyMs: 100, jitterMs: 10, jitterShape: "normal" }).stream(
      "unsequenced",
      20_000,
      200,
    );
    const average = mean(delays);
    expect(average).toBeCloseTo(100, 0);
    expect(Math.sqrt(mean(delays.map((delay) => (delay - average) ** 2)))).toBeCloseTo(10, 0);
  });

  it("never falls below nothing", () => {
    const { delays } = new Bench({ latencyMs: 5, jitterMs: 50 }).stream("unsequenced", 1000, 200);
    expect(Math.min(...delays)).toBe(0);
  });

  it("keeps the order under jitter alone", () => {
    const bench = new Bench({ latencyMs: 60, jitterMs: 50 });
    for (const channel of ["unsequenced", "sequenced", "reliable"] as const) {
      const before = bench.arrivals.length;
      bench.stream(channel, 500, 2);
      expect(bench.ids.slice(before)).toHaveLength(500);
      expect(isAscending(bench.ids.slice(before))).toBe(true);
    }
  });
});

describe("reorder and duplicate", () => {
  it("holds back the share it is told, and nothing else is overtaken", () => {
    const sent = 20_000;
    const bench = new Bench({ latencyMs: 20, reorder: 0.1, reorderMs: 30 }).stream("unsequenced", sent, 5);
    expect(bench.pipe.counters.reordered / sent).toBeCloseTo(0.1, 2);
    const late = bench.arrivals.filter(({ sentMs, atMs }) => atMs - sentMs > 20);
    expect(late.length).toBe(bench.pipe.counters.reordered);
    expect(Math.max(...late.map(({ sentMs, atMs }) => atMs - sentMs))).toBeLessThanOrEqual(50);
    const punctual = bench.arrivals.filter(({ sentMs, atMs }) => atMs - sentMs === 20);
    expect(isAscending(punctual.map(({ id }) => id))).toBe(true);
    expect(isAscending(bench.ids)).toBe(false);
  });

  it("doubles the share it is told, each copy late in its own way", () => {
    const sent = 20_000;
    const bench = new Bench({ latencyMs: 20, jitterMs: 10, duplicate: 0.05 }).stream("sequenced", sent, 50);
    expect(bench.pipe.counters.duplicated / sent).toBeCloseTo(0.05, 2);
    expect(bench.arrivals.length).toBe(sent + bench.pipe.counters.duplicated);
    expect(new Set(bench.ids).size).toBe(sent);
    expect(isAscending([...new Set(bench.ids)])).toBe(true);
  });

  it("touches reliable packets never", () => {
    const { ids } = new Bench({ latencyMs: 20, reorder: 1, duplicate: 1 }).stream("reliable", 200, 1);
    expect(ids).toEqual(Array.from({ length: 200 }, (_, id) => id));
  });
});

describe("the reliable channel", () => {
  it("pays one retransmission time per loss, and holds what follows", () => {
    const bench = new Bench({ latencyMs: 30, retransmitMs: 150 });
    bench.pipe.dropNext((packet) => packet.bytes[0] === 1, 2);
    for (let index = 0; index < 3; index += 1) bench.send("reliable");
    bench.clock.advance(1000);
    expect(bench.arrivals.map(({ id, atMs }) => [id, atMs])).toEqual([
      [0, 30],
      [1, 330],
      [2, 330],
    ]);
    expect(bench.pipe.counters).toMatchObject({ dropped: 2, retransmitted: 2, lost: 0 });
    expect(bench.pipe.backlogBytes).toBe(0);
  });

  it("loses and doubles nothing and keeps the order, under anything, over many seeds", () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const conditions: Conditions = {
        latencyMs: 50,
        jitterMs: 40,
        burst: { loss: 0.4, meanBurst: 6 },
        reorder: 0.5,
        duplicate: 0.5,
        bandwidthBytesPerSecond: 20_000,
      };
      const { ids, pipe } = new Bench(conditions, `reliable ${seed}`).stream("reliable", 200, 10);
      expect(ids, `seed "reliable ${seed}"`).toEqual(Array.from({ length: 200 }, (_, id) => id));
      expect(pipe.backlogBytes).toBe(0);
    }
  });

  it("does not hold up the others", () => {
    const bench = new Bench({ latencyMs: 30 });
    bench.pipe.dropNext((packet) => packet.channel === "reliable");
    const stuck = bench.send("reliable");
    const free = bench.send("sequenced");
    bench.clock.advance(30);
    expect(bench.ids).toEqual([free]);
    bench.clock.advance(1000);
    expect(bench.ids).toEqual([free, stuck]);
  });

  it("counts what cannot get across as backlog", () => {
    const bench = new Bench({ latencyMs: 10 });
    bench.pipe.dropNext((packet) => packet.bytes[0] === 0);
    for (let index = 0; index < 5; index += 1) bench.send("reliable", 100);
    bench.clock.advance(50);
    expect(bench.pipe.backlogBytes).toBe(500);
    bench.clock.advance(1000);
    expect(bench.pipe.backlogBytes).toBe(0);
  });
});

describe("bandwidth", () => {
  it("spaces packets by their size", () => {
    const bench = new Bench({ latencyMs: 5, bandwidthBytesPerSecond: 10_000 });
    for (const size of [100, 200, 50]) bench.send("unsequenced", size);
    expect(bench.pipe.backlogBytes).toBe(350);
    bench.clock.advance(20);
    expect(bench.pipe.backlogBytes).toBe(250);
    bench.clock.advance(100);
    expect(bench.arrivals.map(({ atMs }) => atMs)).toEqual([15, 35, 40]);
  });

  it("drops unreliable packets that find the queue full, lets reliable ones wait", () => {
    const bench = new Bench({ bandwidthBytesPerSecond: 10_000, queueBytes: 250 });
    for (let index = 0; index < 5; index += 1) bench.send("unsequenced", 100);
    const reliable = [bench.send("reliable", 100), bench.send("reliable", 100)];
    bench.clock.advance(1000);
    expect(bench.ids).toEqual([0, 1, ...reliable]);
    expect(bench.pipe.counters.tailDropped).toBe(3);
  });

  it("lets through what it says and no more", () => {
    const bench = new Bench({ bandwidthBytesPerSecond: 50_000, queueBytes: 5000 });
    for (let index = 0; index < 1000; index += 1) {
      bench.send("sequenced", 1000);
      bench.clock.advance(10);
    }
    expect(bench.clock.nowMs).toBe(10_000);
    expect(bench.ids.length).toBe(500);
    expect(bench.pipe.counters.tailDropped).toBe(1000 - 500 - bench.pipe.backlogBytes / 1000);
  });

  it("keeps the order when it widens", () => {
    const bench = new Bench({ bandwidthBytesPerSecond: 1000 });
    for (let index = 0; index < 3; index += 1) bench.send("unsequenced", 100);
    bench.pipe.change({});
    bench.send("unsequenced", 100);
    bench.clock.advance(1000);
    expect(bench.ids).toEqual([0, 1, 2, 3]);
  });
});

describe("named and general breaks", () => {
  it("swallows unreliable packets above the path's largest, never reliable ones", () => {
    const bench = new Bench({ mtuBytes: 1200 });
    bench.send("unsequenced", 1200);
    bench.send("unsequenced", 1201);
    bench.send("reliable", 50_000);
    bench.clock.advance(1);
    expect(bench.ids).toEqual([0, 2]);
    expect(bench.pipe.counters.oversized).toBe(1);
  });

  it("drops the packets it is told, as many as it is told", () => {
    const bench = new Bench({});
    const drop = bench.pipe.dropNext(({ bytes }) => bytes[0]! % 2 === 0, 2);
    bench.stream("unsequenced", 8, 1);
    expect(bench.ids).toEqual([1, 3, 4, 5, 6, 7]);
    expect(drop.taken).toBe(2);
    const cancelled = bench.pipe.dropNext(() => true, 5);
    bench.send("unsequenced");
    cancelled.cancel();
    bench.send("unsequenced");
    bench.clock.advance(1);
    expect(bench.ids.at(-1)).toBe(9);
    expect(cancelled.taken).toBe(1);
  });

  it("lets nothing through while cut, and the reliable channel catches up after", () => {
    const bench = new Bench({ latencyMs: 10, retransmitMs: 100 });
    const underWay = bench.send("unsequenced");
    bench.pipe.cut();
    bench.send("unsequenced");
    const reliable = bench.send("reliable");
    bench.clock.advance(5000);
    expect(bench.ids).toEqual([underWay]);
    bench.pipe.mend();
    bench.clock.advance(110);
    expect(bench.ids).toEqual([underWay, reliable]);
  });

  it("takes other conditions while in use", () => {
    const bench = new Bench({ latencyMs: 10 });
    bench.send("unsequenced");
    bench.clock.advance(20);
    bench.pipe.change({ latencyMs: 70 });
    bench.send("unsequenced");
    bench.clock.advance(100);
    bench.pipe.change({ loss: 1 });
    bench.send("unsequenced");
    bench.clock.advance(100);
    expect(bench.delays).toEqual([10, 70]);
  });
});

describe("determinism", () => {
  const rough: Conditions = {
    latencyMs: 50,
    jitterMs: 30,
    burst: { loss: 0.2, meanBurst: 3 },
    reorder: 0.1,
    duplicate: 0.1,
    bandwidthBytesPerSecond: 100_000,
  };

  function schedule(conditions: Conditions, seed: string): Arrival[] {
    const bench = new Bench(conditions, seed);
    for (let index = 0; index < 500; index += 1) {
      bench.send((["reliable", "sequenced", "unsequenced"] as const)[index % 3]!);
      bench.clock.advance(7);
    }
    bench.clock.advance(100_000);
    return bench.arrivals;
  }

  it("the same seed gives the same schedule, another seed another", () => {
    expect(schedule(rough, "one")).toEqual(schedule(rough, "one"));
    expect(schedule(rough, "one")).not.toEqual(schedule(rough, "two"));
  });

  it("a changed share moves its own effect alone", () => {
    const lostOf = (conditions: Conditions) => {
      const { ids } = new Bench(conditions, "apart").stream("unsequenced", 2000, 20);
      return Array.from({ length: 2000 }, (_, id) => id).filter((id) => !ids.includes(id));
    };
    const lost = lostOf({ loss: 0.1 });
    expect(lost.length).toBeGreaterThan(100);
    expect(lostOf({ loss: 0.1, latencyMs: 30, jitterMs: 20, reorder: 0.3, duplicate: 0.3 })).toEqual(lost);
  });
});
