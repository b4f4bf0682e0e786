import type { Channel } from "@nearfield/transport/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConditionedPipe } from "./conditioned-pipe.ts";
import type { Conditions } from "./conditions.ts";
import { Dice } from "./dice.ts";
import { LabError } from "./lab-error.ts";
import { networkPresets, replayed } from "./network-presets.ts";
import { NetworkTrace, parseNetworkTrace } from "./trace-conditions.ts";
import { VirtualClock } from "./virtual-clock.ts";

const csv = (...lines: string[]): string => lines.join("\n");
const sessions = parseNetworkTrace(csv("t_ms,rtt_ms,loss,bw_mbps", "0,20,0,8", "10,40,0.5,0", "20,60,1,16"));
const opportunities = parseNetworkTrace(csv("t_ms,packets_1500B", "2,1", "3,2", "7,1"));

describe("a recording of round trips, loss and bandwidth", () => {
  it("tells half of the round trip, and the loss, of the row that holds", () => {
    expect([0, 9.9, 10, 25].map((timeMs) => sessions.delayMsAt(timeMs))).toEqual([10, 10, 20, 30]);
    expect([0, 10, 20].map((timeMs) => sessions.lossAt(timeMs))).toEqual([0, 0.5, 1]);
    expect([sessions.tellsDelay, sessions.tellsLoss, sessions.tellsBandwidth]).toEqual([true, true, true]);
    expect(sessions.meanDelayMs).toBe(20);
  });

  it("ends a step after its last row, and begins again", () => {
    expect(sessions.durationMs).toBe(30);
    expect([30, 41, 59].map((timeMs) => sessions.delayMsAt(timeMs))).toEqual([10, 20, 30]);
  });

  it("lets bytes pass at the rate of the row, and none where it is 0", () => {
    // 8 Mbit/s are 1,000 bytes a ms.
    expect(sessions.departureMs(0, 5000)).toBeCloseTo(5);
    expect(sessions.departureMs(0, 10_000)).toBeCloseTo(10);
    expect(sessions.departureMs(5, 7000)).toBeCloseTo(21);
    expect(sessions.departureMs(12, 0)).toBe(12);
    expect(sessions.departureMs(29, 3000)).toBeCloseTo(31);
    // 30,000 bytes each time around.
    expect(sessions.departureMs(0, 91_000)).toBeCloseTo(91);
  });
});

describe("a recording of another path", () => {
  it("takes the share of the round trip that one names", () => {
    const whole = parseNetworkTrace(csv("t_ms,rtt_ms", "0,20", "10,40"), "pings", { roundTripShare: 1 });
    expect([whole.delayMsAt(0), whole.delayMsAt(10), whole.meanDelayMs]).toEqual([20, 40, 30]);
    expect(() => parseNetworkTrace("t_ms,rtt_ms\n0,20", "pings", { roundTripShare: 2 })).toThrow("roundTripShare is 2");
  });

  it("tells what is lost on average, and what could pass", () => {
    expect(sessions.meanLoss).toBe(0.5);
    expect([sessions.bytesBetween(0, 30), sessions.bytesBetween(5, 25)]).toEqual([30_000, 15_000]);
    expect(opportunities.bytesBetween(0, 8)).toBe(6000);
    expect(parseNetworkTrace("t_ms,rtt_ms\n0,20").bytesBetween(0, 1)).toBe(Number.POSITIVE_INFINITY);
  });

  it("is quoted in short however long a line is", () => {
    const long = "x".repeat(100_000);
    for (const text of [`${long}\n1`, `t_ms,rtt_ms\n0,${long}`]) {
      expect(() => parseNetworkTrace(text)).toThrow(/^.{1,300}$/);
    }
  });
});

describe("a recording of delivery opportunities", () => {
  it("lets full packets pass in their millisecond, and nothing between", () => {
    expect([opportunities.tellsDelay, opportunities.tellsLoss]).toEqual([false, false]);
    expect(opportunities.durationMs).toBe(8);
    expect(opportunities.departureMs(0, 1500)).toBeCloseTo(3);
    expect(opportunities.departureMs(0, 750)).toBeCloseTo(2.5);
    expect(opportunities.departureMs(3.5, 3000)).toBeCloseTo(8);
    expect(opportunities.departureMs(4, 1)).toBeCloseTo(7 + 1 / 1500);
  });
});

describe("a recording of probes", () => {
  const text = csv("t_ms,rtt_ms,lost", "0,40,0", "100,,1", "5100,-1.0,0", "5200,60,0", "5300,80,0");
  const probes = parseNetworkTrace(text);

  it("cuts out what nobody saw while a lost probe was waited for", () => {
    expect(probes.durationMs).toBe(500);
    expect([0, 100, 200, 300, 400].map((timeMs) => probes.lossAt(timeMs))).toEqual([0, 1, 0, 0, 0]);
  });

  it("holds the last answer where there was none", () => {
    expect([0, 100, 200, 300, 400].map((timeMs) => probes.delayMsAt(timeMs))).toEqual([20, 20, 20, 30, 40]);
    const late = parseNetworkTrace(csv("t_ms,rtt_ms,lost", "0,,1", "100,40,0"));
    expect(late.delayMsAt(0)).toBe(20);
  });
});

it("reads columns in any order, passes others over, and takes either line end", () => {
  const trace = parseNetworkTrace("note,loss,t_ms\r\nfirst,0.25,0\r\n,0.5,10\r\n");
  expect([trace.lossAt(5), trace.lossAt(15), trace.durationMs]).toEqual([0.25, 0.5, 20]);
});

/** Rows of random steps and rates, of which some pass nothing. */
const rated = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom(0, 0, 1, 3, 8)), { minLength: 1, maxLength: 12 })
  .filter((rows) => rows.some(([, rate]) => rate > 0))
  .map((rows) => {
    let timeMs = 0;
    return rows.map(([stepMs, rate]) => {
      timeMs += stepMs;
      return `${timeMs - stepMs},${rate}`;
    });
  });

it("lets nothing pass sooner than in one piece, or out of order", () => {
  const property = fc.property(
    rated,
    fc.constantFrom("bw_mbps", "packets_1500B"),
    fc.nat({ max: 200 }),
    fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 8 }),
    (rows, column, startMs, sizes) => {
      const trace = parseNetworkTrace(csv(`t_ms,${column}`, ...rows));
      let timeMs = startMs;
      for (const bytes of sizes) {
        const nextMs = trace.departureMs(timeMs, bytes);
        expect(nextMs).toBeGreaterThan(timeMs);
        timeMs = nextMs;
      }
      const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
      expect(timeMs).toBeCloseTo(trace.departureMs(startMs, total), 6);
      expect(trace.departureMs(startMs + trace.durationMs, total)).toBeCloseTo(timeMs + trace.durationMs, 6);
    },
  );
  fc.assert(property);
});

it("is refused, or lets a packet leave at a finite time, whatever its cells hold", () => {
  const cell = fc.constantFrom(
    "0",
    "1",
    "7",
    "5e-324",
    "1e-300",
    "1e300",
    "1e15",
    "-1",
    "",
    "NaN",
    "0.5",
    "0x10",
    " 9 ",
  );
  const table = fc.tuple(fc.subarray(["t_ms", "rtt_ms", "loss", "lost", "bw_mbps", "packets_1500B"]), fc.array(cell));
  const property = fc.property(table, ([columns, cells]) => {
    const width = Math.max(1, columns.length);
    const rows = Array.from({ length: Math.ceil(cells.length / width) }, (_, row) =>
      cells.slice(row * width, (row + 1) * width).join(","),
    );
    try {
      const trace = parseNetworkTrace(csv(columns.join(","), ...rows));
      expect(trace.departureMs(1e6, 1500)).toBeLessThan(Number.POSITIVE_INFINITY);
    } catch (error) {
      expect(error).toBeInstanceOf(LabError);
    }
  });
  fc.assert(property);
});

describe("a wrong recording is refused, by the line", () => {
  it.each([
    ["", "line 1: a head line and at least one row are needed"],
    ["t_ms,rtt_ms", "line 1: a head line and at least one row are needed"],
    [csv("time,rtt_ms", "0,1"), "line 1: the columns are time,rtt_ms, but t_ms is needed"],
    [csv("t_ms,other", "0,1"), "line 1: the columns are t_ms,other, but one of rtt_ms, loss, lost"],
    [csv("t_ms,loss,lost", "0,0,0"), "loss and lost exclude each other"],
    [csv("t_ms,bw_mbps,packets_1500B", "0,1,1"), "bw_mbps and packets_1500B exclude each other"],
    [csv("t_ms,rtt_ms", "0,20", "5,fast"), 'line 3: rtt_ms is "fast", but must be a number'],
    [csv("t_ms,rtt_ms", "0,20", "5"), 'line 3: rtt_ms is "", but must be a number'],
    [csv("t_ms,loss", "0,0", "1,", "2,0"), 'line 3: loss is "", but must be a number'],
    [csv("t_ms,loss", "0,0", "", "2,0"), 'line 3: t_ms is "", but must be a number'],
    [csv("t_ms,loss", "0,1.5"), 'line 2: loss is "1.5", but must be a share from 0 to 1'],
    [csv("t_ms,lost", "0,0.5"), 'line 2: lost is "0.5", but must be 0 or 1'],
    [csv("t_ms,bw_mbps", "0,-1"), 'line 2: bw_mbps is "-1", but must be 0 or more'],
    [csv("t_ms,packets_1500B", "0,1.5"), 'line 2: packets_1500B is "1.5", but must be a whole number'],
    [csv("t_ms,bw_mbps", "0,Infinity"), 'line 2: bw_mbps is "Infinity", but must be a number'],
    [csv("t_ms,loss", "5,0", "9,0", "9,0"), "line 4: t_ms is 9, but must be above 9"],
    [csv("t_ms,loss", "-5,0"), 'line 2: t_ms is "-5", but must be 0 or more'],
    [csv("t_ms,rtt_ms", "0,", "1,-1"), "lines 2 to 3: no row has a round trip"],
    [csv("t_ms,bw_mbps", "0,0", "1,0"), "lines 2 to 3: nothing ever passes"],
    [csv("t_ms,bw_mbps", "0,1e-300", "1,0"), "lines 2 to 3: nothing ever passes"],
  ])("%j", (text, message) => {
    expect(() => parseNetworkTrace(text, "net.csv")).toThrow(LabError);
    expect(() => parseNetworkTrace(text, "net.csv")).toThrow(message);
    expect(() => parseNetworkTrace(text, "net.csv")).toThrow(/^net\.csv, line/);
  });
});

/** Sends packets of 1,000 bytes through a pipe, one each at the given times; when which of them arrived. */
function arrivals(
  conditions: Conditions,
  sendMs: readonly number[],
  seed = "replay",
  channel: Channel = "unsequenced",
) {
  const clock = new VirtualClock();
  const pipe = new ConditionedPipe(clock, new Dice(seed), conditions);
  const came: [packet: number, atMs: number][] = [];
  for (const [packet, timeMs] of sendMs.entries()) {
    clock.at(timeMs, () => {
      const deliver = () => void came.push([packet, clock.nowMs]);
      pipe.push({ channel, bytes: new Uint8Array(), frameBytes: 1000, deliver });
    });
  }
  clock.advance(100_000);
  return came;
}

describe("in a pipe", () => {
  it("delays, loses and holds back as recorded, whatever else is said", () => {
    // Leaves after 1 ms; the third waits through the outage from 10 to 20 ms, and leaves into a network that loses everything.
    const came = arrivals({ trace: sessions, latencyMs: 500, loss: 1, bandwidthBytesPerSecond: 1 }, [0, 5, 9.5, 30]);
    expect(came).toEqual([
      [0, 11],
      [1, 16],
      [3, 41],
    ]);
  });

  it("begins where it is told", () => {
    expect(arrivals({ trace: sessions, traceStartMs: 20 }, [0])).toEqual([]);
    expect(arrivals({ trace: sessions, traceStartMs: 3000 }, [0])).toEqual([[0, 11]]);
  });

  it("leaves to the conditions what it does not tell", () => {
    expect(arrivals({ trace: opportunities, latencyMs: 40 }, [0])).toEqual([[0, expect.closeTo(42 + 2 / 3)]]);
    expect(arrivals({ trace: opportunities, loss: 1 }, [0])).toEqual([]);
  });

  it("loses the recorded share, by the seed", () => {
    const trace = parseNetworkTrace(csv("t_ms,loss", "0,0.2", "100,0.4"));
    const sendMs = Array.from({ length: 20_000 }, (_, index) => index);
    const came = arrivals({ trace }, sendMs);
    expect(1 - came.length / sendMs.length).toBeCloseTo(0.3, 2);
    expect(arrivals({ trace }, sendMs)).toEqual(came);
    expect(arrivals({ trace }, sendMs, "other")).not.toEqual(came);
  });

  it("sends reliable packets again, two recorded round trips later at the least", () => {
    const trace = parseNetworkTrace(csv("t_ms,rtt_ms,loss", "0,200,1", "10,200,0", "1000,200,0"));
    expect(arrivals({ trace }, [0], "replay", "reliable")).toEqual([[0, 500]]);
  });
});

describe("replayed", () => {
  it("takes one recording for both ways or one for each, and the preset for the rest", () => {
    const { lte } = networkPresets;
    const both = replayed(lte, sessions, 500);
    expect(both.up).toEqual({ ...lte.up, trace: sessions, traceStartMs: 500 });
    expect(both.down).toEqual({ ...lte.down, trace: sessions, traceStartMs: 500 });
    const down = replayed(lte, { down: opportunities });
    expect(down.up).toBe(lte.up);
    expect(down.down.trace).toBe(opportunities);
    expect(down.down.latencyMs).toBe(lte.down.latencyMs);
    expect(down.down.trace).toBeInstanceOf(NetworkTrace);
  });
});
