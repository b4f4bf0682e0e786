/**
 * What the page remembers of each piece it draws, from frame to frame: where its body and its turret point, when it last fired. Rows lie close together; a piece
 * that is no longer shown gives its row back, and whoever asks learns where it was.
 */

const FIRST_CAPACITY = 256;

export class Tracks {
  count = 0;
  #capacity = FIRST_CAPACITY;
  id: Float64Array = new Float64Array(FIRST_CAPACITY);
  x: Float32Array = new Float32Array(FIRST_CAPACITY);
  y: Float32Array = new Float32Array(FIRST_CAPACITY);
  kind: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  side: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  /** Where the body points, and where the turret does, radians. */
  body: Float32Array = new Float32Array(FIRST_CAPACITY);
  aim: Float32Array = new Float32Array(FIRST_CAPACITY);
  firedMs: Float64Array = new Float64Array(FIRST_CAPACITY);
  /** When it fires next; 0: it does not fight. */
  nextShotMs: Float64Array = new Float64Array(FIRST_CAPACITY);
  /** When it next leaves dust, sparks or smoke. */
  nextPuffMs: Float64Array = new Float64Array(FIRST_CAPACITY);
  #stamp: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  #frame = 0;
  readonly #rows = new Map<number, number>();

  begin(): void {
    this.#frame++;
  }

  /** The row of a piece that is shown in this frame; a new one points where the piece does. */
  touch(id: number, x: number, y: number, kind: number, side: number, heading: number): number {
    let row = this.#rows.get(id) ?? -1;
    if (row < 0) row = this.#open(id, kind, side, heading);
    this.x[row] = x;
    this.y[row] = y;
    this.#stamp[row] = this.#frame;
    return row;
  }

  /** Gives back the rows of pieces that were not shown; `lost` learns of each while its row still stands. */
  end(lost: (row: number) => void): void {
    for (let row = this.count - 1; row >= 0; row--) {
      if (this.#stamp[row] === this.#frame) continue;
      lost(row);
      this.#close(row);
    }
  }

  clear(): void {
    this.count = 0;
    this.#rows.clear();
  }

  #open(id: number, kind: number, side: number, heading: number): number {
    if (this.count === this.#capacity) this.#grow();
    const row = this.count++;
    this.#rows.set(id, row);
    this.id[row] = id;
    this.kind[row] = kind;
    this.side[row] = side;
    this.body[row] = heading;
    this.aim[row] = heading;
    this.firedMs[row] = Number.NEGATIVE_INFINITY;
    this.nextShotMs[row] = 0;
    this.nextPuffMs[row] = 0;
    return row;
  }

  /** The last row moves to where the closed one was. */
  #close(row: number): void {
    this.#rows.delete(this.id[row]!);
    const last = --this.count;
    if (row === last) return;
    this.id[row] = this.id[last]!;
    this.x[row] = this.x[last]!;
    this.y[row] = this.y[last]!;
    this.kind[row] = this.kind[last]!;
    this.side[row] = this.side[last]!;
    this.body[row] = this.body[last]!;
    this.aim[row] = this.aim[last]!;
    this.firedMs[row] = this.firedMs[last]!;
    this.nextShotMs[row] = this.nextShotMs[last]!;
    this.nextPuffMs[row] = this.nextPuffMs[last]!;
    this.#stamp[row] = this.#stamp[last]!;
    this.#rows.set(this.id[row]!, row);
  }

  #grow(): void {
    this.#capacity *= 2;
    const larger = <T extends Float64Array | Float32Array | Uint32Array | Uint8Array>(old: T, column: T): T => {
      column.set(old);
      return column;
    };
    const capacity = this.#capacity;
    this.id = larger(this.id, new Float64Array(capacity));
    this.x = larger(this.x, new Float32Array(capacity));
    this.y = larger(this.y, new Float32Array(capacity));
    this.kind = larger(this.kind, new Uint8Array(capacity));
    this.side = larger(this.side, new Uint8Array(capacity));
    this.body = larger(this.body, new Float32Array(capacity));
    this.aim = larger(this.aim, new Float32Array(capacity));
    this.firedMs = larger(this.firedMs, new Float64Array(capacity));
    this.nextShotMs = larger(this.nextShotMs, new Float64Array(capacity));
    this.nextPuffMs = larger(this.nextPuffMs, new Float64Array(capacity));
    this.#stamp = larger(this.#stamp, new Uint32Array(capacity));
  }
}

/** Turns an angle towards another by at most `most`. */
export function turned(from: number, to: number, most: number): number {
  let way = (to - from) % (2 * Math.PI);
  if (way > Math.PI) way -= 2 * Math.PI;
  else if (way < -Math.PI) way += 2 * Math.PI;
  return Math.abs(way) <= most ? to : from + (way > 0 ? most : -most);
}
