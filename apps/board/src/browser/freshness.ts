/** How old the picture of a thing is, and how that is said. */

import { THING_MS } from "../views.ts";

/**
 * As of how long ago a thing is shown, ms. In the live zone it is exact: 0. Elsewhere the replica was true when it was last sent, and if it has not been
 * sent for longer than its bound, it was true at least that bound ago: otherwise it would have been sent.
 *
 * @param sinceSentMs since the moment of its state
 * @param silentMs since when nothing was heard from the server; 0 while there is a link
 */
export function agoMs(zone: number, sinceSentMs: number, silentMs: number): number {
  return Math.min(Math.max(0, sinceSentMs), (THING_MS[zone] ?? THING_MS[3]) + silentMs);
}

/** "12 s ago"; empty for what is live. */
export function agoWords(ms: number): string {
  if (ms < 500) return "";
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${Math.max(1, seconds)} s ago`;
  return `${Math.round(seconds / 60)} min ago`;
}
