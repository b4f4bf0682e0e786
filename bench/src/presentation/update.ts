/** What one update says, whoever sends it and however it is written. */

export interface Update {
  readonly sentMs: number;
  readonly x: number;
  readonly y: number;
  readonly velocityX: number;
  readonly velocityY: number;
  readonly accelerationX: number;
  readonly accelerationY: number;
  readonly heading: number;
  readonly turnRate: number;
}

/** What is drawn: position and heading. */
export interface Shown {
  x: number;
  y: number;
  heading: number;
}

/** The receiving side, on the receiver's frames. */
export interface Receiver {
  receive(update: Update, nowMs: number): void;
  /** False before the first update. */
  show(nowMs: number, out: Shown): boolean;
}
