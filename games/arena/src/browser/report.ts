/** What the page is showing, in figures: `window.__arena.report()`, for browser tests and the curious. Read only. */

export interface AvatarReport {
  readonly number: number;
  /** As it is drawn. */
  readonly x: number;
  readonly y: number;
  readonly heading: number;
  readonly condition: string;
  readonly health: number;
  readonly weapon: string;
  readonly bullets: number;
  readonly rockets: number;
  readonly zoomed: boolean;
}

export interface FightReport {
  readonly status: string;
  /** "webrtc", "websocket", or "" without a link. */
  readonly linkKind: string;
  readonly level: string | undefined;
  readonly phase: string | undefined;
  /** Undefined for spectators. */
  readonly own: AvatarReport | undefined;
  /** And where they are on the screen, CSS pixels. */
  readonly opponents: readonly (AvatarReport & {
    readonly name: string;
    readonly screenX: number;
    readonly screenY: number;
  })[];
}

export interface PlayReport extends FightReport {
  /** Number of the avatar that is followed; 0: the own one. */
  readonly following: number;
  /** Hits given, kills and deaths of this player, and shots that were seen. */
  readonly hits: number;
  readonly kills: number;
  readonly deaths: number;
  readonly shots: number;
  readonly sounds: number;
  /** Updates of avatars since joining. */
  readonly updates: number;
  /** 0: plain, 1: the camera has gone to where the scope looks. */
  readonly scope: number;
  readonly overlay: boolean;
  /** Whether every square of the level that will be kept is painted: from then on frames only copy. */
  readonly painted: boolean;
  /** Time of the page's own code per frame, ms, over the last 600 frames. */
  readonly frame: { readonly count: number; readonly p50: number; readonly p95: number };
}

declare global {
  interface Window {
    __arena?: { report(): PlayReport | undefined };
  }
}
