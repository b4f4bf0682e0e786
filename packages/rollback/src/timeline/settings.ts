/**
 * How a timeline treats what it does not know yet. The known ways to keep replicas alike are settings of one mechanism (N9, H2 to H6).
 *
 * A step takes the state with its number to the next one. The head is the state that is shown, the tail the newest state that can no longer change.
 */

import { RollbackError } from "../errors.ts";

export interface TimelineSettings {
  readonly players: number;
  /** Bytes of one player's input for one step. */
  readonly inputBytes: number;
  /** Steps by which an input waits before it acts, on all machines alike. */
  readonly lag?: number;
  /** Steps that the head may be ahead of the inputs that are in; 0: it waits for everybody (lockstep). */
  readonly ahead?: number;
  /**
   * Ticks without a word of a player during which its last input is repeated; after that it stands still. Where a player's packets come unevenly, its usual silence is added,
   * so many ticks again at most.
   */
  readonly guess?: number;
  /**
   * What follows when a guess was wrong. `"never"`: nothing, the head stays wrong. A number: so many corrective steps in one tick, until the corrected head is
   * now. `Infinity`: all of them in one tick. A tick is a step's time; one that comes some steps late does the work of those that were missed.
   */
  readonly repair?: number | "never";
  /** Steps in one tick by which the tail may advance by steps of its own, where the head's states are no use to it. */
  readonly conservative?: number;
  /** Trailing states: a wrong guess is noticed only so many steps after its step, at the first of these that is late enough. */
  readonly trail?: readonly number[];
  /** Whether players may take back what they did (anti-messages). The tail then goes only as far as all have promised to take nothing back. */
  readonly retracts?: boolean;
  /** Steps that are kept: the head is never further ahead of the tail. */
  readonly kept?: number;
  /** The input of a player who does nothing; zeros if it is not given. */
  readonly still?: Uint8Array;
  /** The state at which this timeline begins: 0, or that of a snapshot. */
  readonly from?: number;
  /** Players who are not there at that state; they may be let in later. */
  readonly absent?: readonly number[];
}

export type KnownSettings = Required<TimelineSettings>;

export const KEPT_STEPS = 128;

const DEFAULTS = {
  lag: 0,
  ahead: 100,
  guess: 3,
  repair: 3,
  conservative: 2,
  trail: [],
  retracts: false,
  kept: KEPT_STEPS,
  from: 0,
  absent: [],
} as const;

export type TimelineName = "lockstep" | "hybrid" | "buckets" | "timeWarp" | "trailingState";

/** The timelines of the literature, to be spread into the settings of a session. */
export const TIMELINES: Readonly<Record<TimelineName, Partial<TimelineSettings>>> = {
  /** Everybody waits for everybody. */
  lockstep: { ahead: 0 },
  /** Both simulators of the hybrid model: corrections are spread over time. */
  hybrid: { repair: 3, guess: 3 },
  /** MiMaze: inputs act 100 ms later (two steps of 50 ms); what is late after that is never seen by the head. */
  buckets: { lag: 2, repair: "never", guess: 3 },
  /** A straggler rolls everything back at once, and what was sent since may be taken back. */
  timeWarp: { repair: Number.POSITIVE_INFINITY, retracts: true },
  /** Errors are looked for twice, 100 and 300 ms late with steps of 50 ms. */
  trailingState: { trail: [2, 6], repair: Number.POSITIVE_INFINITY },
};

export function known(settings: TimelineSettings): KnownSettings {
  const all = { ...DEFAULTS, still: new Uint8Array(settings.inputBytes), ...settings };
  whole("players", all.players, 1, 255);
  whole("inputBytes", all.inputBytes, 1, 1024);
  whole("kept", all.kept, 4, 65_536);
  whole("lag", all.lag, 0, all.kept - 3);
  whole("guess", all.guess, 0, all.kept);
  whole("from", all.from, 0, Number.MAX_SAFE_INTEGER);
  whole("conservative", all.conservative, 1, all.kept);
  if (!(all.ahead >= 0)) throw bad("ahead", "a number of steps, 0 or more", all.ahead);
  if (all.repair !== "never" && !(all.repair >= 2))
    throw bad("repair", 'at least 2, since the head moves on by one, or "never"', all.repair);
  if (all.trail.some((delay, at) => !(delay > (all.trail[at - 1] ?? 0))))
    throw bad("trail", "ascending numbers of steps above 0", all.trail);
  if (all.still.length !== all.inputBytes)
    throw bad("still", `${all.inputBytes} bytes, as inputBytes says`, all.still.length);
  return all;
}

function whole(name: string, value: number, least: number, most: number): void {
  if (!(Number.isInteger(value) && value >= least && value <= most))
    throw bad(name, `a whole number from ${least} to ${most}`, value);
}

function bad(name: string, wanted: string, value: unknown): RollbackError {
  return new RollbackError("bad-option", `${name} must be ${wanted}, not ${String(value)}`);
}
