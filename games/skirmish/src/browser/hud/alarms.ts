/** Where the own side is attacked: the newest last. A key goes to the last one; a spot that is attacked on and on rings once in a while. */

const AGAIN_MS = 6000;
const NEAR = 240;
const KEPT = 8;
/** So long one may still want to go there by a button, ms. */
const FRESH_MS = 10_000;

export interface Alarm {
  readonly x: number;
  readonly y: number;
  readonly atMs: number;
}

export class Alarms {
  readonly list: Alarm[] = [];

  /** True if it is news. */
  add(x: number, y: number, nowMs: number): boolean {
    const isKnown = this.list.some(
      (alarm) => nowMs - alarm.atMs < AGAIN_MS && Math.hypot(alarm.x - x, alarm.y - y) < NEAR,
    );
    if (isKnown) return false;
    this.list.push({ x, y, atMs: nowMs });
    if (this.list.length > KEPT) this.list.shift();
    return true;
  }

  get last(): Alarm | undefined {
    return this.list.at(-1);
  }

  isFresh(nowMs: number): boolean {
    return this.last !== undefined && nowMs - this.last.atMs < FRESH_MS;
  }

  clear(): void {
    this.list.length = 0;
  }
}
