/**
 * How one direction of a network behaves, as a scenario writes it (`Conditions`) and as the pipe uses it
 * (`ResolvedConditions`). Shares are 0 to 1. Everything left out is perfect: no delay, no loss, no limit.
 */

import { LabError } from "./lab-error.ts";
import type { NetworkTrace } from "./trace-conditions.ts";

/**
 * Burst loss by the Gilbert–Elliott model: the path is good or bad, and may change before each packet. In raw form `p`
 * is the chance of good → bad, `r` of bad → good, `k` the share delivered while good (default 1), `h` the share
 * delivered while bad (default 0). Or by what one wants to see: the share lost, and the mean number of packets lost in
 * a row. `{ loss: 0.2, meanBurst: 4 }` becomes `r` = 1/4 and `p` = r × 0.2 / 0.8 = 1/16.
 */
export type BurstLoss =
  | { readonly p: number; readonly r: number; readonly k?: number; readonly h?: number }
  | { readonly loss: number; readonly meanBurst: number };

export interface GilbertElliott {
  readonly p: number;
  readonly r: number;
  readonly k: number;
  readonly h: number;
}

export interface Conditions {
  /** One-way delay in ms. Default 0. */
  readonly latencyMs?: number;
  /**
   * Spread of the delay in ms: ± this much if uniform, the standard deviation if normal; a delay never falls below 0.
   * Default 0. Keeps the order of packets.
   */
  readonly jitterMs?: number;
  /** The spread as a share of `latencyMs`, instead of `jitterMs`. */
  readonly jitterShare?: number;
  /** Default "uniform". */
  readonly jitterShape?: "uniform" | "normal";
  /** Share of packets lost, each on its own. Default 0. */
  readonly loss?: number;
  /** Loss that comes in bursts, instead of `loss`. */
  readonly burst?: BurstLoss;
  /** Share of unreliable packets held back, so that later ones overtake them. Default 0. */
  readonly reorder?: number;
  /** The longest that a reordered packet is held back, in ms; evenly spread from 0. Default 50. */
  readonly reorderMs?: number;
  /** Share of unreliable packets that arrive twice, the second copy with a delay of its own, if longer. Default 0. */
  readonly duplicate?: number;
  /** What the narrowest part carries, in bytes per second, framing counted. Default: no limit. */
  readonly bandwidthBytesPerSecond?: number;
  /**
   * Bytes that wait in front of the narrowest part; an unreliable packet that finds no room is lost, a reliable one
   * waits at the sender. Default 64 KiB.
   */
  readonly queueBytes?: number;
  /**
   * Largest unreliable packet that passes, in bytes, framing counted; a larger one is lost. Default: no limit. Reliable
   * ones are cut to fit, as TCP would.
   */
  readonly mtuBytes?: number;
  /**
   * What one loss costs a reliable packet, in ms: the time until it is sent again. Default: two round trips and four
   * jitters, at least 200.
   */
  readonly retransmitMs?: number;
  /**
   * A recording that is replayed over and over. What it tells, of delay, loss and bandwidth, counts instead of what stands here. Default:
   * none.
   */
  readonly trace?: NetworkTrace;
  /** Where in the recording virtual time begins, in ms. Default 0. Clients that begin elsewhere have their ups and downs elsewhere. */
  readonly traceStartMs?: number;
}

export interface ResolvedConditions {
  readonly latencyMs: number;
  readonly jitterMs: number;
  readonly jitterShape: "uniform" | "normal";
  readonly loss: GilbertElliott;
  readonly reorder: number;
  readonly reorderMs: number;
  readonly duplicate: number;
  readonly bandwidthBytesPerSecond: number;
  readonly queueBytes: number;
  readonly mtuBytes: number;
  readonly retransmitMs: number;
  readonly trace: NetworkTrace | undefined;
  readonly traceStartMs: number;
}

export function resolveConditions(conditions: Conditions): ResolvedConditions {
  exclude(conditions, "jitterMs", "jitterShare");
  exclude(conditions, "loss", "burst");
  const latencyMs = atLeast("latencyMs", conditions.latencyMs ?? 0, 0);
  const jitterMs = conditions.jitterMs ?? share("jitterShare", conditions.jitterShare ?? 0) * latencyMs;
  atLeast("jitterMs", jitterMs, 0);
  const { trace } = conditions;
  const twoTripsMs = trace?.tellsDelay ? 4 * trace.meanDelayMs : 4 * latencyMs + 4 * jitterMs;
  return {
    latencyMs,
    jitterMs,
    jitterShape: conditions.jitterShape ?? "uniform",
    loss: conditions.burst === undefined ? independentLoss(conditions.loss ?? 0) : burstLoss(conditions.burst),
    reorder: share("reorder", conditions.reorder ?? 0),
    reorderMs: atLeast("reorderMs", conditions.reorderMs ?? 50, 0),
    duplicate: share("duplicate", conditions.duplicate ?? 0),
    bandwidthBytesPerSecond: limit("bandwidthBytesPerSecond", conditions.bandwidthBytesPerSecond),
    queueBytes: atLeast("queueBytes", conditions.queueBytes ?? 64 * 1024, 0),
    mtuBytes: limit("mtuBytes", conditions.mtuBytes),
    retransmitMs: atLeast("retransmitMs", conditions.retransmitMs ?? Math.max(200, twoTripsMs), 1),
    trace,
    traceStartMs: atLeast("traceStartMs", conditions.traceStartMs ?? 0, 0),
  };
}

/** A chain that goes bad with the same chance from either state forgets its past: that is independent loss. */
function independentLoss(loss: number): GilbertElliott {
  share("loss", loss);
  return { p: loss, r: 1 - loss, k: 1, h: 0 };
}

function burstLoss(burst: BurstLoss): GilbertElliott {
  if ("p" in burst) {
    const { p, r, k = 1, h = 0 } = burst;
    share("burst.p", p);
    share("burst.r", r);
    share("burst.k", k);
    share("burst.h", h);
    return { p, r, k, h };
  }
  share("burst.loss", burst.loss);
  atLeast("burst.meanBurst", burst.meanBurst, 1);
  const r = 1 / burst.meanBurst;
  const p = (r * burst.loss) / (1 - burst.loss);
  if (!(p <= 1)) {
    const least = burst.loss / (1 - burst.loss);
    throw new LabError(
      "bad-condition",
      `burst.meanBurst is ${burst.meanBurst}, but a loss of ${burst.loss} needs bursts of at least ${least} packets`,
    );
  }
  return { p, r, k: 1, h: 0 };
}

function share(name: string, value: number): number {
  if (!(value >= 0 && value <= 1)) {
    throw new LabError("bad-condition", `${name} is ${value}, but must be a share from 0 to 1`);
  }
  return value;
}

function atLeast(name: string, value: number, least: number): number {
  if (!(value >= least && value < Number.POSITIVE_INFINITY)) {
    throw new LabError("bad-condition", `${name} is ${value}, but must be a finite number of at least ${least}`);
  }
  return value;
}

function limit(name: string, value = Number.POSITIVE_INFINITY): number {
  if (!(value > 0)) throw new LabError("bad-condition", `${name} is ${value}, but must be above 0`);
  return value;
}

function exclude(conditions: Conditions, one: keyof Conditions, other: keyof Conditions): void {
  if (conditions[one] !== undefined && conditions[other] !== undefined) {
    throw new LabError("bad-condition", `${one} and ${other} are both given, but only one of them may be`);
  }
}
