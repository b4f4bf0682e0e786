/**
 * What lies on the board, by key, with the bounds on how much that may be.
 *
 * When the board is full, the oldest thing of somebody who has left makes room. If nobody has left, the newcomer is refused.
 */

import type { Entity, World } from "@nearfield/core";
import { MOST_THINGS, MOST_THINGS_OF_ONE, Note, type RefusalOfBoard, Stroke } from "./shared.ts";

export type StrokeEntity = Entity<typeof Stroke.shape>;
export type NoteEntity = Entity<typeof Note.shape>;
export type Thing = StrokeEntity | NoteEntity;

export function isStroke(thing: Thing): thing is StrokeEntity {
  return (thing.type as unknown) === Stroke;
}

export function isNote(thing: Thing): thing is NoteEntity {
  return (thing.type as unknown) === Note;
}

export interface ThingLimits {
  /** Of everybody together, and of one person. */
  readonly most: number;
  readonly mostOfOne: number;
}

export class Things {
  readonly #world: World;
  readonly #limits: ThingLimits;
  /** In the order in which they came. */
  readonly #byKey = new Map<number, Thing>();
  readonly #counts = new Map<number, number>();

  constructor(world: World, { most = MOST_THINGS, mostOfOne = MOST_THINGS_OF_ONE }: Partial<ThingLimits> = {}) {
    this.#world = world;
    this.#limits = { most, mostOfOne };
  }

  get count(): number {
    return this.#byKey.size;
  }

  get(key: number): Thing | undefined {
    return this.#byKey.get(key);
  }

  countOf(author: number): number {
    return this.#counts.get(author) ?? 0;
  }

  /** Makes room for one more thing of this author; undefined: there is room now. */
  makeRoom(author: number, isHere: (author: number) => boolean): RefusalOfBoard | undefined {
    if (this.countOf(author) >= this.#limits.mostOfOne) return "too-many";
    if (this.count < this.#limits.most) return undefined;
    for (const thing of this.#byKey.values()) {
      if (isHere(thing.author)) continue;
      this.remove(thing);
      return undefined;
    }
    return "board-full";
  }

  add(thing: Thing): void {
    this.#byKey.set(thing.key, thing);
    this.#counts.set(thing.author, this.countOf(thing.author) + 1);
  }

  remove(thing: Thing): void {
    this.#byKey.delete(thing.key);
    const left = this.countOf(thing.author) - 1;
    if (left > 0) this.#counts.set(thing.author, left);
    else this.#counts.delete(thing.author);
    this.#world.destroy(thing);
  }
}
