/** What the page is showing, in figures: `window.__frontier.report()`, for browser tests and the curious. Read only. */

import type { Line } from "./speech.ts";

export interface SeenReport {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

export interface OwnReport extends SeenReport {
  /** Where the server has put it; `x` and `y` are where it is drawn. */
  readonly known: { readonly x: number; readonly y: number };
  readonly health: number;
  readonly gold: number;
  readonly down: number;
  readonly said: number;
}

export interface PlayReport {
  readonly status: string;
  /** The room of the yard where the player is; undefined: in the country. */
  readonly yard: string | undefined;
  /** Host and port of the server that was joined. A player of the country may have gone on at another one since. */
  readonly server: string;
  /** The newest round of its server that the page has heard of. */
  readonly round: number;
  readonly own: OwnReport | undefined;
  readonly heroes: readonly (SeenReport & { readonly name: string })[];
  readonly beasts: readonly SeenReport[];
  readonly bolts: number;
  readonly heard: readonly Line[];
}

declare global {
  interface Window {
    __frontier?: { report(): PlayReport };
  }
}
