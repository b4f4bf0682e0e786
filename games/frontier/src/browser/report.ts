/** What the page is showing, in figures: `window.__frontier.report()`, for browser tests and the curious. Read only. */

import type { Line } from "./speech.ts";

export interface SeenReport {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

export interface PlayReport {
  readonly status: string;
  readonly own:
    | (SeenReport & { readonly health: number; readonly gold: number; readonly down: number; readonly said: number })
    | undefined;
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
