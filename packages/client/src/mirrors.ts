/**
 * Objects whose replicas show a state that this client predicted, where the server said nothing else. What the server last said of them is
 * kept here: its next words are about that. A client that predicts nothing has none of this.
 */

import { type ObjectId, slotOf } from "@nearfield/schema";
import type { Wire } from "@nearfield/schema/internal";
import type { ReplicaStore } from "./replica-store.ts";

export class Mirrors {
  readonly #store: ReplicaStore;
  /** All fields of each object as the server last sent them. */
  readonly #told: Map<ObjectId, readonly Wire[]> = new Map();

  constructor(store: ReplicaStore) {
    this.#store = store;
  }

  /** Shows a predicted state in the frame that is being applied. */
  show(id: ObjectId, values: Readonly<Record<string, unknown>>): void {
    const store = this.#store;
    const slot = slotOf(id);
    const table = store.objects.tableAt(slot);
    const row = store.objects.row[slot]!;
    const { fields } = table.type;
    if (!this.#told.has(id)) {
      this.#told.set(
        id,
        fields.map(({ index }) => store.wireOf(id, index)),
      );
    }
    let changed = 0;
    for (const { index, name, field } of fields) {
      const wire = field.toWire(values[name] as never);
      if (field.sameWire(store.wireOf(id, index), wire)) continue;
      store.put(table, row, index, wire);
      changed |= 1 << index;
    }
    if (changed !== 0) store.updated(slot, changed, false);
  }

  /** Gives the object back the state that the server last sent. */
  takeAway(id: ObjectId): void {
    const wires = this.#told.get(id);
    if (wires === undefined) return;
    this.#told.delete(id);
    const { objects } = this.#store;
    const slot = slotOf(id);
    const table = objects.tableAt(slot);
    for (const { index } of table.type.fields) this.#store.put(table, objects.row[slot]!, index, wires[index]!);
  }

  forget(id: ObjectId): void {
    this.#told.delete(id);
  }
}
