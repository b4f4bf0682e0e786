/**
 * What the server says of each seat of an action space. Players have the addresses 0 to `slots` − 1, which are also their numbers in the fight. Spectators
 * have the addresses from `slots` on.
 *
 * A player who comes back (a page that is loaded anew, a player who was voted out) is a new *entry* of the same seat: the fight lets it in anew. A member
 * that connects again is a new *visit*: ways to it are made anew.
 */

export interface Seat {
  readonly address: number;
  /** Counts how often somebody connected; 0 while nobody is there. */
  readonly visit: number;
  /** Counts how often somebody came into the fight; 0: nobody yet. */
  readonly entry: number;
  /** Entries up to this one are out: they left, or the server ruled so. */
  readonly outTo: number;
  /** Whether the fight has let that entry in, as the server knows. */
  readonly isIn: boolean;
  /** Whether it is somebody whom the server drew to check the fight: all players tell it what they signed. */
  readonly isObserver: boolean;
  /** The player that lets this seat in, or tells a spectator what is final; −1: none is named. */
  readonly sponsor: number;
}

export const NO_SPONSOR = -1;

export function emptySeat(address: number): Seat {
  return { address, visit: 0, entry: 0, outTo: 0, isIn: false, isObserver: false, sponsor: NO_SPONSOR };
}

/** What a player tells the server of the fight: when it changes, and once a second. */
export interface SpaceReport {
  readonly entry: number;
  /** Whether it takes part: before that it is still being let in. */
  readonly isPlaying: boolean;
  /** Players whom it knows to be gone, and those whom it wants to leave. */
  readonly gone: readonly number[];
  readonly suspects: readonly number[];
  /** Its newest final state. */
  readonly tail: number;
}

/** What a member asks of the server. */
export interface SpacePort {
  /** Hands a frame over for another address. False: not now, and the frame is lost. */
  relay(to: number, frame: Uint8Array): boolean;
  /** Hands a signal over for another address, reliably. */
  signal(to: number, bytes: Uint8Array): void;
  report(report: SpaceReport): void;
  /** Asks for a new entry, after this one is out. */
  enter(): void;
}
