/** What the page is showing, in figures: `window.__skirmish.report()`, for browser tests and the curious. Read only. */

export interface PieceReport {
  readonly id: number;
  readonly kind: string;
  readonly side: number;
  /** World units, as it is drawn. */
  readonly x: number;
  readonly y: number;
  /** CSS pixels. */
  readonly screenX: number;
  readonly screenY: number;
  readonly health: number;
  readonly built: number;
  readonly doing: string;
  readonly selected: boolean;
}

export interface PlayReport {
  readonly status: string;
  /** "webrtc", "websocket", or "" without a link. */
  readonly linkKind: string;
  readonly phase: string | undefined;
  readonly winner: number | undefined;
  readonly map: string | undefined;
  readonly seed: number | undefined;
  /** `NO_SIDE` for spectators. */
  readonly ownSide: number;
  readonly ore: number;
  readonly units: readonly PieceReport[];
  readonly buildings: readonly PieceReport[];
  readonly remembered: readonly PieceReport[];
  readonly orePatches: readonly {
    readonly x: number;
    readonly y: number;
    readonly screenX: number;
    readonly screenY: number;
  }[];
  readonly selected: number;
  readonly aim: string;
  readonly placing: string;
  /** Whether what is placed fits under the pointer; undefined: nothing is placed. */
  readonly fits: boolean | undefined;
  /** Whether a box is drawn now. */
  readonly isBoxing: boolean;
  readonly camera: { readonly x: number; readonly y: number; readonly zoom: number; readonly rotation: number };
  readonly marks: readonly {
    readonly what: string;
    readonly x: number;
    readonly y: number;
    readonly refused: boolean;
  }[];
  readonly paths: number;
  readonly overlay: boolean;
  /** Cells of the fog that are seen now. */
  readonly seenCells: number;
  readonly orders: number;
  /** Time of the page's own code per frame, ms, over the last 600 frames. */
  readonly frame: { readonly count: number; readonly p50: number; readonly p95: number };
}

declare global {
  interface Window {
    __skirmish?: { report(): PlayReport | undefined };
  }
}
