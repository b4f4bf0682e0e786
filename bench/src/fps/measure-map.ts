/**
 * Everything that is measured on one map: the match as played by real clients under the normal view, then its movement played again under the
 * other views, under broadcast, and under `predicted` bounds of equal picture error. The result is plain data, so that a map can be
 * measured in a thread of its own.
 */

import { type Metric, predicted } from "@nearfield/core";
import { hold, linear } from "@nearfield/presentation";
import type { ErrorTally } from "../traces/error-tally.ts";
import { predictedRatio, roundsBetweenSends } from "./cells.ts";
import { boundsOfEqualPicture } from "./equal-picture.ts";
import { heatMapOf, heatMapPng } from "./heat-map.ts";
import { type LivePlayed, type MatchMaker, playLive } from "./live.ts";
import { type Manner, mannerOf, placesOf } from "./manner.ts";
import { type CellBounds, PAPER_VIEWS, type PaperMap, ROUND_MS, type ViewName } from "./paper.ts";
import { POSED, posed } from "./posed.ts";
import type { RecordedRounds, Recording } from "./recording.ts";
import { type Replayed, type ReplayOptions, replay } from "./replay.ts";
import { settingsOf } from "./view-settings.ts";

export interface MapTask {
  readonly map: PaperMap;
  /** Another seed is another match. */
  readonly seed: number;
  readonly seconds: number;
  /** How much of the recorded match is played again under other views, from its beginning; 0: the match is all. */
  readonly replaySeconds: number;
  /** Besides `normal`. */
  readonly views: readonly ViewName[];
  /** Steps of the search for bounds of equal picture error; 0: none. */
  readonly searchSteps: number;
  /**
   * Also ask for more than the same error in each zone: as good as if the paper's clients carried pictures on by the linear model; and with
   * directions bounded, too. Default false.
   */
  readonly asksMore?: boolean;
  /** Rounds of the recording that are handed on. Default 0. */
  readonly keepsRounds?: number;
}

export interface Arena {
  readonly match: MatchMaker;
  /** Whether a bot's avatar stands in a round of a recording; what lies there is on no heat map. */
  readonly stands: (recording: Recording, round: number, bot: number) => boolean;
  readonly isWall: (x: number, y: number) => boolean;
}

export interface MapResult {
  readonly map: PaperMap;
  /** Length of the match, and of the part that was replayed. */
  readonly seconds: number;
  readonly replaySeconds: number;
  readonly clients: number;
  readonly live: LiveResult;
  readonly views: Readonly<Partial<Record<ViewName, ViewResult>>>;
  /** Broadcast through our own codec: payload, and with headers. */
  readonly broadcastBytes: number;
  readonly broadcastWireBytes: number;
  /** Equal to the picture that shows what was last sent; and to one that the linear model carries on under the paper's bounds, too. */
  readonly predicted?: ViewResult;
  readonly predictedStrict?: ViewResult;
  /** Equal as `predicted`, under a metric that bounds directions, too. */
  readonly posed?: ViewResult;
  readonly beginning?: RecordedRounds;
  /** A picture, as PNG. */
  readonly heat: Uint8Array;
  /** How the bots moved about. */
  readonly manner: Manner;
}

/** The match itself, with real clients. */
export type LiveResult = Omit<LivePlayed, "recording">;

/** The same movement under one view. */
export interface ViewResult {
  readonly cells: CellBounds;
  readonly updates: number;
  readonly broadcastUpdates: number;
  readonly bytes: number;
  readonly packets: number;
  readonly wireBytes: number;
  /** By cell: share of the pairs whose avatar changed, which is what broadcast sends of. */
  readonly shares: readonly number[];
  /** What these shares and the time bounds predict. */
  readonly predictedRatio: number;
  /** 99th percentiles of the picture's error by zone and by cell, and of the direction's by cell, in degrees; empty where nobody looked. */
  readonly zoneErrors: readonly number[];
  readonly cellErrors: readonly number[];
  readonly cellTurns: readonly number[];
  readonly overBound: number;
}

/** Rounds at the beginning of a recording that are not counted when it is played again: until acks flow and first pictures stand. */
const WARM_UP = 30;
/** A radian counts as so many units: then directions behind are about as exact as under the paper's bounds. */
const ARM = 15;
/** What share of the errors a percentile does not exceed. */
const SHARE = 0.99;

export function measureMap(task: MapTask, arena: Arena, progress: (line: string) => void): MapResult {
  const { map, seconds } = task;
  progress(`${map.key}: ${seconds} s of play with real clients`);
  const { recording, ...live } = playLive(arena.match, seconds, ROUND_MS);
  const heat = heatMapOf(recording, map.width, map.height, arena.stands);
  const manner = mannerOf(placesOf(recording, arena.stands));
  const picture = heatMapPng(heat, arena.isWall);
  const played = { map, live, seconds: live.seconds, clients: recording.avatars, heat: picture, manner };
  if (task.replaySeconds === 0)
    return { ...played, replaySeconds: 0, views: {}, broadcastBytes: 0, broadcastWireBytes: 0 };
  const again = new Again(recording, Math.round((task.replaySeconds * 1000) / ROUND_MS));
  const beginning = recording.beginning(task.keepsRounds ?? 0);
  return { ...played, beginning, replaySeconds: again.seconds, ...measureAgain(task, again, progress) };
}

type Replays = Pick<
  MapResult,
  "views" | "broadcastBytes" | "broadcastWireBytes" | "predicted" | "predictedStrict" | "posed"
>;

function measureAgain(task: MapTask, again: Again, progress: (line: string) => void): Replays {
  const { map, searchSteps: steps } = task;
  progress(`${map.key}: the same movement under other views`);
  const normal = again.play(PAPER_VIEWS.normal, steps > 0 ? { picture: hold } : {});
  const views = Object.fromEntries(task.views.map((name) => [name, again.play(PAPER_VIEWS[name], { writes: false })]));
  const broadcast = again.play(PAPER_VIEWS.normal, { broadcast: true });
  const { bytes: broadcastBytes, wireBytes: broadcastWireBytes } = broadcast;
  const replays = { views: { normal, ...views }, broadcastBytes, broadcastWireBytes };
  if (steps === 0) return replays;
  progress(`${map.key}: bounds of equal picture error`);
  const predicted = again.predicted(normal.zoneErrors, steps);
  if (task.asksMore !== true) return { ...replays, predicted };
  progress(`${map.key}: pictures that are asked more of`);
  const { zoneErrors } = again.play(PAPER_VIEWS.normal, { picture: linear, writes: false });
  const predictedStrict = again.predicted(zoneErrors, steps);
  return { ...replays, predicted, predictedStrict, posed: again.posed(normal.zoneErrors, steps) };
}

/** Combines several matches on one map: the traffic is added up; everything else is that of the first match. */
export function together([first, ...others]: readonly [MapResult, ...MapResult[]]): MapResult {
  const live = others.reduce((sum, result) => added(sum, result.live), first.live);
  return { ...first, seconds: live.seconds, live };
}

function added(a: LiveResult, b: LiveResult): LiveResult {
  return {
    seconds: a.seconds + b.seconds,
    updates: a.updates + b.updates,
    broadcastUpdates: a.broadcastUpdates + b.broadcastUpdates,
    updatesOf: [...a.updatesOf, ...b.updatesOf],
    frameBytes: a.frameBytes + b.frameBytes,
    eventBytes: a.eventBytes + b.eventBytes,
    reliableBytes: a.reliableBytes + b.reliableBytes,
    packets: a.packets + b.packets,
    wireBytes: a.wireBytes + b.wireBytes,
    broadcastWireBytes: a.broadcastWireBytes + b.broadcastWireBytes,
    otherSends: a.otherSends + b.otherSends,
    ownSends: a.ownSends + b.ownSends,
    overBound: a.overBound + b.overBound,
  };
}

/** A recorded match, or the beginning of it, under one view after another. */
class Again {
  readonly #recording: Recording;
  readonly #rounds: number;

  constructor(recording: Recording, rounds: number) {
    this.#recording = recording;
    this.#rounds = Math.min(rounds, recording.rounds);
  }

  /** What is counted of it. */
  get seconds(): number {
    return ((this.#rounds - WARM_UP) * ROUND_MS) / 1000;
  }

  play(cells: CellBounds, options: Partial<ReplayOptions>): ViewResult {
    const extent = { warmUp: WARM_UP, rounds: this.#rounds };
    const played = replay(this.#recording, { view: settingsOf(cells), cells, ...extent, ...options });
    return resultOf(cells, played);
  }

  /** `predicted` with bounds that give each zone this error. */
  predicted(goals: readonly number[], steps: number): ViewResult {
    return this.#equal(goals, steps, predicted(linear).name);
  }

  /** The same under a metric that bounds directions as well. */
  posed(goals: readonly number[], steps: number): ViewResult {
    return this.#equal(goals, steps, POSED, [posed(this.#recording.type, ARM)]);
  }

  #equal(goals: readonly number[], steps: number, metric: string, metrics: readonly Metric[] = []): ViewResult {
    const play = (cells: CellBounds, writes: boolean): ViewResult =>
      this.play(cells, { view: settingsOf(cells, metric), metrics, picture: linear, writes });
    return play(
      boundsOfEqualPicture(PAPER_VIEWS.normal, goals, steps, (cells) => play(cells, false).zoneErrors),
      true,
    );
  }
}

function resultOf(cells: CellBounds, played: Replayed): ViewResult {
  const { updates, broadcastUpdates, bytes, packets, wireBytes, changedPairs, picture, overBound } = played;
  return {
    cells,
    updates,
    broadcastUpdates,
    bytes,
    packets,
    wireBytes,
    shares: changedPairs.map((count) => count / broadcastUpdates),
    predictedRatio: predictedRatio(changedPairs, roundsBetweenSends(cells, ROUND_MS)),
    zoneErrors: percentiles(picture?.zones),
    cellErrors: percentiles(picture?.errors),
    cellTurns: percentiles(picture?.turns),
    overBound,
  };
}

/** 0 where nobody was. */
function percentiles(tallies: readonly ErrorTally[] = []): number[] {
  return tallies.map((tally) => (tally.count === 0 ? 0 : tally.percentile(SHARE)));
}
