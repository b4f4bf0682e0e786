/**
 * Watches one pair: what was sent of it and why, how fast it diverges, and so when it is due next. The time bound gives an exact round. The
 * other two bounds assume that the object goes on as it did since the last send.
 */

import { CAUSE_NAMES } from "@nearfield/core";
import {
  DecisionKind,
  type Decisions,
  type Explanation,
  loosenedBound,
  type ObjectSetSettings,
} from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";
import type { Player } from "@nearfield/server";
import type { RoomSeam } from "@nearfield/server/seam";
import { boundFigures, finite, matchName, setIndexOf } from "./drawn.ts";
import type { BoundFigures } from "./feed/map.ts";
import type { LastSend, NextDue, PastSend, WhyTell } from "./feed/why.ts";

const KINDS = Object.keys(DecisionKind) as PastSend["kind"][];
const MOST_HISTORY = 20;

type Dimensions = Record<"time" | "sequence" | "value", number>;

interface Sent extends PastSend {
  version: number;
}

export class WhyWatch {
  readonly player: Player;
  readonly object: ObjectId;
  readonly #seam: RoomSeam;
  readonly #history: Sent[] = [];
  /** Whether the fate of some send is not known yet. */
  #isWaiting = false;
  /** Growth per ms since the last send. Right after a send: the growth before it. */
  #sequenceRate = 0;
  #valueRate = 0;

  constructor(seam: RoomSeam, player: Player, object: ObjectId) {
    this.#seam = seam;
    this.player = player;
    this.object = object;
  }

  roundEnded(round: number): void {
    if (this.player.presence === "left") return;
    this.#learnFates();
    const decisions = this.#seam.model.decisions(this.player.view);
    const { ids, count } = decisions;
    for (let i = 0; i < count; i++) {
      if (ids[i] !== this.object || this.#isPaused) continue;
      this.#history.unshift({
        round,
        kind: KINDS[decisions.kinds[i]!]!,
        cause: CAUSE_NAMES[decisions.causes[i]!]!,
        zone: decisions.zones[i]!,
        fate: this.#fateOf(decisions, i, round),
        version: this.#version,
      });
      if (this.#history.length > MOST_HISTORY) this.#history.pop();
      this.#isWaiting = true;
    }
  }

  get #version(): number {
    const { world } = this.#seam;
    const slot = world.store.liveSlot(this.object);
    return slot < 0 ? 0 : world.version[slot]!;
  }

  /**
   * The fate of a send at its own round. If the model does not count it as a send of that round, it was withheld. The arrival of a removal
   * cannot be seen.
   */
  #fateOf({ kinds, withheld }: Decisions, index: number, round: number): PastSend["fate"] {
    if (kinds[index]! >= DecisionKind.leave) return "sent";
    // To explain the pair takes longer than all the rest, and pairs near a pivot are sent in every round.
    if (withheld === 0) return "on the way";
    const explanation = this.#seam.model.explain(this.player.view, this.object);
    if (explanation?.present !== true) return "sent";
    return explanation.lastSend < round ? "withheld" : "on the way";
  }

  get #isPaused(): boolean {
    return this.#seam.connections.get(this.player.id)?.isPaused ?? true;
  }

  /**
   * Takes in what acks say of sends in flight. The newest send that the client has, has arrived. Older ones that nothing was heard of are
   * "overtaken": they no longer matter.
   */
  #learnFates(): void {
    if (!this.#isWaiting) return;
    const acked = this.#seam.model.baseVersion(this.player.view, this.object);
    let known: PastSend["fate"] = "arrived";
    this.#isWaiting = false;
    for (const sent of this.#history) {
      if (sent.fate !== "on the way") continue;
      if (acked < sent.version) {
        this.#isWaiting = true;
        continue;
      }
      sent.fate = known;
      known = "overtaken";
    }
  }

  /** A send that the model no longer counts is lost. */
  #learnLosses({ lastSend }: Explanation): void {
    for (const sent of this.#history) if (sent.fate === "on the way" && lastSend < sent.round) sent.fate = "lost";
  }

  #measure(explanation: Explanation | undefined, round: number): void {
    if (explanation?.present !== true || explanation.equal) return;
    const elapsedMs = (round - explanation.lastSend) * this.#seam.roundMs;
    if (elapsedMs <= 0) return;
    this.#sequenceRate = explanation.divergence.sequence / elapsedMs;
    this.#valueRate = explanation.divergence.value / elapsedMs;
  }

  answer(round: number): WhyTell {
    const seam = this.#seam;
    const { player } = this;
    const { roundMs } = seam;
    const explanation = player.presence === "left" ? undefined : seam.model.explain(player.view, this.object);
    if (explanation !== undefined) this.#learnLosses(explanation);
    this.#measure(explanation, round);
    const history = this.#history.map(withoutVersion);
    const { object } = this;
    const timeMs = round * roundMs;
    if (explanation === undefined) {
      return { tell: "why", room: seam.name, round, timeMs, player: player.id, object, history, ...GONE };
    }
    const slot = seam.world.store.liveSlot(this.object);
    const setIndex = setIndexOf(player.settings, seam.world, slot);
    const set = player.settings.sets[setIndex]!;
    const isOwn = seam.world.store.owner[slot] === player.id;
    const everyChange = isOwn ? "own" : seam.world.isSpatial(slot) ? null : "no place";
    const { telemetry } = player;
    const factor = explanation.zone === 0 ? telemetry.innerFactor : telemetry.outerFactor;
    const judgedBy = everyChange === null ? loosenedBound(explanation.bound, factor, roundMs) : explanation.bound;
    const { time, sequence, value } = explanation.divergence;
    // Spelled out: to spread objects into another one takes longer than all the rest of this answer.
    return {
      tell: "why",
      room: seam.name,
      round,
      timeMs,
      player: player.id,
      object,
      history,
      type: seam.world.store.typeIndex[slot]!,
      state: explanation.present ? "shown" : "hidden",
      distance: everyChange === "no place" ? null : finite(this.#distance(slot)),
      set: setIndex,
      match: matchName(set.match),
      metric: set.metric ?? "displacement",
      zone: explanation.zone,
      sector: explanation.sector,
      everyChange,
      bound: boundFigures(explanation.bound),
      judgedBy: boundFigures(judgedBy),
      divergence: { time, sequence, value: finite(value) },
      equal: explanation.equal,
      version: explanation.version,
      sentVersion: explanation.sentVersion,
      ackedVersion: seam.model.baseVersion(player.view, this.object),
      lastSend: this.#lastSend(explanation, round, roundMs),
      nextDue: this.#nextDue(explanation, judgedBy, everyChange !== null, set, round),
    };
  }

  #distance(slot: number): number {
    const { world, model } = this.#seam;
    return model.distanceTo(this.player.view, [world.x[slot]!, world.y[slot]!, world.z[slot]!]);
  }

  #lastSend({ lastSend, sentVersion }: Explanation, round: number, roundMs: number): LastSend | null {
    if (lastSend < 0) return null;
    const { model } = this.#seam;
    const { view } = this.player;
    return {
      round: lastSend,
      agoMs: (round - lastSend) * roundMs,
      cause: CAUSE_NAMES[model.lastCause(view, this.object) ?? -1] ?? null,
      arrived: model.baseVersion(view, this.object) >= sentVersion,
    };
  }

  #nextDue(
    explanation: Explanation,
    bound: Readonly<Dimensions>,
    everyChange: boolean,
    set: ObjectSetSettings,
    round: number,
  ): NextDue {
    const { roundMs } = this.#seam;
    if (!explanation.present) return WHEN_NEVER;
    if (everyChange) return WHEN_IT_CHANGES;
    if (explanation.equal) return this.#ifItChanges(explanation, bound.time, set, round);
    const { divergence } = explanation;
    const rounds = {
      time: roundsUntilTime(bound.time - divergence.time, roundMs, set.strict),
      sequence: roundsUntil(bound.sequence - divergence.sequence, this.#sequenceRate * roundMs),
      value: roundsUntil(bound.value - divergence.value, this.#valueRate * roundMs),
    };
    const by = (["time", "sequence", "value"] as const).reduce((a, b) => (rounds[b] < rounds[a] ? b : a));
    const first = rounds[by];
    if (!Number.isFinite(first)) return WHEN_NEVER;
    const ahead = Math.max(1, first);
    const ms = (count: number): number | null => finite(Math.max(1, count) * roundMs);
    return {
      when: first <= 0 ? "now" : "in",
      round: round + ahead,
      inMs: ahead * roundMs,
      by,
      exact: by === "time",
      byTimeMs: ms(rounds.time),
      bySequenceMs: ms(rounds.sequence),
      byValueMs: ms(rounds.value),
    };
  }

  /** When an equal pair is due: when the object has changed, and not before its time bound. */
  #ifItChanges(
    { lastSend }: Explanation,
    boundMs: number,
    { clock, strict }: ObjectSetSettings,
    round: number,
  ): NextDue {
    const { roundMs } = this.#seam;
    const elapsedMs = clock === "firstMiss" ? 0 : (round - lastSend) * roundMs;
    const ahead = Math.max(1, roundsUntilTime(boundMs - elapsedMs, roundMs, strict));
    if (!Number.isFinite(ahead)) return WHEN_IT_CHANGES;
    const inMs = ahead * roundMs;
    return { ...WHEN_IT_CHANGES, round: round + ahead, inMs, by: "time", exact: false, byTimeMs: inMs };
  }
}

/** `strict`: due when the next round would pass the bound. */
function roundsUntilTime(leftMs: number, roundMs: number, strict = false): number {
  return strict ? Math.floor(leftMs / roundMs) : Math.ceil(leftMs / roundMs);
}

function roundsUntil(left: number, perRound: number): number {
  if (left <= 0) return 0;
  return perRound > 0 ? Math.ceil(left / perRound) : Number.POSITIVE_INFINITY;
}

function withoutVersion({ round, kind, cause, zone, fate }: Sent): PastSend {
  return { round, kind, cause, zone, fate };
}

const WHEN_NEVER: NextDue = {
  when: "never",
  round: null,
  inMs: null,
  by: null,
  exact: true,
  byTimeMs: null,
  bySequenceMs: null,
  byValueMs: null,
};
const WHEN_IT_CHANGES: NextDue = { ...WHEN_NEVER, when: "when it changes" };

const NO_BOUND: BoundFigures = { time: null, sequence: null, value: null };
const GONE = {
  type: -1,
  state: "gone",
  distance: null,
  set: -1,
  match: "",
  metric: "",
  zone: -1,
  sector: -1,
  everyChange: null,
  bound: NO_BOUND,
  judgedBy: NO_BOUND,
  divergence: { time: 0, sequence: 0, value: null },
  equal: true,
  version: 0,
  sentVersion: 0,
  ackedVersion: 0,
  lastSend: null,
  nextDue: WHEN_NEVER,
} as const;
