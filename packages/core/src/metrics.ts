/**
 * Value metrics: how far a primary is from the state as last sent, as one number. A metric keeps a few numbers per pair, taken when the
 * object is sent (`sample`), and compares them with the primary now. What was sent is wire form, so that is what is sampled.
 *
 * Some metrics judge a picture that goes on by itself: what the client shows moves although nothing was sent. They say so by having
 * `carriesOn`; a pair under such a metric is equal only once its sample has come to rest.
 */

import { fading, historyLine, hold, linear, MOTION_SIZE, type MotionModel, PLACE_SIZE } from "@nearfield/presentation";
import type { Protocol } from "@nearfield/schema";
import { ViewError } from "./errors.ts";
import type { World } from "./world.ts";

/** Numbers kept per pair: enough for the state of a first-order motion model. */
export const SAMPLE_SIZE = 6;

export interface Metric {
  readonly name: string;
  /**
   * Writes what must be remembered of the object as sent now into `out[at … at + SAMPLE_SIZE − 1]`. There it finds what it wrote at the send
   * the pair stood on until now, `sinceMs` ago, or zeros if that was none of its own.
   *
   * @param settles whether the client's picture is put to rest by this send (`Decisions.settled`).
   */
  sample(world: World, slot: number, out: Float64Array, at: number, sinceMs: number, settles: boolean): void;
  /** Divergence of the primary now from that sample, which was taken `elapsedMs` ago; never negative. */
  divergence(world: World, slot: number, sent: Float64Array, at: number, elapsedMs: number): number;
  /** The most it can grow in a round in which the object travels at most `step`; `Infinity` where that says nothing. */
  growth(step: number): number;
  /** Whether what the client shows moves on from this sample by itself. Default: it never does. */
  carriesOn?(sent: Float64Array, at: number): boolean;
  /**
   * For a picture that moves by itself: writes its velocity `elapsedMs` after the send, in world units per second, into `out[0 … 2]`, if from
   * then on that stays the same or fades. Then the divergence grows in a round by at most the way that object and picture move apart in it.
   */
  velocity?(sent: Float64Array, at: number, elapsedMs: number, out: Float64Array): void;
  /** As in `MotionModel`, where the sample is the state of a model that has it. */
  readonly fadingMs?: number;
}

/** Distance between the primary and the position last sent. */
export const displacement: Metric = {
  name: "displacement",
  sample(world, slot, out, at) {
    out[at] = world.wireX[slot]!;
    out[at + 1] = world.wireY[slot]!;
    out[at + 2] = world.wireZ[slot]!;
  },
  divergence(world, slot, sent, at) {
    const dx = world.x[slot]! - sent[at]!;
    const dy = world.y[slot]! - sent[at + 1]!;
    const dz = world.z[slot]! - sent[at + 2]!;
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
  },
  growth: (step) => step,
};

/** Distance travelled since the last send, there and back included (R). */
export const path: Metric = {
  name: "path",
  sample(world, slot, out, at) {
    out[at] = world.travelled[slot]!;
  },
  divergence: (world, slot, sent, at) => world.travelled[slot]! - sent[at]!,
  growth: (step) => step,
};

/**
 * Change of one numeric field in percent of the value last sent (V §2.2); from 0, any change is infinite. Objects without that field never
 * diverge by it.
 */
export function relative(fieldName: string): Metric {
  const fieldOf = (world: World, slot: number): number => {
    const named = world.store.tableAt(slot).type.fields.find(({ name }) => name === fieldName);
    return named?.field.numeric === true ? named.index : -1;
  };
  return {
    name: `${RELATIVE}${fieldName}`,
    sample(world, slot, out, at) {
      const index = fieldOf(world, slot);
      if (index < 0) return;
      const { field } = world.store.tableAt(slot).type.fields[index]!;
      out[at] = field.numeric ? field.dequantizeNumber(world.wireNumberAt(slot, index)) : 0;
    },
    divergence(world, slot, sent, at) {
      const index = fieldOf(world, slot);
      if (index < 0) return 0;
      const before = sent[at]!;
      const change = Math.abs(world.numberAt(slot, index) - before);
      if (change === 0) return 0;
      return before === 0 ? Number.POSITIVE_INFINITY : (change / Math.abs(before)) * 100;
    },
    growth: () => Number.POSITIVE_INFINITY,
  };
}

/**
 * Distance between the primary and where the client's motion model, fed with what was sent, puts the object at this round's time: what
 * the player sees is judged, not whether a number moved. Named `predicted` with the first-order model, else `predicted:MODEL`.
 *
 * `growth` says nothing, since the model moves as well; `velocity` says how, where the model can.
 */
export function predicted(model: MotionModel = linear): Metric {
  if (model.stateSize > SAMPLE_SIZE) {
    const text = `keeps ${model.stateSize} numbers per object, but there is room for ${SAMPLE_SIZE}`;
    throw new ViewError("too-many", `metric ${PREDICTED}:${model.name}`, text);
  }
  const motion = new Float64Array(MOTION_SIZE);
  const place = new Float64Array(PLACE_SIZE);
  return {
    name: model.name === linear.name ? PREDICTED : `${PREDICTED}:${model.name}`,
    sample(world, slot, out, at, sinceMs, settles) {
      world.readMotion(slot, motion);
      model.receive(out, at, motion, 0, sinceMs, settles);
    },
    divergence(world, slot, sent, at, elapsedMs) {
      model.place(sent, at, elapsedMs, place, 0);
      const dx = world.x[slot]! - place[0]!;
      const dy = world.y[slot]! - place[1]!;
      const dz = world.z[slot]! - place[2]!;
      return Math.sqrt(dx * dx + dy * dy + dz * dz);
    },
    growth: () => Number.POSITIVE_INFINITY,
    carriesOn: (sent, at) => !model.rests(sent, at),
    ...(model.velocity !== undefined && {
      velocity: (sent: Float64Array, at: number, elapsedMs: number, out: Float64Array) =>
        model.velocity!(sent, at, elapsedMs, out, 0),
    }),
    ...(model.fadingMs !== undefined && { fadingMs: model.fadingMs }),
  };
}

/** The metrics of one model by the names that views give, each with a small number. Number 0 stands for none. */
export class MetricRegistry {
  readonly #offered: readonly Metric[];
  readonly #known: (Metric | undefined)[] = [undefined];

  /** @param registered what views may name besides the metrics in the box. */
  constructor(registered: readonly Metric[] = []) {
    this.#offered = [
      displacement,
      path,
      predicted(linear),
      predicted(hold),
      predicted(fading),
      predicted(historyLine),
      ...registered,
    ];
  }

  nameOf(id: number): string {
    return this.#known[id]?.name ?? "";
  }

  /**
   * Views come from clients, so only what the protocol has is taken up: a field that no type has is refused, not remembered.
   *
   * @param at where the name stands in the view's settings.
   */
  resolve(asked: string, at: string, protocol: Protocol): { metric: Metric; metricId: number } {
    const name = asked === `${PREDICTED}:${linear.name}` ? PREDICTED : asked;
    const known = this.#known.findIndex((metric) => metric?.name === name);
    if (known >= 0) return { metric: this.#known[known]!, metricId: known };
    const metric = this.#offered.find((offered) => offered.name === name) ?? relativeByName(name, protocol);
    if (metric === undefined) {
      const names = [...this.#offered.map((offered) => offered.name), `${RELATIVE}FIELD`];
      throw new ViewError("unknown-metric", at, `"${name}" is not a metric; known: ${names.join(", ")}`);
    }
    if (this.#known.length === MOST_METRICS) {
      throw new ViewError(
        "too-many",
        at,
        `"${name}" would be one metric more than the ${MOST_METRICS - 1} a model can hold`,
      );
    }
    this.#known.push(metric);
    return { metric, metricId: this.#known.length - 1 };
  }
}

const PREDICTED = "predicted";
const RELATIVE = "relative:";
/** Metrics are told apart by six bits per pair, of which one pattern stands for a pair that is free. */
const MOST_METRICS = 63;

function relativeByName(name: string, { objects }: Protocol): Metric | undefined {
  const fieldName = name.startsWith(RELATIVE) ? name.slice(RELATIVE.length) : "";
  const isField = objects.some(({ fields }) => fields.some((named) => named.name === fieldName && named.field.numeric));
  return isField ? relative(fieldName) : undefined;
}
