/** What the page is showing, in figures: `window.__board.report()`, for browser tests and the curious. Read only. */

export interface ThingReport {
  readonly key: number;
  readonly kind: "stroke" | "note";
  readonly x: number;
  readonly y: number;
  readonly colour: number;
  readonly author: number;
  readonly words: string;
  /** Whether it waits for a link. */
  readonly waits: boolean;
  /** Where its middle is on the screen, CSS pixels. */
  readonly screenX: number;
  readonly screenY: number;
}

export interface BoardReport {
  readonly status: string;
  readonly self: number;
  readonly tool: string;
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
  readonly things: readonly ThingReport[];
  readonly selected: number;
  readonly people: readonly { readonly name: string; readonly away: boolean; readonly pointing: boolean }[];
  /** What others are writing. */
  readonly drafts: readonly string[];
  /** Requests that are not confirmed, and texts. */
  readonly unconfirmed: number;
  /** Things on the screen that are not live. */
  readonly notLive: number;
}

declare global {
  interface Window {
    __board?: { report(): BoardReport | undefined };
  }
}
