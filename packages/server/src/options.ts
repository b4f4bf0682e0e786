/**
 * The options of a server and its rooms, with defaults. `resolveOptions` fills in defaults and refuses values that cannot work, naming the
 * option. Times are milliseconds of the host's clock, so slow rounds do not stretch them. Without a clock they are counted in nominal
 * rounds.
 */

import type { Pivot, ViewLimits, ViewSettings, World } from "@nearfield/core";
import type {
  ClientPivots,
  ConsistencyModel,
  Crew,
  ModelOptions,
  ThresholdSettings,
  UnitSettings,
  Visibility,
} from "@nearfield/core/internal";
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
   * Links that have not said hello. Default 256. When one more comes, the oldest link of the address with the most such links is closed
   * with "too-many". If no address has more of them than the newcomer's, the newcomer is closed with "full".
   */
  readonly strangers: number;
  /** Bytes that a link may send before it is let in, not counting credentials. Default 1,024; more is refused with "flood". */
  readonly strangerBytes: number;
  /**
   * Players of one network address (of IPv6: of one /64), including those away. `serve` allows an address the same number of links. Default
   * 64; one more is refused with "too-many". Raise it for load tests, or if many play from behind one address; `Infinity` is no limit.
   */
  readonly perAddress: number;
  /**
   * Players of one address that may be away when another of that address joins. Default 16. If there are more, those that played for the
   * shortest time are ended with "too-many". So clients that say hello and vanish cannot fill a server.
   */
  readonly awayPerAddress: number;
  /** Hellos of one address per second, after a first burst of `perAddress`. Default 8; more are refused with "too-many". */
  readonly hellosPerSecond: number;
  /**
   * Messages and bytes that one client may send within one round. Defaults 512 and 128 KiB; more ends it with "flood".
   */
  readonly messagesPerRound: number;
  readonly bytesPerRound: number;
  /** Reliable messages of one client that are carried out in one round; further ones wait. Default 64. */
  readonly actionsPerRound: number;
  /** Bytes waiting in a client's link beyond which its view is paused. Default 32 KiB. With a larger value, state is older when it arrives. */
  readonly backlogBytes: number;
  /** Objects a client may add for itself. Default 64. */
  readonly objectsPerPlayer: number;
  /** Locks that a client may hold or wait for at once; and clients that may wait for one lock. Defaults 16 and 64. */
  readonly locksPerPlayer: number;
  readonly waitingPerLock: number;
  /**
   * Milliseconds of the server's time that one client's messages may take per second: reading them, carrying them out, the game's handlers,
   * a changed view. Default 50. A client may use five seconds' worth at once; if it takes more, it is ended with "costly".
   */
  readonly clientMsPerSecond: number;
  /**
   * The same for all clients together. Default 300. If they take more, the clients that took most are ended with "costly", but never one
   * that took less than 5 ms.
   */
  readonly clientsMsPerSecond: number;
  /**
   * Exceptions of one place in the game's code (one handler, for example) that `onError` is told of within `times.reportMs`. Default 5.
   * Further ones are counted, and reported as one number when the time is over. A larger value costs that many more lines of log.
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
  /**
   * A client that was sent no packet for this long is sent an empty one. Default 1,000 ms. With a larger value a client whose link is dead
   * notices it later, and its interpolated pictures follow a change of the path more slowly.
   */
  readonly heartbeatMs: number;
  /** How long `authenticate` may take before the client is refused with "unavailable". Default 5,000 ms. */
  readonly authenticateMs: number;
  /** How long a lock may be held before it is taken back. Default 10,000 ms. */
  readonly lockMs: number;
  /** The interval for `limits.reportsPerPlace`. Default 10,000 ms. */
  readonly reportMs: number;
}

/** The options of one room. */
export interface RoomOptions {
  /** What a joining client sees, until the client or the game asks for another view. */
  readonly view: ViewSettings;
  /** The room's first state: "active" (default), or "setup" until `enable` is called (V §4). */
  readonly state?: "setup" | "active";
  /** The consistency model. Default: `Engine`. */
  readonly model?: (world: World, options: ModelOptions) => ConsistencyModel;
  /** Metrics for the model. Within a round a metric must give the same answer to the same question. */
  readonly metrics?: ModelOptions["metrics"];
  /**
   * What players may know of: a function, which is asked of every object in a player's range, in every round; `{ whenChanged: function }`, which
   * is asked when something changed; or `{ teams }`, who see what their units see. Default: everything is visible. docs/guide/visibility.md.
   */
  readonly visible?: Visibility<Player>;
  /**
   * Gives each client ids of its own for objects, in the order in which it learns of them. The world's ids count births, so in a world with
   * secrets they would tell a client how many objects were born that it does not see. Ids in commands, events and fields of the game are not translated:
   * use `player.entityOf` and `player.idOf`. Default false. See docs/guide/visibility.md.
   */
  readonly idsPerClient?: boolean;
  /**
   * When a client is sent anything, objects that have reached this share of their bound are sent with it, if that saves packets. Above 0, at
   * most 1. Default 0.5; 1 turns it off. A smaller share costs more updates and saves more packets. See docs/guide/views.md.
   */
  readonly ripe?: number;
  /**
   * Pairs of a client and an object that the auditor checks per round, in turns. Default 256; 0 switches the auditor off. A larger value
   * finds a fault sooner, within 2 × ⌈pairs ÷ auditSample⌉ rounds, and costs half a microsecond to one for each pair.
   */
  readonly auditSample?: number;
  /**
   * Makes the threads that help a room's model. Called once for each room; the threads end with the room. Default: none, the round runs on
   * one thread. On Node: `() => new WorkerCrew(1)` of @nearfield/core/node. When it pays: docs/guide/threads.md.
   */
  readonly crew?: () => Crew;
  /**
   * The most bytes per second that one client is sent, without debug traffic. Default: no limit but the client's link. If bytes run short,
   * the most urgent state goes first and the rest is withheld. If that lasts, outer bounds are loosened. All of it is counted.
   */
  readonly budget?: number;
  /**
   * Groups each player's own objects by distance and heading. Each group, a unit, is one more pivot of the player's view, after those that the
   * client or the game set. Default: none. See docs/guide/views.md.
   */
  readonly units?: UnitSettings;
  /**
   * The most that a client's view may ask for, at any place and for any object. Default `limitsOf(view)`: what `view` grants, with one
   * pivot, no zoom, no groups and no cameras. What each setting grants: docs/guide/views.md.
   */
  readonly viewLimits?: ViewLimits;
  /**
   * By which factors the outer zones of clients' groups and cameras grow, and how far a pivot moves before a client tells of it. Clients are told. Default: the
   * client's own factors, and a message once a camera has moved by a fiftieth of its shorter side. docs/guide/views.md.
   */
  readonly clientPivots?: ClientPivots;
  /**
   * Metrics by thresholds of dead reckoning, as plain settings; views call each one `thresholds:NAME`. They can stand in a settings file.
   * Default: none but those of `metrics`.
   */
  readonly thresholds?: readonly ThresholdSettings[];
  /**
   * Whether a client may use this pivot for its view. Default: a player may use its own objects; a spectator may use any object and any
   * point.
   */
  readonly mayPivot?: (player: Player, pivot: Pivot) => boolean;
  /** The game's last word on a client's view, after clamping: return other settings, or throw to refuse. Default: none. */
  readonly authorise?: (player: Player, settings: ViewSettings) => ViewSettings;
  /**
   * Whether a client may have its view explained. Default: all may. An explanation tells how far a replica is from the truth. A game in
   * which players could exploit that refuses it.
   */
  readonly mayExplain?: (player: Player) => boolean;
  /** Types of which clients may add and remove objects of their own (F §4.2.2). Default: none. */
  readonly clientMayAdd?: readonly ObjectType[];
  /** What becomes of a player's objects when it leaves. Default "destroy"; "keep" hands them to the server. */
  readonly objectsOfLeavers?: "destroy" | "keep";
  /** Keeps what clients were sent of targets, so that a shot can be judged by what the player saw. Default: nothing is kept. */
  readonly lagCompensation?: LagCompensationOptions;
  /**
   * Who may spectate: "nobody" (default), "anybody" who asks for it with `role: "spectator"`, or whoever a function accepts. A spectator
   * sees the world and controls its own view. If `authenticate` names a role, that role counts instead.
   */
  readonly spectators?: Spectators;
  /** What happens when a nickname is taken: "suffix" (default; ann becomes ann-2), or "refuse". */
  readonly takenNickname?: "suffix" | "refuse";
}

export interface ServerOptions extends RoomOptions {
  readonly protocol: Protocol;
  /** Nominal length of a round, ms. */
  readonly roundMs: number;
  /** Makes the secret of a session: at least 8 bytes that nobody can guess. */
  readonly tokenSource: () => Uint8Array;
  /**
   * The clock that the rounds follow, ms. With it clients are told the time between two rounds. Default: the time of the last round, which
   * leaves clients' clocks wrong by up to one round.
   */
  readonly now?: () => number;
  /**
   * Processor time that the process has used so far, ms. The length of rounds is measured by it, for `roundShare`. So a round that the
   * machine interrupted is not taken for a long one. Default: `now`.
   */
  readonly processorMs?: () => number;
  /**
   * The share of `roundMs` that a round of all rooms may take. While rounds take longer, the bounds of outer zones are loosened and clients
   * take turns: each is served in every second or third round, at least in every eighth. Default 0.6; `Infinity`: rounds take as long as they
   * do. Needs `now` or `processorMs`. With a larger share clients are sent more, and less time is left for reading messages and for slow rounds. See
   * docs/guide/budget.md.
   */
  readonly roundShare?: number;
  /**
   * Decides who gets in, and as whom (`player.identity`). May return a promise; meanwhile the client waits at the door, as one of
   * `limits.strangers`, for at most `times.authenticateMs`. Default: everybody may join, as a player. `signedTokens` of
   * @nearfield/server/node makes one for signed tokens. See docs/guide/accounts.md.
   */
  readonly authenticate?: Authenticate;
  /**
   * The number of this server in a world of several, from 0 to 8,191. Default 0. Objects and players get world ids that contain it, so no
   * other server gives the same ids. In a world of several servers, a server that is started anew must take a number that no server had
   * before.
   */
  readonly serverNumber?: number;
  readonly limits?: Partial<ServerLimits>;
  readonly times?: Partial<ServerTimes>;
  /**
   * Told of exceptions that the game's code throws, of its rejected promises, and of failures in serving one client. The round goes on.
   * Throttled: see `limits.reportsPerPlace`. If `onError` itself throws, that is counted. Default: all of these are only counted. `"throw"`
   * is for tests: `round()` throws the first of them at its end.
   */
  readonly onError?: ((error: unknown, where: string) => void) | "throw";
}

/** What all rooms of a server share. */
export interface Resolved {
  readonly protocol: Protocol;
  readonly roundMs: number;
  readonly tokenSource: () => Uint8Array;
  readonly now: (() => number) | undefined;
  readonly processorMs: (() => number) | undefined;
  readonly roundShare: number;
  readonly limits: ServerLimits;
  readonly authenticate: Authenticate | undefined;
  readonly serverNumber: number;
  readonly helloMs: number;
  readonly authenticateMs: number;
  readonly resumeMs: number;
  readonly ackMs: number;
  readonly heartbeatMs: number;
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
  heartbeatMs: 1000,
  authenticateMs: 5000,
  lockMs: 10_000,
  reportMs: 10_000,
});

const DEFAULT_ROUND_SHARE = 0.6;

export function checkBudget(bytesPerSecond: number, what: string): void {
  if (bytesPerSecond > 0) return;
  throw new ServerError("bad-option", `${what} is ${bytesPerSecond} bytes per second, but must be above 0`);
}

export function resolveOptions(options: ServerOptions): Resolved {
  const { protocol, roundMs, tokenSource, serverNumber = 0, roundShare = DEFAULT_ROUND_SHARE } = options;
  if (!(roundShare > 0)) throw new ServerError("bad-option", `roundShare is ${roundShare}, but must be above 0`);
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
    processorMs: options.processorMs,
    roundShare,
    limits,
    authenticate: options.authenticate,
    serverNumber,
    helloMs: times.helloMs,
    authenticateMs: times.authenticateMs,
    resumeMs: times.resumeMs,
    ackMs: times.ackMs,
    heartbeatMs: times.heartbeatMs,
    lockMs: times.lockMs,
    reportMs: times.reportMs,
  };
}
