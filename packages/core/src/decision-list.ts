/** The decisions of one view in one round, as growing columns that are reused round after round. */

import { enlarged, heap, type Room } from "./engine/memory.ts";
import type { ObjectId } from "./ids.ts";
import type { Cause, DecisionKind, Decisions } from "./model.ts";

const FIRST_LENGTH = 64;

export class DecisionList implements Decisions {
  count = 0;
  withheld = 0;
  ids: Uint32Array;
  kinds: Uint8Array;
  causes: Uint8Array;
  zones: Uint8Array;
  urgencies: Float64Array;
  settled: Uint8Array;
  readonly #room: Room;

  constructor(room: Room = heap) {
    this.#room = room;
    this.ids = room.words(FIRST_LENGTH);
    this.kinds = room.bytes(FIRST_LENGTH);
    this.causes = room.bytes(FIRST_LENGTH);
    this.zones = room.bytes(FIRST_LENGTH);
    this.urgencies = room.reals(FIRST_LENGTH);
    this.settled = room.bytes(FIRST_LENGTH);
  }

  push(id: ObjectId, kind: DecisionKind, cause: Cause, zone: number, urgency: number, settled: boolean): void {
    const at = this.count++;
    if (at === this.ids.length) this.#grow();
    this.ids[at] = id;
    this.kinds[at] = kind;
    this.causes[at] = cause;
    this.zones[at] = zone;
    this.urgencies[at] = urgency;
    this.settled[at] = settled ? 1 : 0;
  }

  clear(): void {
    this.count = 0;
    this.withheld = 0;
  }

  /** Room for so many more, for a writer that fills the columns itself. */
  reserve(more: number): void {
    while (this.count + more > this.ids.length) this.#grow();
  }

  #grow(): void {
    const room = this.#room;
    const length = this.ids.length * 2;
    this.ids = enlarged(room, this.ids, length);
    this.kinds = enlarged(room, this.kinds, length);
    this.causes = enlarged(room, this.causes, length);
    this.zones = enlarged(room, this.zones, length);
    this.urgencies = enlarged(room, this.urgencies, length);
    this.settled = enlarged(room, this.settled, length);
  }

  /** Gives its memory back. */
  dispose(): void {
    for (const column of [this.ids, this.kinds, this.causes, this.zones, this.urgencies, this.settled]) {
      this.#room.release(column);
    }
  }
}
