/** A recorded network from a file: read within bounds, refused in words, told by its facts, and replayed to the same figures. */
import { gzipSync } from "node:zlib";
import { Keys } from "@nearfield/simulation";
import type { ControlInput } from "@nearfield/simulation/internal";
import { describe, expect, test } from "vitest";
import { readCsvFile } from "../../web/simulator/csv-file.ts";
import {
  clockOf,
  factsOf,
  momentOf,
  openTrace,
  problemOf,
  profileOf,
  toldBy,
} from "../../web/simulator/network-trace.ts";
import { DEFAULT_SETTINGS, withNetwork } from "../../web/simulator/settings.ts";
import { Workbench } from "../../web/simulator/workbench.ts";
import { NETWORK_ROWS, networkCsv } from "./network-csv.ts";

const file = (content: BlobPart, name = "network.csv"): File => new File([content], name);
const right = (): ControlInput => ({ keys: Keys.right, targetX: 0, targetY: 0 });
const left = (): ControlInput => ({ keys: Keys.left, targetX: 0, targetY: 0 });

/** What the page would say of a file. */
async function problemWith(content: BlobPart, name: string, mostBytes?: number): Promise<string | undefined> {
  try {
    if (mostBytes === undefined) await openTrace(file(content, name));
    else await readCsvFile(file(content, name), mostBytes);
  } catch (error) {
    return problemOf(error) ?? "a fault of the page";
  }
  return undefined;
}

describe("a file", () => {
  test("is read plain or packed, whatever it is called, without the mark of its encoding", async () => {
    const text = "t_ms,rtt_ms\n0,20\n";
    expect(await readCsvFile(file(text))).toBe(text);
    expect(await readCsvFile(file(gzipSync(text), "network.txt"))).toBe(text);
    expect((await openTrace(file(`\uFEFF${text}`))).trace.meanDelayMs).toBe(20);
  });

  test("is read no further than may be, packed or not", async () => {
    const zeros = new Uint8Array(3_000_000).fill(48);
    expect(await problemWith(zeros, "large.csv", 1024 * 1024)).toContain("large.csv has 3 MB; at most 1 can be read");
    // Three megabytes in three kilobytes.
    expect(await problemWith(gzipSync(zeros), "bomb.csv.gz", 1024 * 1024)).toContain("unpacks to more than 1 MB");
  });

  test.each<[string, BlobPart, string]>([
    ["cut.csv.gz", gzipSync(networkCsv()).subarray(0, 60), "cut.csv.gz cannot be unpacked: it is damaged or cut short"],
    ["photo.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0]), "photo.png is no text. Choose a csv"],
    ["empty.csv", "", "empty.csv, line 1: a head line and at least one row are needed"],
    ["pings.csv", "t_ms,id,ping_ms\n0,1,20\n", "the columns are t_ms,id,ping_ms, but one of rtt_ms"],
    ["walk.csv", "t_ms,id,x,y\n0,1,2,3\n", "A network recording is a csv whose first line names t_ms"],
    ["gap.csv", "t_ms,rtt_ms\n0,20\n0,30\n", "gap.csv, line 3: t_ms is 0, but must be above 0"],
    ["epoch.csv", "t_ms,rtt_ms\n1700000000000,20\n1700000000020,30\n", "t_ms must be milliseconds since its start"],
  ])("%s is refused in words", async (name, content, words) => {
    expect(await problemWith(content, name)).toContain(words);
  });
});

describe("a recorded network", () => {
  test("says what it measures, and what it leaves to the settings", async () => {
    const open = await openTrace(file(networkCsv()));
    expect(toldBy(open)).toEqual({ delay: true, loss: true, bandwidth: false });
    expect(toldBy(undefined)).toEqual({ delay: false, loss: false, bandwidth: false });
    expect(factsOf(open)).toEqual([
      ["Length", clockOf(NETWORK_ROWS * 100)],
      ["Round trip", "170 ms on average"],
      ["Loss", "10.00 % on average"],
      ["Bandwidth", "as set below"],
    ]);
    expect(momentOf(open, 0)).toBe("at 0.0 s · 40 ms · 0 % lost");
    expect(momentOf(open, 3100)).toBe("at 3.1 s · 300 ms · 20 % lost");
    const packets = await openTrace(file("t_ms,packets_1500B\n0,1\n9,1\n"));
    expect(factsOf(packets).at(-1)).toEqual(["Bandwidth", "2.4 Mbit/s on average"]);
    expect(momentOf(packets, 12)).toBe("at 0.0 s · 2.4 Mbit/s");
    expect([9_999, 10_000, 65_000, 3_725_000].map(clockOf)).toEqual(["10.0 s", "0:10", "1:05", "1:02:05"]);
  });

  test("has a curve of its delay, or else of its bandwidth", async () => {
    const open = await openTrace(file(networkCsv()));
    const { of, most, means, peaks, losses } = profileOf(open, 10);
    expect([of, most, means.length]).toEqual(["delay", 300, 10]);
    expect([means[0], means.at(-1)]).toEqual([expect.closeTo(40 / 300), expect.closeTo(1)]);
    expect([peaks[0], peaks.at(-1)]).toEqual([40 / 300, 1]);
    expect([losses[0], losses.at(-1)]).toEqual([0, expect.closeTo(0.2)]);
    const rates = profileOf(await openTrace(file("t_ms,bw_mbps\n0,4\n10,8\n")), 2);
    expect([rates.of, rates.most]).toEqual(["bandwidth", expect.closeTo(1000)]);
    expect(rates.means).toEqual([expect.closeTo(0.5), expect.closeTo(1)]);
  });

  test("is replayed in the place of the settings' network, from where one says, again and again alike", async () => {
    const open = await openTrace(file(networkCsv()));
    const play = (fromS: number): Workbench => {
      const bench = new Workbench({
        ...withNetwork(DEFAULT_SETTINGS, "gprs"),
        bandwidthKbits: 0,
        replayFromS: fromS,
      });
      bench.replay(open);
      // To and fro, so that there is much to send.
      for (let frame = 0; frame < 120; frame++) bench.tick(frame % 20 < 10 ? right : left);
      return bench;
    };
    const early = play(0);
    const late = play(3);
    const ageOf = ({ simulation }: Workbench): number =>
      simulation.received.at(-1)!.atMs - simulation.received.at(-1)!.timeMs;
    // The round trip of its row, and not the 916 ms of GPRS.
    expect(ageOf(early)).toBeCloseTo(40);
    expect(ageOf(late)).toBeCloseTo(300);
    expect(early.simulation.lost).toBe(0);
    expect(late.simulation.lost).toBeGreaterThan(0);
    expect([early.replayMs, late.replayMs].map(Math.round)).toEqual([2000, 5000]);
    expect(play(3).simulation.statistics.figures()).toEqual(late.simulation.statistics.figures());
  });

  test("gives way to the settings again, and starts over where it is sought", async () => {
    const bench = new Workbench({ ...DEFAULT_SETTINGS, latencyMs: 0, jitterPercent: 0 });
    bench.replay(await openTrace(file(networkCsv())));
    for (let frame = 0; frame < 30; frame++) bench.tick(right);
    bench.change({ ...bench.settings, replayFromS: 4 });
    expect(bench.replayMs).toBe(4000);
    bench.replay(undefined);
    for (let frame = 0; frame < 30; frame++) bench.tick(right);
    const { timeMs, atMs } = bench.simulation.received.at(-1)!;
    expect(atMs - timeMs).toBeLessThan(20);
  });
});
