/** Rules that hide objects from views, of every kind that a room can have, for random worlds. What they answer changes as dice say, and they tell if they have to. */

import type { ObjectId } from "@nearfield/schema";
import type { Entity, World } from "../src/index.ts";
import { type ConsistencyModel, PlainVisibility, type ViewId, type Visibility } from "../src/internal/index.ts";
import type { TeamVisionSettings } from "../src/visibility.ts";
import type { Digits } from "./scenario.ts";

/** walls: teams, where nobody sees through some cells. */
export const FOGS = ["clear", "asked", "told", "teams", "walls"] as const;
export type FogKind = (typeof FOGS)[number];

type Placed = Entity & { readonly x?: number };

export class Fog {
  readonly visible: Visibility<ViewId> | undefined;
  /** What was changed of objects and views so far: a number each. */
  readonly #objects = new Map<ObjectId, number>();
  readonly #views = new Map<ViewId, number>();

  /** @param reach objects lie within this far of the middle, mostly. */
  constructor(kind: FogKind, reach: number, cell: number) {
    if (kind === "clear") return;
    if (kind === "asked") this.visible = (view, entity) => this.#isAway(view, entity);
    else if (kind === "told") this.visible = { whenChanged: (view, entity) => this.#whim(view, entity) % 4 !== 0 };
    else {
      const teams: TeamVisionSettings<ViewId> = {
        area: { min: [-reach, -reach], max: [reach, reach * 0.9] },
        cell,
        teamOf: (view) => ([0, 1, 2, 0, 1, "everything", undefined] as const)[(view + this.#of(view)) % 7],
        teamOfObject: ({ id }) => ([0, 1, 2, undefined] as const)[(id + this.#ofObject(id)) % 4],
        sight: ({ id }) => [0, 0.5, 1, 2.5, 4][(id * 7 + this.#ofObject(id)) % 5]! * cell,
        ...(kind === "walls" && {
          blocks: (x, y) => Math.abs(Math.floor(x / cell) * 7 + Math.floor(y / cell) * 3) % 4 === 0,
        }),
      };
      this.visible = { teams };
    }
  }

  /** Hides some objects from some views, and changes as they move. */
  #isAway(view: ViewId, entity: Entity): boolean {
    const { x } = entity as Placed;
    return x === undefined || (Math.floor(x / 8) + view + this.#of(view)) % 4 !== 0;
  }

  #whim(view: ViewId, { id }: Entity): number {
    return id * 3 + this.#ofObject(id) + view * 5 + this.#of(view);
  }

  #of(view: ViewId): number {
    return this.#views.get(view) ?? 0;
  }

  #ofObject(id: ObjectId): number {
    return this.#objects.get(id) ?? 0;
  }

  /** Changes an answer or two, and tells the models. */
  stir(dice: Digits, world: World, views: readonly ViewId[], models: readonly ConsistencyModel[]): void {
    if (this.visible === undefined || dice.next() < 0.5) return;
    const slot = dice.below(Math.max(1, world.store.slotHigh));
    if (world.store.isLive(slot) && dice.next() < 0.8) {
      const object = world.store.idAt(slot);
      this.#objects.set(object, dice.below(20));
      for (const model of models) model.visibilityChanged({ object });
    }
    if (views.length === 0 || dice.next() < 0.9) return;
    const view = dice.pick(views);
    this.#views.set(view, dice.below(20));
    for (const model of models) model.visibilityChanged({ view });
  }

  /** Whether a view may know of an object, by brute force. */
  judgeOn(world: World): (view: ViewId, entity: Entity, round: number) => boolean {
    const { visible } = this;
    if (visible === undefined) return () => true;
    const plain = new PlainVisibility(world, visible);
    return (view, entity, round) => plain.isVisible(view, entity, round);
  }
}
