/** What the page is showing, in figures: `window.__pacman.report()`, for browser tests and the curious. Read only. */

export interface PlayReport {
  readonly status: string;
  /** Beeps sounded since joining. */
  readonly beeps: number;
  readonly room: readonly [number, number] | undefined;
  readonly own: { readonly x: number; readonly y: number; readonly score: number; readonly lives: number } | undefined;
  readonly opponents: readonly {
    readonly number: number;
    readonly name: string;
    readonly x: number;
    readonly y: number;
  }[];
  /** Opponents listed with their figures in the overlay; 0 while it is shut. */
  readonly overlayRows: number;
}

declare global {
  interface Window {
    __pacman?: { report(): PlayReport | undefined };
  }
}
