/**
 * The replicas of one type that are here now, as a plain list, and when each was last updated. The client's news keep it up to date, so that a frame
 * reads it without asking the world and without garbage.
 */

import type { Client, Replicated } from "@nearfield/client";
import type { Fields, ObjectType } from "@nearfield/schema";

export class Roster<F extends Fields> {
  readonly #type: ObjectType<F>;
  /** In no order. An object may be gone before the client has told: ask `alive` before reading. */
  readonly list: Replicated<F>[] = [];
  /** Page time of the last update, row by row as `list`. */
  readonly updatedMs: number[] = [];
  readonly #rows = new Map<number, number>();

  constructor(type: ObjectType<F>) {
    this.#type = type;
  }

  /** Takes up another client, with whatever it has already. */
  follow(client: Client): void {
    this.list.length = 0;
    this.updatedMs.length = 0;
    this.#rows.clear();
    for (const entity of client.world.all(this.#type)) this.#add(entity);
    client.onSpawn(this.#type, (entity) => this.#add(entity));
    client.onUpdate(this.#type, ({ id }) => this.#stamp(id));
    client.onLeave(this.#type, ({ id }) => this.#remove(id));
    client.onDestroy(this.#type, ({ id }) => this.#remove(id));
  }

  get(id: number): Replicated<F> | undefined {
    const row = this.#rows.get(id);
    const entity = row === undefined ? undefined : this.list[row];
    return entity?.alive ? entity : undefined;
  }

  #add(entity: Replicated<F>): void {
    if (this.#rows.has(entity.id)) return;
    this.#rows.set(entity.id, this.list.length);
    this.list.push(entity);
    this.updatedMs.push(performance.now());
  }

  #stamp(id: number): void {
    const row = this.#rows.get(id);
    if (row !== undefined) this.updatedMs[row] = performance.now();
  }

  /** The last one takes its row. */
  #remove(id: number): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#rows.delete(id);
    const last = this.list.pop()!;
    const lastMs = this.updatedMs.pop()!;
    if (row === this.list.length) return;
    this.list[row] = last;
    this.updatedMs[row] = lastMs;
    this.#rows.set(last.id, row);
  }
}
