/** The items of a level: where they lie, who takes them, when they are back. */

import type { Entity, World } from "@nearfield/core";
import { type Fighter, isStanding } from "./fighter.ts";
import { load, needs, touches } from "./rules.ts";
import { Item } from "./shared.ts";
import { ITEMS, type ItemKind } from "./state.ts";
import type { Terrain } from "./terrain.ts";

interface Lying {
  readonly entity: Entity<typeof Item.shape>;
  readonly kind: ItemKind;
  readonly x: number;
  readonly y: number;
  backMs: number;
}

export class Pickups {
  readonly #world: World;
  #items: readonly Lying[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** Lays out the items of a level, instead of those that lay here. */
  lay(terrain: Terrain): void {
    for (const { entity } of this.#items) this.#world.destroy(entity);
    this.#items = terrain.items.map(({ x, y, kind }) => ({
      entity: this.#world.spawn(Item, { x, y, kind, ready: true }),
      kind,
      x,
      y,
      backMs: 0,
    }));
  }

  /** Gives items to those who stand on them and need them. `taken` is told of each; health is for it to give. */
  step(fighters: Iterable<Fighter>, nowMs: number, taken: (fighter: Fighter, item: Lying) => void): void {
    const standing = [...fighters].filter(isStanding);
    for (const item of this.#items) {
      if (nowMs < item.backMs) continue;
      if (!item.entity.ready) item.entity.ready = true;
      for (const fighter of standing) {
        if (!touches(fighter.avatar, item) || !needs(fighter.avatar, item.kind)) continue;
        load(fighter.avatar, item.kind);
        item.entity.ready = false;
        item.backMs = nowMs + ITEMS[item.kind].backMs;
        taken(fighter, item);
        break;
      }
    }
  }
}
