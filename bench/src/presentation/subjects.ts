/** The runs the benchmark makes: the paper's own way, ours, and every model under otherwise equal settings. */

import type { NetworkName } from "@nearfield/netlab/internal";
import { accelerated, linear, MOTION_MODELS, type PresenterSettings, Sender } from "@nearfield/presentation";
import type { GenrePreset, GenreSettings, SenderOptions } from "@nearfield/presentation/internal";
import { GENRE_ENTITIES } from "@nearfield/simulation";
import { NearfieldWire } from "./nearfield-wire.ts";
import { Way } from "./network.ts";
import { type PaperRow, paperBytes } from "./paper.ts";
import { PaperReceiver } from "./paper-receiver.ts";
import { play } from "./play.ts";
import { PresenterReceiver } from "./presenter-receiver.ts";
import type { Track } from "./recording.ts";
import type { RunFigures } from "./statistics.ts";
import { PaperWire } from "./wire.ts";

/** The paper's settings, its algorithm, its updates. */
export function playPaper({ network, settings, order }: PaperRow, track: Track, seed: string): RunFigures {
  const { compensationMs, positionMs, orientationMs } = settings;
  return play({
    track,
    sender: new Sender({ model: order === 1 ? linear : accelerated, thresholds: thresholdsOf(settings) }),
    wire: new PaperWire(new Way(network, seed), paperBytes(order, compensationMs)),
    receiver: new PaperReceiver({ order, compensationMs, positionMs, orientationMs }),
  });
}

export interface OurRun {
  readonly figures: RunFigures;
  /** kB per second of packets without an update, and of acks. */
  readonly idle: number;
  readonly acks: number;
  /** All packets per second, and their kB per second with the headers of a data channel. */
  readonly packets: number;
  readonly wire: number;
}

/** Our sender, wire and presenter, under some settings. */
export function playOurs(
  { name }: GenrePreset,
  network: NetworkName,
  settings: GenreSettings,
  track: Track,
  seed: string,
): OurRun {
  const wire = new NearfieldWire(network, seed, GENRE_ENTITIES[name].traits.turnSpeed);
  const figures = play({
    track,
    sender: new Sender({ model: MOTION_MODELS[settings.model], thresholds: thresholdsOf(settings) }),
    wire,
    receiver: new PresenterReceiver(settings),
  });
  const perSecond = (bytes: number): number => bytes / track.seconds / 1000;
  return {
    figures,
    idle: perSecond(wire.idleBytes),
    acks: perSecond(wire.ackBytes),
    packets: wire.packets / track.seconds,
    wire: perSecond(wire.wireBytes),
  };
}

/** A way to show things, whatever the genre. */
export interface Model {
  readonly name: string;
  readonly presenter: PresenterSettings;
  readonly sender?: Partial<SenderOptions>;
  /** Bytes of one update, as the paper counts them. */
  readonly bytes: number;
}

/** Interpolation as the paper runs it: an update every 250 ms, shown 300 ms later than the latency. */
const INTERVAL_MS = 250;
const INTERPOLATION_DELAY_MS = 300;

/** The paper's models, and ours, with the convergence times of the settings and compensation of 0, limited, or all. */
export function modelsFor(settings: GenreSettings, rttMs: number): readonly Model[] {
  const { positionMs, orientationMs, compensationMs, turning } = settings;
  const base = { positionMs, orientationMs, turning } satisfies PresenterSettings;
  const reckoned = (name: "linear" | "quadratic" | "accelerated" | "history", bytes: number): readonly Model[] =>
    (["snap", "linear"] as const).flatMap((convergence) =>
      [0, compensationMs, 2 * rttMs].map((limitMs) => ({
        name: `${name}, ${convergence}, ${limitName(limitMs, compensationMs)}`,
        presenter: { ...base, model: name, convergence, compensationMs: limitMs },
        bytes: bytes + (limitMs > 0 && name !== "history" ? 8 : 0),
      })),
    );
  return [
    { name: "hold, snap", presenter: { ...base, model: "hold", convergence: "snap", compensationMs: 0 }, bytes: 13 },
    ...reckoned("linear", 25),
    ...reckoned("quadratic", 25),
    ...reckoned("accelerated", 33),
    ...reckoned("history", 21),
    {
      name: "interpolation",
      presenter: { ...base, model: "interpolation", deltaMs: rttMs + INTERPOLATION_DELAY_MS, turning: "hold" },
      sender: { model: linear, thresholds: { position: Number.POSITIVE_INFINITY }, longestMs: INTERVAL_MS },
      bytes: 21,
    },
  ];
}

function limitName(limitMs: number, limited: number): string {
  if (limitMs === 0) return "none";
  return limitMs === limited ? `${limitMs} ms` : "all";
}

/** A model with the paper's update sizes, so that models are compared and not wires. */
export function playModel(
  model: Model,
  settings: GenreSettings,
  network: NetworkName,
  track: Track,
  seed: string,
): RunFigures {
  const name = model.presenter.model;
  const senderModel = typeof name === "string" && name !== "interpolation" ? MOTION_MODELS[name] : linear;
  return play({
    track,
    sender: new Sender({ model: senderModel, thresholds: thresholdsOf(settings), ...model.sender }),
    wire: new PaperWire(new Way(network, seed), model.bytes),
    receiver: new PresenterReceiver(model.presenter),
  });
}

function thresholdsOf({ positionThreshold, angleThreshold }: GenreSettings): SenderOptions["thresholds"] {
  return { position: positionThreshold, angle: angleThreshold };
}
