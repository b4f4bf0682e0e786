/**
 * Describes how players move, in figures that depend on no map and no unit, so that bots can be compared with recorded people. Places are sampled five
 * times a second; lengths are measured in how far these players usually run in a second.
 *
 * Unevenness depends on the length of the recording: figures can be compared only if players spent about as many seconds per square. That number
 * is printed with them.
 */

import { mean, median } from "../statistics.ts";
import { Kind, type Trace } from "../traces/trace.ts";
import { nowhere } from "../traces/track.ts";
import type { Recording, Stance } from "./recording.ts";

const SAMPLE_MS = 200;
/** A square is as wide as a player runs in this time, ms; who is nearer than this is near, ms. */
const SQUARE_MS = 500;
const NEAR_MS = 1000;
/** Over how many samples a speed is measured. */
const STRIDE = 1000 / SAMPLE_MS;
/** Slower than this share of the fastest tenth, nobody runs; faster than this many times, it was no way but a jump: a birth, a teleporter. */
const STILL = 0.1;
const JUMP = 3;
/** A player who was present for less than this share of the longest presence gets no figures of its own. */
const LEAST_SHARE = 0.5;

export interface Manner {
  readonly players: number;
  /** Player-seconds for each square that anybody was in. */
  readonly secondsInSquare: number;
  /** Share of all time that is spent in the busiest tenth of the squares; and how uneven all of them are, 0 to 1. */
  readonly busiestTenth: number;
  readonly gini: number;
  /** The same of each player's own time and squares, on average. */
  readonly ownTenth: number;
  /** Share of the time in which a player stays where it is. */
  readonly still: number;
  /** How often two are near each other, against where they are at other times: 1 means that they neither seek nor shun each other. */
  readonly together: number;
}

/** By player, then by sample: x and y by turns; NaN while it is nowhere. */
export type Places = readonly Float64Array[];

export function mannerOf(places: Places): Manner {
  const speeds = places.flatMap(speedsOf).sort((a, b) => a - b);
  const fast = speeds[Math.floor(speeds.length * 0.9)] ?? 0;
  const ways = speeds.filter((speed) => speed < JUMP * fast);
  const running = ways.filter((speed) => speed > STILL * fast);
  if (running.length === 0) throw new RangeError("manner: nobody moves");
  const speed = median(running);
  const side = (speed * SQUARE_MS) / 1000;
  const own = places.map((track) => countSquares([track], side));
  const longest = Math.max(...own.map(sum));
  const all = countSquares(places, side);
  return {
    players: places.length,
    secondsInSquare: (sum(all) * SAMPLE_MS) / 1000 / all.length,
    busiestTenth: busiestTenth(all),
    gini: gini(all),
    ownTenth: mean(own.filter((counts) => sum(counts) >= LEAST_SHARE * longest).map(busiestTenth)),
    still: 1 - running.length / ways.length,
    together: together(places, (speed * NEAR_MS) / 1000),
  };
}

/** The places of a recorded match, of those whom `isCounted` counts. */
export function placesOf(
  recording: Recording,
  isCounted: (recording: Recording, round: number, bot: number) => boolean,
): Places {
  const every = Math.max(1, Math.round(SAMPLE_MS / recording.roundMs));
  const samples = Math.floor(recording.rounds / every);
  const stance: Stance = { x: 0, y: 0, heading: 0 };
  return Array.from({ length: recording.avatars }, (_, bot) =>
    track(samples, (sample) => {
      const round = sample * every;
      return recording.stanceAt(round, bot, stance) && isCounted(recording, round, bot) ? stance : undefined;
    }),
  );
}

/** The places of the players of a trace, while they are on foot. */
export function placesIn({ tracks, durationMs }: Trace): Places {
  const samples = Math.floor(durationMs / SAMPLE_MS);
  const place = nowhere();
  return tracks
    .filter(({ looksFromMs }) => looksFromMs < durationMs)
    .map((of) =>
      track(samples, (sample) => {
        const isThere = of.place(sample * SAMPLE_MS, place);
        return isThere && (place.kind === Kind.player || place.kind === Kind.any) ? place : undefined;
      }),
    );
}

function track(
  samples: number,
  at: (sample: number) => { readonly x: number; readonly y: number } | undefined,
): Float64Array {
  const places = new Float64Array(samples * 2).fill(Number.NaN);
  for (let sample = 0; sample < samples; sample++) {
    const place = at(sample);
    if (place === undefined) continue;
    places[sample * 2] = place.x;
    places[sample * 2 + 1] = place.y;
  }
  return places;
}

/** Units per second, over a second each. */
function speedsOf(places: Float64Array): number[] {
  const speeds: number[] = [];
  for (let at = 0; at + 2 * STRIDE < places.length; at += 2) {
    const [dx, dy] = [places[at + 2 * STRIDE]! - places[at]!, places[at + 2 * STRIDE + 1]! - places[at + 1]!];
    const way = Math.sqrt(dx * dx + dy * dy);
    if (!Number.isNaN(way)) speeds.push((way * 1000) / (STRIDE * SAMPLE_MS));
  }
  return speeds;
}

function countSquares(places: Places, side: number): number[] {
  const counts = new Map<string, number>();
  for (const track of places) {
    for (let at = 0; at < track.length; at += 2) {
      if (Number.isNaN(track[at]!)) continue;
      const square = `${Math.floor(track[at]! / side)},${Math.floor(track[at + 1]! / side)}`;
      counts.set(square, (counts.get(square) ?? 0) + 1);
    }
  }
  return [...counts.values()];
}

function busiestTenth(counts: readonly number[]): number {
  const busiest = [...counts].sort((a, b) => b - a).slice(0, Math.max(1, Math.round(counts.length / 10)));
  return sum(busiest) / sum(counts);
}

/** 0: all alike; near 1: one has it all. */
function gini(counts: readonly number[]): number {
  const sorted = [...counts].sort((a, b) => a - b);
  const n = sorted.length;
  return sorted.reduce((total, count, index) => total + (2 * index + 1 - n) * count, 0) / (n * sum(counts));
}

/** Pairs that are near at the same time ÷ pairs that are near when one is seen a quarter, a half, or three quarters of the match later. */
function together(places: Places, near: number): number {
  const samples = places[0]!.length / 2;
  const apart = mean([0.25, 0.5, 0.75].map((share) => nearShare(places, near, Math.floor(share * samples))));
  return nearShare(places, near, 0) / apart;
}

function nearShare(places: Places, near: number, later: number): number {
  const samples = places[0]!.length / 2;
  let [pairs, close] = [0, 0];
  // Once a second is often enough.
  for (let sample = 0; sample < samples; sample += STRIDE) {
    const other = 2 * ((sample + later) % samples);
    for (const a of places) {
      for (const b of places) {
        const [dx, dy] = [a[2 * sample]! - b[other]!, a[2 * sample + 1]! - b[other + 1]!];
        if (a === b || Number.isNaN(dx)) continue;
        pairs += 1;
        if (dx * dx + dy * dy < near * near) close += 1;
      }
    }
  }
  return pairs === 0 ? 0 : close / pairs;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
