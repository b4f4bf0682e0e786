/**
 * The parts of `join` that are the same in every environment. It refuses unknown options, waits until the client has joined or ended, and
 * joins again after a restart of the server. An entry point brings the link, the clock, the dice and the loop that calls `update`.
 */

import { IS_DEVELOPMENT } from "@nearfield/schema/internal";
import { badOption, CLIENT_KEYS, checkKeys, type Keys } from "./check-options.ts";
import type { Client } from "./client.ts";
import { ClientError } from "./errors.ts";
import type { ClientOptions } from "./options.ts";
import { type Rejoin, type RejoinOptions, rejoinAfter } from "./rejoin.ts";

/** What an entry point gives for one call of its `join`. */
export interface Joining<Options> {
  readonly address: string;
  readonly options: Options;
  /** Joins again, with other options. */
  readonly join: (options: Options) => Promise<Client>;
  /** The entry point's clock and dice. */
  readonly host: Pick<Rejoin, "wait" | "now" | "random">;
  /** Makes the first update. */
  readonly begin: () => void;
  readonly onJoined?: () => void;
  /** The client has ended, and its loop ends with it. */
  readonly onEnded: () => void;
}

/** Resolves with the client when it has joined; rejects with `ClientError` where it ends before. */
export function untilIn<Options extends Pick<ClientOptions, "reconnect"> & RejoinOptions>(
  client: Client,
  { address, options, join, host, begin, onJoined, onEnded }: Joining<Options>,
): Promise<Client> {
  return new Promise((resolve, reject) => {
    client.untilJoined().then(
      () => {
        onJoined?.();
        resolve(client);
      },
      () => {},
    );
    client.onState((state, reason) => {
      if (state !== "ended") return;
      onEnded();
      rejoinAfter(client, reason, {
        onRejoin: options.onRejoin,
        rejoinMs: options.rejoinMs,
        join: (joinMs) => join({ ...options, reconnect: { ...options.reconnect, joinMs } }),
        ...host,
      });
      reject(new ClientError(reason?.code ?? "link", `${address}: ${reason?.detail ?? "no connection"}`));
    });
    begin();
  });
}

/** The keys of `join`'s options: those of a client without the ones that `join` sets itself, and `join`'s own. */
export function joinKeys<Own, Decided extends keyof ClientOptions>(
  own: Keys<Own>,
  decided: readonly Decided[],
): Keys<Omit<ClientOptions, Decided> & Own> {
  const keys: Record<string, true> = { ...CLIENT_KEYS, ...own };
  for (const key of decided) delete keys[key];
  return keys as Keys<Omit<ClientOptions, Decided> & Own>;
}

/** Throws `ClientError` where the options of `join`, or those of its link, have a key that is not known. For development builds. */
export function checkJoinKeys<Options extends { readonly link?: object }>(
  options: Options,
  keys: Keys<Options>,
  linkKeys: Keys<NonNullable<Options["link"]>>,
): void {
  if (typeof options !== "object" || options === null)
    throw badOption("join(): needs an object with at least protocol and nickname");
  checkKeys(options, keys, "join()");
  if (options.link !== undefined) checkKeys(options.link, linkKeys, "join(): link");
}

/**
 * Throws `ClientError` for what is no address of a server.
 *
 * @param scheme what the address begins with, up to its colon; undefined where it cannot be read.
 */
export function checkAddress(address: string, scheme: string | undefined): void {
  if (!/^(ws|http)s?:$/.test(scheme ?? ""))
    throw badOption(
      IS_DEVELOPMENT &&
        `join(): ${JSON.stringify(address)} is no address of a server; it must begin with ws:// or wss://`,
    );
}
