/** The options of a client: the protocol that it shares with the server, how to reach the server, and who the player is. */

import type { Role } from "@nearfield/protocol/internal";
import type { Protocol } from "@nearfield/schema";
import { IS_DEVELOPMENT } from "@nearfield/schema/internal";
import type { Link } from "@nearfield/transport";
import { badOption, CLIENT_KEYS, checkClientOptions, checkKeys } from "./check-options.ts";
import { DEFAULT_RECONNECT, type ReconnectOptions } from "./connection.ts";
import { checkCredentials } from "./credentials.ts";

/** The longest nickname that is sent, in characters: the server cuts it to as many (`cleanNickname`). */
const NICKNAME_CHARACTERS = 32;
/** Letters, digits and signs. The server knows the few among them that are drawn as nothing. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

export interface ClientOptions {
  readonly protocol: Protocol;
  /**
   * At least one visible character. The server cleans it, cuts it to 32 characters and 96 bytes, and may add a suffix; `client.nickname` is what
   * it made of it.
   */
  readonly nickname: string;
  /** Opens a link to the server; called again for every reconnection. */
  readonly connect: () => Link | Promise<Link>;
  /** Milliseconds of any clock that never goes back. */
  readonly now: () => number;
  /** From 0 to 1, to spread reconnections. Default: no spread. */
  readonly random?: () => number;
  /** Default "main". */
  readonly room?: string;
  /** What to ask for: "player" (default), or "spectator", which the server grants or not. `client.role` tells what was granted. */
  readonly role?: Role;
  /**
   * What the server's `authenticate` is shown: a signed token, for example; at most 3,072 bytes. A function is called before each attempt
   * to join, so that it can fetch a token that has not expired. A session that is taken up again needs no credentials. Default: none.
   */
  readonly credentials?: string | (() => string | Promise<string>);
  /**
   * `client.ticket` of a client that is gone, to go on as the same player. If the server does not know the session any more, this client
   * joins anew.
   */
  readonly ticket?: string | undefined;
  readonly reconnect?: Partial<ReconnectOptions>;
  /**
   * Told of exceptions of the game's handlers and activities, at most once a second for each kind of handler. The other handlers run all
   * the same. Default: exceptions are thrown to whoever calls `update`. `join` reports them to the page, or to the console, and goes on.
   */
  readonly onError?: (error: unknown, where: string) => void;
  /** Unreliable events older than this are dropped, ms. Default 1,000. */
  readonly eventAgeMs?: number;
  /**
   * The moment of the server's time to show, ms; asked whenever messages are taken in, at least once per `update`. Default: the
   * server's time now, `client.clock.timeMs`.
   */
  readonly renderTime?: () => number;
  /**
   * Time between two pings, ms. Default 1,000. They measure `roundTripMs` and keep `clock` right. While the clock is not known to 4 ms,
   * about 30 a second are sent.
   */
  readonly pingMs?: number;
}

export interface ResolvedClientOptions
  extends Required<Omit<ClientOptions, "reconnect" | "renderTime" | "onError" | "ticket">> {
  readonly ticket?: string | undefined;
  readonly reconnect: ReconnectOptions;
  readonly renderTime?: () => number;
}

export function resolveOptions(options: ClientOptions): ResolvedClientOptions {
  if (IS_DEVELOPMENT) {
    checkKeys<ClientOptions>(options, CLIENT_KEYS, "new Client()");
    checkClientOptions(options);
  }
  const { credentials = "" } = options;
  if (typeof credentials !== "function") checkCredentials(credentials);
  const wanted = typeof options.nickname === "string" ? options.nickname.trim() : "";
  const nickname = Array.from(wanted).slice(0, NICKNAME_CHARACTERS).join("");
  if (!VISIBLE.test(nickname)) {
    throw badOption(
      IS_DEVELOPMENT && `nickname is ${JSON.stringify(options.nickname)}, but must have at least one visible character`,
    );
  }
  return {
    random: () => 1,
    room: "main",
    role: "player",
    credentials,
    eventAgeMs: 1000,
    pingMs: 1000,
    ...options,
    nickname,
    reconnect: { ...DEFAULT_RECONNECT, ...options.reconnect },
  };
}
