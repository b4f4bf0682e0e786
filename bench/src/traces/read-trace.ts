/**
 * Reads a movement trace: `t_ms,id,x,y[,z][,heading][,kind][,parent…]`, csv or csv.gz, line by line as it is unpacked. Columns are found by their
 * names, further ones are passed over. What is wrong with a file is said with its line, and ends the reading.
 */

import { createReadStream } from "node:fs";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { UsageError } from "../benchmark.ts";
import { median } from "../statistics.ts";
import { KIND_LETTERS, Kind, type Trace } from "./trace.ts";
import { type Row, Track } from "./track.ts";

export interface ReadOptions {
  /** Length of one unit of the trace in world units. Default 1. */
  readonly unit?: number;
  /** Rows later than this after the first one are passed over. Default: none are. */
  readonly untilMs?: number;
}

const REQUIRED = ["t_ms", "id", "x", "y"] as const;
const OPTIONAL = ["z", "heading", "kind", "parent"] as const;
type ColumnName = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number];
/** Where a column stands; −1 for one that the file does not have. */
type Places = Readonly<Record<ColumnName, number>>;

const DEGREE = Math.PI / 180;

export async function readTrace(path: string, options: ReadOptions = {}): Promise<Trace> {
  const reading = new Reading(basename(path), options);
  let rest = "";
  try {
    for await (const chunk of open(path)) {
      const lines = (rest + (chunk as string)).split(/\r?\n/);
      rest = lines.pop()!;
      for (const line of lines) reading.take(line);
    }
    if (rest !== "") reading.take(rest);
  } catch (error) {
    throw asUsageError(error, path);
  }
  return reading.finish();
}

function open(path: string): Readable {
  const file = createReadStream(path);
  if (!path.endsWith(".gz")) return file.setEncoding("utf8");
  const unpacked = createGunzip();
  file.on("error", (error) => unpacked.destroy(error));
  return file.pipe(unpacked).setEncoding("utf8");
}

function asUsageError(error: unknown, path: string): unknown {
  if (error instanceof UsageError || !(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return new UsageError(`${path}: there is no such file`);
  if (code === "EISDIR") return new UsageError(`${path}: is a folder`);
  if (code?.startsWith("Z_") === true)
    return new UsageError(`${path}: is not gzip, or is cut short (${error.message})`);
  return new UsageError(`${path}: cannot be read (${error.message})`);
}

class Reading {
  readonly #name: string;
  readonly #unit: number;
  readonly #untilMs: number;
  readonly #rows = new Map<string, Row[]>();
  #line = 0;
  #places: Places | undefined;
  #columns = 0;
  #startMs = Number.NaN;
  #lastMs = 0;

  constructor(name: string, { unit = 1, untilMs = Number.POSITIVE_INFINITY }: ReadOptions) {
    this.#name = name;
    this.#unit = unit;
    this.#untilMs = untilMs;
  }

  take(line: string): void {
    this.#line += 1;
    if (this.#line === 1) this.#head(line);
    else if (line !== "") this.#row(line);
  }

  finish(): Trace {
    const { z, heading } = this.#places ?? this.#fail("is empty");
    const tracks = Array.from(this.#rows, ([id, rows]) => new Track(id, rows));
    if (tracks.length === 0) this.#fail("has no rows");
    const axes = z < 0 ? (["x", "y"] as const) : (["x", "y", "z"] as const);
    const rows = [...this.#rows.values()].flat();
    const over = (pick: (...values: number[]) => number): number[] =>
      axes.map((axis) => rows.reduce((found, row) => pick(found, row[axis]), rows[0]![axis]));
    return {
      name: this.#name,
      tracks,
      dimensions: axes.length,
      hasHeading: heading >= 0,
      hasRiders: tracks.some(({ ridesAtTimes }) => ridesAtTimes),
      spacingMs: usual(tracks.flatMap((track) => track.gapsMs())),
      durationMs: this.#lastMs,
      lowest: over(Math.min),
      highest: over(Math.max),
    };
  }

  #head(line: string): void {
    const names = line.replace(/^\uFEFF/, "").split(",");
    const missing = REQUIRED.filter((name) => !names.includes(name));
    if (missing.length > 0) this.#fail(`lacks the column ${missing.join(", ")}; it has ${names.join(", ")}`);
    this.#columns = names.length;
    this.#places = Object.fromEntries([...REQUIRED, ...OPTIONAL].map((name) => [name, names.indexOf(name)])) as Places;
  }

  #row(line: string): void {
    const cells = line.split(",");
    if (cells.length !== this.#columns) this.#fail(`has ${cells.length} cells, but the first line ${this.#columns}`);
    const places = this.#places!;
    const rawMs = this.#number(cells, "t_ms");
    if (Number.isNaN(this.#startMs)) this.#startMs = rawMs;
    const ms = rawMs - this.#startMs;
    if (ms > this.#untilMs) return;
    const id = cells[places.id]!;
    if (id === "") this.#fail("has no id");
    const kind = places.kind < 0 ? Kind.any : (KIND_LETTERS[cells[places.kind]!] ?? Kind.thing);
    const row: Row = {
      ms,
      kind,
      carrier: kind === Kind.rider ? (cells[places.parent] ?? "") : "",
      x: this.#number(cells, "x") * this.#unit,
      y: this.#number(cells, "y") * this.#unit,
      z: places.z < 0 ? 0 : this.#number(cells, "z") * this.#unit,
      heading:
        cells[places.heading] === undefined || cells[places.heading] === ""
          ? 0
          : this.#number(cells, "heading") * DEGREE,
    };
    this.#lastMs = Math.max(this.#lastMs, ms);
    this.#add(id, row);
  }

  #add(id: string, row: Row): void {
    const rows = this.#rows.get(id);
    if (rows === undefined) {
      this.#rows.set(id, [row]);
      return;
    }
    const before = rows.at(-1)!;
    if (row.ms < before.ms)
      this.#fail(`goes back in time: ${id} was at ${before.ms} ms after the start, now ${row.ms}`);
    if (row.ms === before.ms) rows.pop();
    rows.push(row);
  }

  #number(cells: readonly string[], name: ColumnName): number {
    const cell = cells[this.#places![name]]!;
    const value = cell === "" ? Number.NaN : Number(cell);
    if (!Number.isFinite(value)) this.#fail(`${name} is "${cell}", but must be a number`);
    return value;
  }

  #fail(what: string): never {
    throw new UsageError(`${this.#name}, line ${Math.max(1, this.#line)}: ${what}`);
  }
}

function usual(gapsMs: readonly number[]): number {
  return gapsMs.length === 0 ? 0 : median(gapsMs);
}
