/** What a player does in one step, in four bytes: where it runs, where it looks, and which keys are down. Any four bytes are an input. */

import { exact } from "@nearfield/simulation";

export const INPUT_BYTES = 4;
export const HEADINGS = 256;

export const Key = { fire: 1, use: 2, dash: 4 } as const;

export interface Deed {
  /** −1 to 1 each way; a longer vector counts as 1 long. */
  readonly moveX: number;
  readonly moveY: number;
  /** Radians: 0 looks along +x, π/2 down. */
  readonly heading: number;
  readonly fires: boolean;
  readonly uses: boolean;
  readonly dashes: boolean;
}

export function writeInput(deed: Deed, into: Uint8Array): void {
  into[0] = stick(deed.moveX);
  into[1] = stick(deed.moveY);
  into[2] = Math.round((deed.heading / (2 * Math.PI)) * HEADINGS) & (HEADINGS - 1);
  into[3] = (deed.fires ? Key.fire : 0) | (deed.uses ? Key.use : 0) | (deed.dashes ? Key.dash : 0);
}

/** A stick's byte as a number from −1 to 1. */
export function stickOf(byte: number): number {
  return Math.max(-1, ((byte << 24) >> 24) / 127);
}

/** Unit vectors by heading; the same bits on every machine. */
export const HEADING_X: Float64Array = Float64Array.from({ length: HEADINGS }, (_, at) =>
  exact.cosine((at / HEADINGS) * 2 * Math.PI),
);
export const HEADING_Y: Float64Array = Float64Array.from({ length: HEADINGS }, (_, at) =>
  exact.sine((at / HEADINGS) * 2 * Math.PI),
);

function stick(share: number): number {
  return Math.round(Math.max(-1, Math.min(1, share)) * 127) & 255;
}
