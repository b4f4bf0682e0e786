/** What the page is showing, in figures: `window.__outpost.report()`, for browser tests and the curious. Read only. */

import type { Counts } from "./hud/purse.ts";

export interface PersonReport {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly bot: boolean;
  readonly lantern: boolean;
}

export interface FightReport {
  readonly own: number;
  readonly status: string;
  readonly head: number;
  readonly tail: number;
  readonly rollbacks: number;
  /** Others whose final state differed from this page's. */
  readonly desyncs: number;
  readonly peers: readonly { readonly name: string; readonly state: string; readonly rttMs: number }[];
  readonly x: number;
  readonly y: number;
  readonly health: number;
  readonly monsters: number;
  /** The monster that is nearest as the crow flies. */
  readonly nearest: { readonly x: number; readonly y: number } | undefined;
  readonly exits: readonly { readonly x: number; readonly y: number }[];
  /** What lies about. */
  readonly pickups: readonly { readonly kind: number; readonly x: number; readonly y: number }[];
  readonly carried: Counts;
}

export interface PlayReport {
  readonly status: string;
  readonly where: "town" | "dungeon";
  readonly own: { readonly x: number; readonly y: number } | undefined;
  readonly place: string | undefined;
  readonly people: readonly PersonReport[];
  readonly goods: Counts;
  readonly party: readonly string[];
  readonly chat: readonly string[];
  /** The name of the claimed account; undefined for a guest. */
  readonly account: string | undefined;
  /** Dungeons of others that this page checks. */
  readonly checks: number;
  readonly fight: FightReport | undefined;
  /** Time of the page's own code per frame, ms, over the last 600 frames. */
  readonly frame: { readonly count: number; readonly p50: number; readonly p95: number };
}

declare global {
  interface Window {
    __outpost?: { report(): PlayReport | undefined };
  }
}
