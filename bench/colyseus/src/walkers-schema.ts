/**
 * How the scene is described to Colyseus, once for each form. A coordinate is 16 bits and a heading 8, as on the other side. Beside each form
 * stand the two functions that know its fields: one writes a walker, one reads where a client's copy shows it.
 */

import { type MapSchema, type Schema, schema, t } from "@colyseus/schema";
import { COORDINATE_STEPS, type ColyseusForm, HEADING_BITS, type Scene, TIERS } from "@nearfield/bench/peers";

export interface WalkerState extends Schema {
  readonly walkers: MapSchema<Schema>;
}

export interface SchemaForm {
  readonly tiered: boolean;
  /** Whether everybody sees everything, so that nobody needs a view. */
  readonly open: boolean;
  /** The walkers, in a map by their number, and the state around it. */
  create(count: number): { readonly state: WalkerState; readonly walkers: readonly Schema[] };
  /** Takes a walker over from the scene, as far as it is to be told of in this round. */
  write(walker: Schema, scene: Scene, index: number): void;
  /** Where a client's copy shows a walker. */
  read(walker: Schema, out: Float64Array): void;
}

export function schemaForm(form: ColyseusForm, side: number): SchemaForm {
  if (form === "view" || form === "open") return plainForm(side, form === "open");
  return form === "tiers" ? tieredForm(side) : packedForm(side);
}

/** The tag of each tier; tags are powers of two. */
export function tagOf(tier: number): number {
  return 1 << tier;
}

/** Copies are not all written in the same round, so that no round is heavier than another. */
function isDue(tier: number, { round }: Scene, index: number): boolean {
  return (round + index) % TIERS[tier]!.everyRounds === 0;
}

type WalkerClass = new () => Schema;

function created(Walker: WalkerClass, count: number, open = false): ReturnType<SchemaForm["create"]> {
  const State = schema({ walkers: open ? t.map(Walker) : t.map(Walker).view() }, "State");
  const state = new State() as unknown as WalkerState;
  const walkers = Array.from({ length: count }, (_, index) => {
    const walker = new Walker();
    state.walkers.set(String(index), walker);
    return walker;
  });
  return { state, walkers };
}

const coordinate = (side: number) => t.quantized({ min: 0, max: side, bits: 16 });
const heading = () => t.angle({ bits: HEADING_BITS });

// ── every change ─────────────────────────────────────────────────────────────────────────────────────────────────

interface Plain extends Schema {
  x: number;
  y: number;
  heading: number;
}

function plainForm(side: number, open: boolean): SchemaForm {
  const Walker = schema({ x: coordinate(side), y: coordinate(side), heading: heading() }, "Walker");
  return {
    tiered: false,
    open,
    create: (count) => created(Walker as unknown as WalkerClass, count, open),
    write(walker, scene, index) {
      const plain = walker as Plain;
      plain.x = scene.x[index]!;
      plain.y = scene.y[index]!;
      plain.heading = scene.heading[index]!;
    },
    read(walker, out) {
      out[0] = (walker as Plain).x;
      out[1] = (walker as Plain).y;
    },
  };
}

// ── three copies under three tags ────────────────────────────────────────────────────────────────────────────────

/** A client has one copy at a time; the fields of the others are undefined for it. */
interface Tiered extends Schema {
  x0: number;
  y0: number;
  heading0: number;
  x1: number;
  y1: number;
  heading1: number;
  x2: number;
  y2: number;
  heading2: number;
}

function tieredForm(side: number): SchemaForm {
  const Walker = schema(
    {
      x0: coordinate(side).view(tagOf(0)),
      y0: coordinate(side).view(tagOf(0)),
      heading0: heading().view(tagOf(0)),
      x1: coordinate(side).view(tagOf(1)),
      y1: coordinate(side).view(tagOf(1)),
      heading1: heading().view(tagOf(1)),
      x2: coordinate(side).view(tagOf(2)),
      y2: coordinate(side).view(tagOf(2)),
      heading2: heading().view(tagOf(2)),
    },
    "Walker",
  );
  return {
    tiered: true,
    open: false,
    create: (count) => created(Walker as unknown as WalkerClass, count),
    write(walker, scene, index) {
      const tiered = walker as Tiered;
      if (isDue(0, scene, index)) {
        tiered.x0 = scene.x[index]!;
        tiered.y0 = scene.y[index]!;
        tiered.heading0 = scene.heading[index]!;
      }
      if (isDue(1, scene, index)) {
        tiered.x1 = scene.x[index]!;
        tiered.y1 = scene.y[index]!;
        tiered.heading1 = scene.heading[index]!;
      }
      if (isDue(2, scene, index)) {
        tiered.x2 = scene.x[index]!;
        tiered.y2 = scene.y[index]!;
        tiered.heading2 = scene.heading[index]!;
      }
    },
    read(walker, out) {
      const { x0, y0, x1, y1, x2, y2 } = walker as unknown as Partial<Tiered>;
      out[0] = x0 ?? x1 ?? x2 ?? Number.NaN;
      out[1] = y0 ?? y1 ?? y2 ?? Number.NaN;
    },
  };
}

// ── the same, both coordinates in one field ──────────────────────────────────────────────────────────────────────

interface Packed extends Schema {
  at0: number;
  heading0: number;
  at1: number;
  heading1: number;
  at2: number;
  heading2: number;
}

function packedForm(side: number): SchemaForm {
  const Walker = schema(
    {
      at0: t.uint32().view(tagOf(0)),
      heading0: heading().view(tagOf(0)),
      at1: t.uint32().view(tagOf(1)),
      heading1: heading().view(tagOf(1)),
      at2: t.uint32().view(tagOf(2)),
      heading2: heading().view(tagOf(2)),
    },
    "Walker",
  );
  const steps = (value: number): number => Math.round((value / side) * COORDINATE_STEPS);
  return {
    tiered: true,
    open: false,
    create: (count) => created(Walker as unknown as WalkerClass, count),
    write(walker, scene, index) {
      const packed = walker as Packed;
      const at = steps(scene.x[index]!) * (COORDINATE_STEPS + 1) + steps(scene.y[index]!);
      if (isDue(0, scene, index)) {
        packed.at0 = at;
        packed.heading0 = scene.heading[index]!;
      }
      if (isDue(1, scene, index)) {
        packed.at1 = at;
        packed.heading1 = scene.heading[index]!;
      }
      if (isDue(2, scene, index)) {
        packed.at2 = at;
        packed.heading2 = scene.heading[index]!;
      }
    },
    read(walker, out) {
      const { at0, at1, at2 } = walker as unknown as Partial<Packed>;
      const at = at0 ?? at1 ?? at2 ?? Number.NaN;
      out[0] = (Math.floor(at / (COORDINATE_STEPS + 1)) / COORDINATE_STEPS) * side;
      out[1] = ((at % (COORDINATE_STEPS + 1)) / COORDINATE_STEPS) * side;
    },
  };
}
