/**
 * Value metrics: how far a primary is from its state as last sent, as one number. When an object is sent, the metric keeps a few numbers for the pair (`sample`).
 * Later it compares them with the primary. The sample is taken of the wire form, since that is what the client got.
 *
 * Some metrics judge a picture that moves on by itself: what the client shows changes although nothing was sent. Such a metric has `carriesOn`. A
 * pair under such a metric counts as equal only once its picture has come to rest.
 */

import { linear, MOTION_MODELS, MOTION_SIZE } from "@nearfield/presentation";
import { type MotionModel, missingRole, PLACE_SIZE } from "@nearfield/presentation/internal";
import type { ObjectType, Protocol } from "@nearfield/schema";
import { suggestion } from "@nearfield/schema/internal";
import { ViewError } from "./errors.ts";
import { refuseUnfit } from "./view-rules.ts";
import type { World } from "./world.ts";

/** Numbers kept per pair, unless a metric says otherwise: enough for the state of a first-order motion model. */
export const SAMPLE_SIZE = 6;
/** The most that a metric can have kept per pair. */
export const LARGEST_SAMPLE = 20;

export interface Metric {
  readonly name: string;
  /**
   * Numbers it remembers of a send, at most `LARGEST_SAMPLE`. Default `SAMPLE_SIZE`; with more, each pair of a view that names the metric, and
   * each send of it that is not acknowledged, takes 112 bytes more.
   */
  readonly sampleSize?: number;
  /**
   * Writes what must be remembered of the object as sent now into `out[at … at + sampleSize − 1]`. There it finds what it wrote at the send
   * the pair stood on until now, `sinceMs` ago, or zeros if that was none of its own.
   *
   * @param settles whether the client's picture is put to rest by this send (`Decisions.settled`).
   */
  sample(world: World, slot: number, out: Float64Array, at: number, sinceMs: number, settles: boolean): void;
  /** Divergence of the primary now from that sample, which was taken `elapsedMs` ago; never negative. */
  divergence(world: World, slot: number, sent: Float64Array, at: number, elapsedMs: number): number;
  /**
   * The same, into `out[0]`. For metrics that are asked for thousands of pairs in every round: a number that a function returns may take 16
   * bytes of the heap each time, one that is written takes none. Default: `divergence` is asked. A metric that is made of another and has a
   * `divergence` of its own must leave this one out, or have its own as well.
   */
  divergeInto?(world: World, slot: number, sent: Float64Array, at: number, elapsedMs: number, out: Float64Array): void;
  /** The most it can grow in a round in which the object travels at most `step`; `Infinity` where that says nothing. */
  growth(step: number): number;
  /**
   * Whether `divergence` depends on nothing but the object's own fields and the sample. Then it stays what it is until the object is written, and
   * the server asks for it only after that, not in every round. Default false.
   */
  readonly byFields?: boolean;
  /** Whether what the client shows moves on from this sample by itself. Default: it never does. */
  carriesOn?(sent: Float64Array, at: number): boolean;
  /**
   * For a picture that moves by itself: writes its velocity `elapsedMs` after the send, in world units per second, into `out[0 … 2]`, if from
   * then on that stays the same or fades. Then the divergence grows in a round by at most the way that object and picture move apart in it.
   */
  velocity?(sent: Float64Array, at: number, elapsedMs: number, out: Float64Array): void;
  /** As in `MotionModel`, where the sample is the state of a model that has it. */
  readonly fadingMs?: number;
  /**
   * For samples that build on the one before: takes a sample again in its place, `sent[at …]`, as if the send before had left `before[0 …]`
   * `sinceMs` earlier; with zeros and 0, as if there had been none. Asked for when a send is lost, or overtaken, on which later ones were
   * built: the client never had it, so its picture is another.
   */
  again?(sent: Float64Array, at: number, before: Float64Array, sinceMs: number, settles: boolean): void;
  /** What it goes by and objects of the type are not sent with: "velocity", "acceleration", …; undefined: nothing. Default: nothing. */
  missing?(type: ObjectType): string | undefined;
  /**
   * Whether the sample says the same whatever was sent before: `sample` reads neither what it finds in `out` nor `sinceMs`. Only by such
   * metrics can the auditor judge a value, since it knows what a client was sent and not every sample on the way there. Default false.
   */
  readonly memoryless?: boolean;
}

/** Whether its divergence stays until the object is written. A picture that moves on by itself diverges without that. */
export function awaitsWrites({ byFields, carriesOn }: Metric): boolean {
  return byFields === true && carriesOn === undefined;
}

/** How metrics grow that are bounded by the way an object travels. */
export const asFarAsItGoes: Metric["growth"] = (step) => step;
/** How metrics grow of which that says nothing. */
export const withoutLimit: Metric["growth"] = () => Number.POSITIVE_INFINITY;

/** What `divergeInto` writes for `divergence`. */
const diverged = new Float64Array(1);

/** Both ways to ask for a divergence, by the one that writes. */
function divergingBy(divergeInto: NonNullable<Metric["divergeInto"]>): Pick<Metric, "divergence" | "divergeInto"> {
  return {
    divergence(world, slot, sent, at, elapsedMs) {
      divergeInto(world, slot, sent, at, elapsedMs, diverged);
      return diverged[0]!;
    },
    divergeInto,
  };
}

/** Distance between the primary and the position last sent. */
export const displacement: Metric = {
  name: "displacement",
  sample(world, slot, out, at) {
    out[at] = world.wireX[slot]!;
    out[at + 1] = world.wireY[slot]!;
    out[at + 2] = world.wireZ[slot]!;
  },
  ...divergingBy((world, slot, sent, at, _elapsedMs, out) => {
    const dx = world.x[slot]! - sent[at]!;
    const dy = world.y[slot]! - sent[at + 1]!;
    const dz = world.z[slot]! - sent[at + 2]!;
    out[0] = Math.sqrt(dx * dx + dy * dy + dz * dz);
  }),
  growth: asFarAsItGoes,
  memoryless: true,
};

/** Distance travelled since the last send, there and back included (R). */
export const path: Metric = {
  name: "path",
  sample(world, slot, out, at) {
    out[at] = world.travelled[slot]!;
  },
  ...divergingBy((world, slot, sent, at, _elapsedMs, out) => {
    out[0] = world.travelled[slot]! - sent[at]!;
  }),
  growth: asFarAsItGoes,
  memoryless: true,
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
  const metric: Metric = {
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
    growth: withoutLimit,
    byFields: true,
    memoryless: true,
  };
  relativeFields.set(metric, fieldName);
  return metric;
}

/** By metric that `relative` made. A metric that is made of such a one is another, and not here. */
const relativeFields = new WeakMap<Metric, string>();

/** The field that a metric compares in percent, if `relative` made it. */
export function relativeFieldOf(metric: Metric): string | undefined {
  return relativeFields.get(metric);
}

/**
 * Distance between the primary and where the client's motion model, fed with what was sent, puts the object at this round's time: what
 * the player sees is judged, not whether a number moved. Named `predicted` with the first-order model, else `predicted:MODEL`.
 *
 * `growth` says nothing, since the model moves as well; `velocity` says how, where the model can.
 */
export function predicted(model: MotionModel = linear): Metric {
  const { stateSize, motionSize = MOTION_SIZE } = model;
  if (stateSize > LARGEST_SAMPLE) {
    const text = `keeps ${stateSize} numbers per object, but there is room for ${LARGEST_SAMPLE}`;
    throw new ViewError("too-many", `metric ${PREDICTED}:${model.name}`, text);
  }
  const motion = new Float64Array(Math.max(MOTION_SIZE, motionSize));
  const place = new Float64Array(PLACE_SIZE);
  return {
    name: model.name === linear.name ? PREDICTED : `${PREDICTED}:${model.name}`,
    sampleSize: stateSize,
    sample(world, slot, out, at, sinceMs, settles) {
      world.readMotion(slot, motion);
      model.receive(out, at, motion, 0, sinceMs, settles);
    },
    ...divergingBy((world, slot, sent, at, elapsedMs, out) => {
      model.place(sent, at, elapsedMs, place, 0);
      const dx = world.x[slot]! - place[0]!;
      const dy = world.y[slot]! - place[1]!;
      const dz = world.z[slot]! - place[2]!;
      out[0] = Math.sqrt(dx * dx + dy * dy + dz * dz);
    }),
    growth: withoutLimit,
    carriesOn: (sent, at) => !model.rests(sent, at),
    ...(model.velocity !== undefined && {
      velocity: (sent: Float64Array, at: number, elapsedMs: number, out: Float64Array) =>
        model.velocity!(sent, at, elapsedMs, out, 0),
    }),
    ...(model.fadingMs !== undefined && { fadingMs: model.fadingMs }),
    ...(model.remembers === true && {
      again: (sent: Float64Array, at: number, before: Float64Array, sinceMs: number, settles: boolean) => {
        for (let i = 0; i < motionSize; i++) motion[i] = sent[at + i]!;
        for (let i = 0; i < stateSize; i++) sent[at + i] = before[i]!;
        model.receive(sent, at, motion, 0, sinceMs, settles);
      },
    }),
    missing: (type) => missingRole(type, model),
    memoryless: model.remembers !== true,
  };
}

/** Refuses a metric that none of the types fits. */
export function requireFit(metric: Metric, types: readonly ObjectType[], at: string): void {
  refuseUnfit(metric.name, (type) => metric.missing?.(type), types, at);
}

/** The metrics of one model by the names that views give, each with a small number. Number 0 stands for none. */
export class MetricRegistry {
  readonly #offered: readonly Metric[];
  readonly #known: (Metric | undefined)[] = [undefined];

  /** @param registered what views may name besides the metrics in the box. */
  constructor(registered: readonly Metric[] = []) {
    const models = Object.values(MOTION_MODELS).filter((model) => model !== linear);
    this.#offered = [displacement, path, predicted(), ...models.map((model) => predicted(model)), ...registered];
    for (const { name, sampleSize = 0 } of registered) {
      if (sampleSize <= LARGEST_SAMPLE) continue;
      const text = `remembers ${sampleSize} numbers, but there is room for ${LARGEST_SAMPLE}`;
      throw new ViewError("too-many", `metric ${name}`, text);
    }
  }

  /** The metric of a number; undefined for 0. */
  of(id: number): Metric | undefined {
    return this.#known[id];
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
      throw new ViewError("unknown-metric", at, `"${name}" is not a metric; ${suggestion(name, names)}`);
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
