/** How every unit walks at the moment: which way it wants to go, and what it remembers of the way. Columns by slot. */

export class Walkers {
  /** 1 = it wants to move in this step, along (wantX, wantY), a vector of length 1. */
  readonly moves: Uint8Array;
  readonly wantX: Float32Array;
  readonly wantY: Float32Array;
  /** Share of its speed: less than 1 uphill. */
  readonly pace: Float32Array;
  /** 1 = the straight way to the goal was clear when last looked at. */
  readonly isDirect: Uint8Array;
  /** Where its flow field stood in the cache. */
  readonly field: Int16Array;
  /** Steps in which it wanted to move and hardly did. */
  readonly stuck: Uint16Array;
  /** Steps for which a standing unit still makes room for others. */
  readonly yielding: Uint8Array;

  constructor(capacity: number) {
    this.moves = new Uint8Array(capacity);
    this.wantX = new Float32Array(capacity);
    this.wantY = new Float32Array(capacity);
    this.pace = new Float32Array(capacity);
    this.isDirect = new Uint8Array(capacity);
    this.field = new Int16Array(capacity);
    this.stuck = new Uint16Array(capacity);
    this.yielding = new Uint8Array(capacity);
  }

  reset(slot: number): void {
    for (const column of [this.moves, this.isDirect, this.stuck, this.yielding]) column[slot] = 0;
    this.field[slot] = -1;
  }
}
