import { BitReader, BitWriter } from "@nearfield/schema/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ACK_WINDOW, Arrivals, MAX_ACK_RUNS, readPacketAck, writePacketAck } from "./arrivals.ts";

describe("arrivals", () => {
  it("say nothing before the first packet", () => {
    expect(new Arrivals().ack()).toEqual({ newest: 0, runs: [] });
  });

  it("are told as runs from the newest downward", () => {
    const arrivals = new Arrivals();
    for (const packet of [0, 1, 2, 5, 7, 6]) arrivals.admit(packet);
    expect(arrivals.ack()).toEqual({ newest: 7, runs: [3, 2, 3] });
  });

  it("are final once told: what comes after an ack passed it over is used, yet stays missing", () => {
    const arrivals = new Arrivals();
    for (const packet of [0, 3]) arrivals.admit(packet);
    expect([arrivals.has(2), arrivals.admit(2)]).toEqual([false, true]);
    expect(arrivals.ack().runs).toEqual([2, 1, 1]);
    expect([arrivals.has(1), arrivals.admit(1), arrivals.has(1)]).toEqual([false, false, true]);
    expect(arrivals.ack().runs).toEqual([2, 1, 1]);
    expect([arrivals.has(4), arrivals.admit(4)]).toEqual([false, true]);
    expect(arrivals.ack().runs).toEqual([3, 1, 1]);
  });

  it("count a packet as missing that comes after one which builds on it", () => {
    const arrivals = new Arrivals();
    for (const packet of [0, 4]) arrivals.admit(packet);
    arrivals.passOver(2);
    expect([2, 1, 3].map((packet) => arrivals.admit(packet))).toEqual([false, false, true]);
    expect(arrivals.ack()).toEqual({ newest: 4, runs: [2, 2, 1] });
  });

  it("agree with a plain set over any order, and survive the wire", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3000), { maxLength: 400 }), (packets) => {
        const arrivals = new Arrivals();
        const seen = new Set<number>();
        let newest = -1;
        for (const packet of packets) {
          const expected = packet > newest - ACK_WINDOW && !seen.has(packet);
          expect(!arrivals.has(packet)).toBe(expected);
          if (!expected) continue;
          expect(arrivals.admit(packet)).toBe(true);
          seen.add(packet);
          newest = Math.max(newest, packet);
        }
        const ack = arrivals.ack();
        const w = new BitWriter();
        writePacketAck(w, ack);
        expect(readPacketAck(new BitReader(w.finish()))).toEqual(ack);
        expect(ack.runs.length).toBeLessThanOrEqual(MAX_ACK_RUNS);
        eachAcked(newest, ack.runs, 0, (arrived, packet) => expect(arrived).toBe(seen.has(packet)));
      }),
    );
  });

  it("refuses an ack of more runs or packets than there can be", () => {
    const write = (runs: number[]): BitReader => {
      const w = new BitWriter();
      writePacketAck(w, { newest: 1, runs });
      return new BitReader(w.finish());
    };
    expect(() => readPacketAck(write(new Array(MAX_ACK_RUNS + 1).fill(1)))).toThrow(/runs/);
    expect(() => readPacketAck(write([ACK_WINDOW, 1]))).toThrow(/at most/);
  });
});

/** Tells, from packet `newest` downward but not past `oldest`, whether each packet arrived. */
function eachAcked(
  newest: number,
  runs: readonly number[],
  oldest: number,
  each: (arrived: boolean, packet: number) => void,
): void {
  let packet = newest;
  for (let run = 0; run < runs.length && packet >= oldest; run++) {
    for (let left = runs[run]!; left > 0 && packet >= oldest; left--) each(run % 2 === 0, packet--);
  }
}
