/**
 * What a server can be told, with defaults. `resolveOptions` fills them in and refuses values that cannot work, naming
 * the option. Times are counted in milliseconds of the host's clock, so that slow rounds do not stretch them; without a clock, of nominal rounds.
 */

import type { Entity, Pivot, ViewLimits, ViewSettings, World } from "@nearfield/core";
import type { ConsistencyModel, Crew, ModelOptions } from "@nearfield/core/internal";
import type { ObjectType, Protocol } from "@nearfield/schema";
import { MAX_ORIGINS } from "@nearfield/schema/internal";
import { ServerError } from "./errors.ts";
import type { LagCompensationOptions } from "./hits/lag-compensation.ts";
import type { Authenticate, Spectators } from "./session/identity.ts";
import type { Player } from "./session/player.ts";

export interface ServerLimits {
  /** Players in all rooms, those away included. Default 4,096; one more is refused with "full". */
  readonly players: number;
  /**
   * Links that have not said hello. Default 256. One more takes the place of the oldest link of the address that has most of them, which is closed with
   * "too-many"; where no address has more than the newcomer's, the newcomer is closed with "full".
   */
  readonly strangers: number;
  /** Bytes of messages that a link may send before it is let in, credentials apart. Default 1,024; more is refused with "flood". */
  readonly strangerBytes: number;
  /**
   * Players of one network address (of IPv6: of one /64), those away included; `serve` also lets an address have no more links than that. Default 64; one
   * more is refused with "too-many". Raise it for load tests, or where many play from behind one address; `Infinity` is no limit.
   */
  readonly perAddress: number;
  /**
   * Players of one address that may be away when another of that address joins. Default 16; of more than that, those that were here for the shortest time
   * are ended with "too-many". So clients that say hello and vanish fill no server.
   */
  readonly awayPerAddress: number;
  /** Hellos of one address in a second, after `perAddress` at once. Default 8; more are refused with "too-many". */
  readonly hellosPerSecond: number;
  /**
   * Messages and bytes that one client may send within one round. Defaults 512 and 128 KiB; more ends it with "flood".
   */
  readonly messagesPerRound: number;
  readonly bytesPerRound: number;
  /** Reliable messages of one client that are carried out in one round; further ones wait. Default 64. */
  readonly actionsPerRound: number;
  /**
   * Bytes waiting in a client's link past which its view is paused. Default 32 KiB; a larger value lets state grow
   * older.
   */
  readonly backlogBytes: number;
  /** Objects a client may add for itself. Default 64. */
  readonly objectsPerPlayer: number;
  /** Locks a client may hold or wait for at once, and clients that may wait for one lock. Defaults 16 and 64. */
  readonly locksPerPlayer: number;
  readonly waitingPerLock: number;
  /**
   * Milliseconds of the server's time that one client's messages may take in a second: reading them, carrying them out, the game's handlers, a changed view.
   * Default 50, of which five seconds' worth may be taken at once; more ends the client with "costly".
   */
  readonly clientMsPerSecond: number;
  /**
   * The same for all clients together. Default 300; when they take more, those that took most are ended with "costly", never one that took less than 5 ms.
   */
  readonly clientsMsPerSecond: number;
  /**
   * Exceptions of one place in the game's code (one handler, say) that `onError` is told of within `times.reportMs`. Default 5; further ones are counted,
   * and told as one number when the time is over. A larger value costs that many more lines of log.
   */
  readonly reportsPerPlace: number;
}

export interface ServerTimes {
  /** How long a link may stay silent before its hello. Default 5,000 ms. */
  readonly helloMs: number;
  /**
   * How long a session is kept after its link broke. Default 30,000 ms; a larger value keeps its objects in the world
   * longer.
   */
  readonly resumeMs: number;
  /** How long frames may go without any ack before the link is closed with "no-acks". Default 10,000 ms. */
  readonly ackMs: number;
  /** How long `authenticate` may take before the client is refused with "unavailable". Default 5,000 ms. */
  readonly authenticateMs: number;
  /** How long a lock may be held before it is taken back. Default 10,000 ms. */
  readonly lockMs: number;
  /** How long exceptions of one place are counted together; see `limits.reportsPerPlace`. Default 10,000 ms. */
  readonly reportMs: number;
}

/** What the game of one room decides. */
export interface RoomOptions {
  /** What a joining client sees until it, or the game, asks for something else. */
  readonly view: ViewSettings;
  /** Where the room begins: "active" (default), or "setup" until `enable` is called (V §4). */
  readonly state?: "setup" | "active";
  /** The consistency model. Default: `Engine`. */
  readonly model?: (world: World, options: ModelOptions) => ConsistencyModel;
  /** Metrics and visibility of the model; `visible` is told the player instead of the view. Both must answer alike within a round. */
  readonly metrics?: ModelOptions["metrics"];
  readonly visible?: (player: Player, entity: Entity) => boolean;
  /**
   * Pairs of a client and an object that the auditor looks at in a round, in turns. Default 256; 0 switches it off. A larger value finds a
   * fault sooner, within 2 × ⌈pairs ÷ auditSample⌉ rounds, and costs half a microsecond to one for each pair.
   */
  readonly auditSample?: number;
  /**
   * Makes the threads that help a room's model; called once for each room, whose end is theirs. Default: none, the round has one thread.
   * On Node, `() => new WorkerCrew(1)` of @nearfield/core/node; when it pays is in docs/guide/threads.md.
   */
  readonly crew?: () => Crew;
  /**
   * Bytes per second that one client is sent at most, debug traffic apart. Default: no limit but the client's link. When it does not
   * suffice, state goes by urgency, the rest is withheld, and if that lasts, outer bounds are loosened; all of it is counted.
   */
  readonly budget?: number;
  /**
   * The most a client's view may ask for, at any place and for any object. Default `limitsOf(view)`: what `view` grants, with one pivot, without
   * zoom and groups. What each setting of it grants is in docs/guide/views.md.
   */
  readonly viewLimits?: ViewLimits;
  /**
   * Whether a client may centre its view so. Default: a player on objects of its own, a spectator on anything and
   * anywhere.
   */
  readonly mayPivot?: (player: Player, pivot: Pivot) => boolean;
  /** A last say over a client's view, after clamping: return other settings, or throw to refuse. Default: none. */
  readonly authorise?: (player: Player, settings: ViewSettings) => ViewSettings;
  /**
   * Whether a client may have its view explained. Default: all may. An explanation tells how far a replica is from the
   * truth: a game in which that is worth knowing refuses it.
   */
  readonly mayExplain?: (player: Player) => boolean;
  /** Types of which clients may add and remove objects of their own (F §4.2.2). Default: none. */
  readonly clientMayAdd?: readonly ObjectType[];
  /** What becomes of a player's objects when it leaves. Default "destroy"; "keep" hands them to the server. */
  readonly objectsOfLeavers?: "destroy" | "keep";
  /** Keeps what clients were sent of targets, so that a shot can be judged by what its player saw. Default: nothing is kept. */
  readonly lagCompensation?: LagCompensationOptions;
  /**
   * Who may look on: "nobody" (default), "anybody" who asks for it with `role: "spectator"`, or whom a function lets. A spectator sees,
   * and steers its view; where `authenticate` names a role, that counts instead.
   */
  readonly spectators?: Spectators;
  /** What happens when a nickname is taken: "suffix" (default; ann becomes ann-2), or "refuse". */
  readonly takenNickname?: "suffix" | "refuse";
}

export interface ServerOptions extends RoomOptions {
  readonly protocol: Protocol;
  /** Nominal length of a round, ms. */
  readonly roundMs: number;
  /** Makes the secret that names a session; at least 8 bytes that nobody can guess. */
  readonly tokenSource: () => Uint8Array;
  /**
   * Milliseconds of the clock that the rounds follow, to tell clients the time between two rounds. Default: the time of the last round,
   * which leaves their clocks wrong by up to a round.
   */
  readonly now?: () => number;
  /**
   * Decides who gets in, and as whom: `player.identity`. May return a promise; meanwhile the client waits at the door, as one of
   * `limits.strangers`, for at most `times.authenticateMs`. Without it everybody may join, as a player. `signedTokens` of
   * @nearfield/server/node is one for signed tokens. docs/guide/accounts.md.
   */
  readonly authenticate?: Authenticate;
  /**
   * Which of the world's servers this is, from 0 to 8,191. Default 0. Objects and players get world ids by it that no other server gives; a server of
   * a world of several that starts anew takes a number that nobody had before.
   */
  readonly serverNumber?: number;
  readonly limits?: Partial<ServerLimits>;
  readonly times?: Partial<ServerTimes>;
  /**
   * Told of exceptions that the game's code throws or its promises reject with, and of what fails in serving one client; the round goes on. Throttled:
   * see `limits.reportsPerPlace`. What it throws itself is counted. Default: all of them are only counted. `"throw"` is for tests: `round()`
   * throws the first of them at its end.
   */
  readonly onError?: ((error: unknown, where: string) => void) | "throw";
}

/** What all rooms of a server share. */
export interface Resolved {
  readonly protocol: Protocol;
  readonly roundMs: number;
  readonly tokenSource: () => Uint8Array;
  readonly now: (() => number) | undefined;
  readonly limits: ServerLimits;
  readonly authenticate: Authenticate | undefined;
  readonly serverNumber: number;
  readonly helloMs: number;
  readonly authenticateMs: number;
  readonly resumeMs: number;
  readonly ackMs: number;
  readonly lockMs: number;
  readonly reportMs: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = Object.freeze({
  players: 4096,
  strangers: 256,
  strangerBytes: 1024,
  perAddress: 64,
  awayPerAddress: 16,
  hellosPerSecond: 8,
  messagesPerRound: 512,
  bytesPerRound: 128 * 1024,
  actionsPerRound: 64,
  backlogBytes: 32 * 1024,
  objectsPerPlayer: 64,
  locksPerPlayer: 16,
  waitingPerLock: 64,
  clientMsPerSecond: 50,
  clientsMsPerSecond: 300,
  reportsPerPlace: 5,
});

export const DEFAULT_SERVER_TIMES: ServerTimes = Object.freeze({
  helloMs: 5000,
  resumeMs: 30_000,
  ackMs: 10_000,
  authenticateMs: 5000,
  lockMs: 10_000,
  reportMs: 10_000,
});

export function checkBudget(bytesPerSecond: number, what: string): void {
  if (bytesPerSecond > 0) return;
  throw new ServerError("bad-option", `${what} is ${bytesPerSecond} bytes per second, but must be above 0`);
}

export function resolveOptions(options: ServerOptions): Resolved {
  const { protocol, roundMs, tokenSource, serverNumber = 0 } = options;
  if (!Number.isInteger(serverNumber) || serverNumber < 0 || serverNumber >= MAX_ORIGINS) {
    const rule = `must be a whole number from 0 to ${MAX_ORIGINS - 1}`;
    throw new ServerError("bad-option", `serverNumber is ${serverNumber}, but ${rule}`);
  }
  const limits = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
  for (const [name, value] of Object.entries(limits)) {
    if (!(value >= 1)) throw new ServerError("bad-option", `limits.${name} is ${value}, but must be at least 1`);
  }
  const times = { ...DEFAULT_SERVER_TIMES, ...options.times };
  for (const [name, value] of Object.entries(times)) {
    if (!(value >= 0)) throw new ServerError("bad-option", `times.${name} is ${value}, but must be 0 or more`);
  }
  return {
    protocol,
    roundMs,
    tokenSource,
    now: options.now,
    limits,
    authenticate: options.authenticate,
    serverNumber,
    helloMs: times.helloMs,
    authenticateMs: times.authenticateMs,
    resumeMs: times.resumeMs,
    ackMs: times.ackMs,
    lockMs: times.lockMs,
    reportMs: times.reportMs,
  };
}
