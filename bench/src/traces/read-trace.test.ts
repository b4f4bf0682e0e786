import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { UsageError } from "../benchmark.ts";
import { readTrace } from "./read-trace.ts";
import { nowhere } from "./track.ts";

const folder = mkdtempSync(join(tmpdir(), "nearfield-traces-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const HEAD = "t_ms,id,x,y,z,heading,kind,parent";

describe("readTrace", () => {
  it("reads packed and plain files alike, in world units and from the first row on", async () => {
    const text = `${HEAD}\n500,7,32,64,-32,90,P,\n600,8,0,0,0,,J,7\r\n700,7,64,64,0,180,P,`;
    const packed = await readTrace(file("a.csv.gz", gzipSync(text)), { unit: 1 / 32 });
    expect(packed).toMatchObject({ name: "a.csv.gz", dimensions: 3, hasHeading: true, durationMs: 200 });
    expect([packed.lowest, packed.highest]).toEqual([
      [0, 0, -1],
      [2, 2, 0],
    ]);
    const place = nowhere();
    expect(packed.tracks.map(({ id }) => id)).toEqual(["7", "8"]);
    packed.tracks[0]!.place(100, place);
    expect(place).toMatchObject({ x: 1.5, y: 2, z: -0.5 });
    expect(place.heading).toBeCloseTo((135 / 180) * Math.PI, 12);
    const plain = await readTrace(file("b.csv", text), { unit: 1 / 32 });
    expect({ ...plain, name: packed.name }).toEqual(packed);
  });

  it("takes everything that moves for a player where there are no kinds, in two dimensions", async () => {
    const trace = await readTrace(file("flat.csv", "id,t_ms,y,x\na,0,1,2\na,10,3,4\n"));
    expect(trace).toMatchObject({ dimensions: 2, hasHeading: false, lowest: [2, 1], highest: [4, 3] });
    expect(trace.tracks[0]!.looksFromMs).toBe(0);
  });

  it("reads whom riders ride, but not whose a shot is", async () => {
    const rows = ["0,1,0,0,0,0,P,", "300,1,5,0,0,0,R,9", "600,1,9,0,0,0,R,9", "0,8,0,0,0,,J,1"];
    const trace = await readTrace(file("riders.csv", [HEAD, ...rows].join("\n")));
    expect(trace).toMatchObject({ hasRiders: true, spacingMs: 300 });
    expect(trace.tracks.map(({ ridesAtTimes }) => ridesAtTimes)).toEqual([true, false]);
    const place = nowhere();
    trace.tracks[0]!.place(400, place);
    expect(place.carrier).toBe("9");
    const none = await readTrace(file("still.csv", `${HEAD}\n${rows[3]}`));
    expect(none).toMatchObject({ hasRiders: false, spacingMs: 0 });
  });

  it("passes over what is later than asked for", async () => {
    const trace = await readTrace(file("late.csv", "t_ms,id,x,y\n0,1,0,0\n10,1,1,1\n20,1,9,9\n"), { untilMs: 10 });
    expect(trace).toMatchObject({ durationMs: 10, highest: [1, 1] });
  });

  it.each([
    ["columns.csv", "t_ms,id,x\n", "columns.csv, line 1: lacks the column y; it has t_ms, id, x"],
    ["cells.csv", "t_ms,id,x,y\n0,1,2\n", "cells.csv, line 2: has 3 cells, but the first line 4"],
    ["word.csv", "t_ms,id,x,y\n0,1,2,3\n5,1,two,3\n", 'word.csv, line 3: x is "two", but must be a number'],
    ["gap.csv", "t_ms,id,x,y\n0,1,,3\n", 'gap.csv, line 2: x is "", but must be a number'],
    ["back.csv", "t_ms,id,x,y\n9,1,0,0\n5,1,0,0\n", "back.csv, line 3: goes back in time"],
    ["nobody.csv", "t_ms,id,x,y\n9,,0,0\n", "nobody.csv, line 2: has no id"],
    ["empty.csv", "", "empty.csv, line 1: is empty"],
    ["bare.csv", "t_ms,id,x,y\n", "bare.csv, line 1: has no rows"],
    ["unpacked.csv.gz", "t_ms,id,x,y\n", "is not gzip"],
    ["cut.csv.gz", gzipSync(`t_ms,id,x,y\n${"0,1,0,0\n".repeat(99)}`).subarray(0, 40), "is cut short"],
  ])("says what is wrong with %s", async (name, content, message) => {
    const reading = readTrace(file(name, content));
    await expect(reading).rejects.toThrow(UsageError);
    await expect(reading).rejects.toThrow(message);
  });

  it("says that a file is not there", async () => {
    await expect(readTrace(join(folder, "none.csv.gz"))).rejects.toThrow("there is no such file");
    await expect(readTrace(folder)).rejects.toThrow("is a folder");
  });
});
