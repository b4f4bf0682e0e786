/**
 * Networks by name, for scenarios: the mobile networks of the Neutron study (N tab. 2.2) and those of today. Each is a pair of `Conditions`,
 * so `lab.join("ann", networkPresets.umts)` is all you write. Delays are one way: half of the round trip that the sources give. If the study
 * gives only an upper limit of the loss ("below 5 %"), the preset uses that limit.
 */

import type { Conditions } from "./conditions.ts";
import { NetworkTrace } from "./trace-conditions.ts";

/** Two seconds of a slow network wait before its narrowest part, and never less than two full packets. */
const QUEUE_S = 2;
const LEAST_QUEUED_BYTES = 3000;
const MOST_QUEUED_BYTES = 64 * 1024;

export type NetworkName = "gprsMobile" | "gprs" | "umts" | "wired" | "wifi" | "lte" | "satellite";

/** What a preset says of one direction; everything else is the conditioner's default. */
export interface PresetConditions extends Conditions {
  readonly latencyMs: number;
  readonly jitterShare: number;
  readonly bandwidthBytesPerSecond: number;
}

export interface NetworkPreset {
  readonly name: NetworkName;
  /** Its name in a menu. */
  readonly title: string;
  /** The round trip without spread, in ms. */
  readonly rttMs: number;
  /** Share of packets lost, each way, and how many in a row on average: 1 where each is lost on its own. */
  readonly loss: number;
  readonly meanBurst: number;
  /** From client to server. */
  readonly up: PresetConditions;
  /** From server to client. */
  readonly down: PresetConditions;
}

interface Figures {
  readonly title: string;
  readonly rttMs: number;
  /** ± this share of the delay. */
  readonly jitterShare: number;
  readonly loss: number;
  /** Mean number of packets lost in a row; 1: each on its own. */
  readonly meanBurst: number;
  readonly downKbits: number;
  readonly upKbits: number;
}

/**
 * Those of today stand near the means of public recordings: Wi-Fi and 4G of cloud gaming sessions, satellite of an hour of Starlink pings
 * (low orbit). Their spread is that of the middle nine tenths; for the tails, replay a recording.
 */
const FIGURES: Readonly<Record<NetworkName, Figures>> = {
  gprsMobile: {
    title: "GPRS, on the move",
    rttMs: 916,
    jitterShare: 0.15,
    loss: 0.05,
    meanBurst: 1,
    downKbits: 18.5,
    upKbits: 6.5,
  },
  gprs: {
    title: "GPRS",
    rttMs: 916,
    jitterShare: 0.15,
    loss: 0.05,
    meanBurst: 1,
    downKbits: 27.9,
    upKbits: 6.5,
  },
  umts: {
    title: "UMTS",
    rttMs: 340,
    jitterShare: 0.07,
    loss: 0.01,
    meanBurst: 1,
    downKbits: 105,
    upKbits: 48,
  },
  wired: {
    title: "Wired",
    rttMs: 16,
    jitterShare: 0.05,
    loss: 0.0001,
    meanBurst: 1,
    downKbits: 100_000,
    upKbits: 40_000,
  },
  wifi: {
    title: "Wi-Fi",
    rttMs: 20,
    jitterShare: 0.5,
    loss: 0.001,
    meanBurst: 3,
    downKbits: 11_000,
    upKbits: 11_000,
  },
  lte: {
    title: "4G",
    rttMs: 38,
    jitterShare: 0.5,
    loss: 0.028,
    meanBurst: 2,
    downKbits: 4500,
    upKbits: 4500,
  },
  satellite: {
    title: "Satellite",
    rttMs: 47,
    jitterShare: 0.6,
    loss: 0.023,
    meanBurst: 4,
    downKbits: 50_000,
    upKbits: 10_000,
  },
};

export const networkPresets: Readonly<Record<NetworkName, NetworkPreset>> = Object.freeze({
  gprsMobile: preset("gprsMobile"),
  gprs: preset("gprs"),
  umts: preset("umts"),
  wired: preset("wired"),
  wifi: preset("wifi"),
  lte: preset("lte"),
  satellite: preset("satellite"),
});

/**
 * A preset with recordings in it: delay, loss and bandwidth come from the recordings as far as these measure them, the rest from the preset.
 *
 * @param trace of both ways, or one for each; a way without one stays as it is.
 * @param startMs where in the recordings virtual time begins.
 */
export function replayed(
  { up, down }: NetworkPreset,
  trace: NetworkTrace | { readonly up?: NetworkTrace; readonly down?: NetworkTrace },
  startMs = 0,
): { readonly up: Conditions; readonly down: Conditions } {
  const traces = trace instanceof NetworkTrace ? { up: trace, down: trace } : trace;
  return {
    up: traces.up === undefined ? up : { ...up, trace: traces.up, traceStartMs: startMs },
    down: traces.down === undefined ? down : { ...down, trace: traces.down, traceStartMs: startMs },
  };
}

function preset(name: NetworkName): NetworkPreset {
  const figures = FIGURES[name];
  return Object.freeze({
    name,
    title: figures.title,
    rttMs: figures.rttMs,
    loss: figures.loss,
    meanBurst: figures.meanBurst,
    up: oneWay(figures, figures.upKbits),
    down: oneWay(figures, figures.downKbits),
  });
}

function oneWay({ rttMs, jitterShare, loss, meanBurst }: Figures, kbits: number): PresetConditions {
  const bandwidthBytesPerSecond = kbits * 125;
  return Object.freeze({
    latencyMs: rttMs / 2,
    jitterShare,
    ...(meanBurst > 1 ? { burst: { loss, meanBurst } } : { loss }),
    bandwidthBytesPerSecond,
    queueBytes: Math.min(MOST_QUEUED_BYTES, Math.max(LEAST_QUEUED_BYTES, bandwidthBytesPerSecond * QUEUE_S)),
  });
}
