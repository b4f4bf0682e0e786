/**
 * Early sends: sends in flight that build on a packet that is itself in flight. If that packet is lost, the client leaves them out even if
 * their own packets arrive, so they are lost too. A block is a stretch of one packet's sends that build on one other packet. There are
 * blocks only while a client is told of moving objects that it was first sent less than a round trip ago. So the list is short, and mostly
 * empty.
 */

/** Columns of a block: the packet it is in; the packet it builds on; its first send, and the one after its last. */
const PACKET = 0;
const BASE = 1;
const FROM = 2;
const TO = 3;
const ROW = 4;
const FIRST_BLOCKS = 16;

/** Called for each block in turn. */
export type BlockTaker = (packet: number, base: number, from: number, to: number) => void;

export class EarlyBlocks {
  #rows: Int32Array = new Int32Array(FIRST_BLOCKS * ROW);
  #count = 0;

  /** Notes that a send of `packet` builds on packet `base`. The sends of one block must be added one after another. */
  add(packet: number, base: number, send: number): void {
    const last = (this.#count - 1) * ROW;
    const rows = this.#rows;
    if (last >= 0 && rows[last + PACKET] === packet && rows[last + BASE] === base && rows[last + TO] === send) {
      rows[last + TO] = (send + 1) | 0;
      return;
    }
    const at = this.#count * ROW;
    if (at === rows.length) {
      this.#rows = new Int32Array(at * 2);
      this.#rows.set(rows);
    }
    this.#rows[at + PACKET] = packet;
    this.#rows[at + BASE] = base;
    this.#rows[at + FROM] = send;
    this.#rows[at + TO] = (send + 1) | 0;
    this.#count += 1;
  }

  /** Takes out the blocks that build on `base`. */
  takeBuiltOn(base: number, take?: BlockTaker): void {
    if (this.#count > 0) this.#take(BASE, base, take);
  }

  /** Takes out the blocks that are in `packet`. */
  takeIn(packet: number, take?: BlockTaker): void {
    if (this.#count > 0) this.#take(PACKET, packet, take);
  }

  #take(column: number, wanted: number, take: BlockTaker | undefined): void {
    const rows = this.#rows;
    let kept = 0;
    for (let at = 0; at < this.#count * ROW; at += ROW) {
      if (rows[at + column] === wanted) {
        take?.(rows[at + PACKET]!, rows[at + BASE]!, rows[at + FROM]!, rows[at + TO]!);
        continue;
      }
      if (at !== kept) rows.copyWithin(kept, at, at + ROW);
      kept += ROW;
    }
    this.#count = kept / ROW;
  }
}
