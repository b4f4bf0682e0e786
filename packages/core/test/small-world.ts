/**
 * A world for tests that are computed by hand: round numbers, one type for each kind of object, views in one call. Positions are quantised
 * to halves, so a move of less than 0.25 does not show in wire form.
 */

import { angle, type ObjectId, object, Protocol, quantized, text, uint } from "@nearfield/schema";
import { expect } from "vitest";
import { CAUSE_NAMES, type Pivot, type ViewSettings, World } from "../src/index.ts";
import {
  type ConsistencyModel,
  DecisionKind,
  type Decisions,
  Engine,
  MetricRegistry,
  type ModelOptions,
  type ObjectSetSettings,
  ReferenceEngine,
  resolveView,
  type ViewId,
  type ViewOptions,
} from "../src/internal/index.ts";

const axis = quantized(-1000, 1000, 0.5);

/** Looks along `heading`; written by the server. */
export const Ship = object(
  "ship",
  { x: axis, y: axis, heading: angle(16), hull: uint(7) },
  { position: ["x", "y"], orientation: "heading" },
);
/** In three dimensions, looks along yaw and pitch; written by its owner. */
export const Drone = object(
  "drone",
  { x: axis, y: axis, z: axis, yaw: angle(16), pitch: angle(16) },
  { position: ["x", "y", "z"], orientation: ["yaw", "pitch"], write: "owner" },
);
/** Coarser than a ship, looks nowhere; written under a lock. */
export const Crate = object(
  "crate",
  { x: quantized(0, 1000, 4), y: quantized(0, 1000, 4), label: text(16) },
  { position: ["x", "y"], write: "locked" },
);
/** Says how fast it goes, in world units per second: 20 are a unit a round. */
export const Comet = object(
  "comet",
  { x: axis, y: axis, vx: quantized(-100, 100, 0.5), vy: quantized(-100, 100, 0.5) },
  { position: ["x", "y"], velocity: ["vx", "vy"] },
);
/** Not spatial. */
export const Score = object("score", { points: uint(16) });

export function smallWorld(): World {
  return new World({ protocol: new Protocol({ objects: [Ship, Drone, Crate, Score, Comet] }) });
}

export type SetSettings = Omit<ObjectSetSettings, "match">;

/** One set for everything, centred on the origin unless `pivots` say otherwise. */
export function viewOf(set: SetSettings, pivots: readonly Pivot[] = [{ point: [0, 0] }]): ViewSettings {
  return { sets: [{ match: "everything", ...set }], pivots };
}

export function resolved(world: World, settings: ViewSettings): ReturnType<typeof resolveView> {
  return resolveView(settings, world, new MetricRegistry());
}

/** Decisions in words, e.g. `["create 3 by creation in 0"]`, ordered by id; a send that puts a motion model to rest "settles". */
export function inWords({ count, ids, kinds, causes, zones, settled }: Decisions): string[] {
  const names = Object.keys(DecisionKind);
  return Array.from({ length: count }, (_, i) => i)
    .sort((a, b) => ids[a]! - ids[b]!)
    .map((i) => {
      const what = `${names[kinds[i]!]} ${ids[i]} by ${CAUSE_NAMES[causes[i]!]} in ${zones[i]}`;
      return settled[i] === 1 ? `${what}, settles` : what;
    });
}

/** One model on one world, round after round. */
export class Story {
  readonly world: World;
  readonly model: ConsistencyModel;
  round = 0;

  constructor(world: World, model: ConsistencyModel) {
    this.world = world;
    this.model = model;
  }

  /** Commits what the server wrote and plays one round; what was decided for `view`. */
  play(view: ViewId): string[] {
    this.world.commit(0);
    this.round += 1;
    this.model.round(this.round);
    return inWords(this.model.decisions(view));
  }

  /** Plays that many rounds, in which nothing may be decided for `view`. */
  rest(view: ViewId, rounds: number): void {
    for (let i = 0; i < rounds; i++) expect(this.play(view)).toEqual([]);
  }

  /** Plays rounds until something is decided for `view`; the round in which it was, or `Infinity` after `most` rounds. */
  playUntilSent(view: ViewId, beforeEach: () => void = () => {}, most = 300): number {
    for (let i = 0; i < most; i++) {
      beforeEach();
      if (this.play(view).length > 0) return this.round;
    }
    return Number.POSITIVE_INFINITY;
  }

  acknowledge(view: ViewId, id: ObjectId, round: number = this.round): void {
    this.model.acknowledge(view, id, round);
  }

  lose(view: ViewId, id: ObjectId, round: number = this.round): void {
    this.model.lose(view, id, round);
  }
}

type Model = new (world: World, options: ModelOptions) => ConsistencyModel;

/** The models that must decide alike: stories are told to each. */
export const MODELS: readonly (readonly [string, Model])[] = [
  ["ReferenceEngine", ReferenceEngine],
  ["Engine", Engine],
];

export const ROUND_MS = 50;

/** What stories begin with, for one of the models. */
export function storyOf(Model: Model) {
  function begin(options: Partial<ModelOptions> = {}): { world: World; story: Story; model: ConsistencyModel } {
    const world = smallWorld();
    const model = new Model(world, { roundMs: ROUND_MS, ...options });
    return { world, story: new Story(world, model), model };
  }

  /** A ship ten units off, seen through one set; created in round 1 and acknowledged. */
  function watch(set: SetSettings, options: ViewOptions = {}, pivots?: readonly Pivot[]) {
    const { world, story, model } = begin();
    const ship = world.spawn(Ship, { x: 10, y: 0 });
    const view = model.addView(viewOf(set, pivots), options);
    expect(story.play(view)).toEqual([`create ${ship.id} by creation in 0`]);
    story.acknowledge(view, ship.id);
    return { world, story, model, ship, view };
  }

  return { begin, watch };
}

export interface Send {
  readonly view: ViewId;
  readonly id: ObjectId;
  readonly round: number;
}

/** Those of one view and round at once, as packets bring them. */
export function acknowledgeTogether(model: ConsistencyModel, sends: readonly Send[]): void {
  const packets = new Map<string, Send[]>();
  for (const send of sends) {
    const key = `${send.view} ${send.round}`;
    packets.set(key, [...(packets.get(key) ?? []), send]);
  }
  for (const packet of packets.values()) {
    const { view, round } = packet[0]!;
    model.acknowledgeAll(
      view,
      Uint32Array.from(packet, ({ id }) => id),
      packet.length,
      round,
    );
  }
}

/** One by one in odd rounds, all at once in even ones, each model by its own rows. */
export function withholdTogether(
  model: ConsistencyModel,
  view: ViewId,
  held: ReadonlySet<ObjectId>,
  round: number,
): void {
  if (round % 2 === 1) {
    for (const id of held) model.withhold(view, id);
    return;
  }
  const { ids, count } = model.decisions(view);
  const rows = Array.from({ length: count }, (_, row) => row).filter((row) => held.has(ids[row]! as ObjectId));
  model.withholdAll(view, Int32Array.from(rows), rows.length);
}
