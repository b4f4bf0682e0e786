/**
 * An orderly end. A draining server takes nobody in. It lets the game finish its work (`server.onDrain`) while rounds go on, then tells
 * every client that it closes. It is gone within a stated time, whatever the game or a client does.
 */

import type { NodeServer } from "./serve.ts";

export interface DrainOptions {
  /** Milliseconds from the beginning to the end, at most. Default 5,000. Handlers get up to four fifths of it, goodbyes the rest. */
  readonly graceMs?: number;
  /** What clients are told. Default "the server closes". */
  readonly detail?: string;
}

export interface SignalOptions extends DrainOptions {
  /** Default SIGTERM and SIGINT. */
  readonly signals?: readonly NodeJS.Signals[];
  /** Told what happens. Default: the console. */
  readonly log?: (line: string) => void;
  /** Called when all servers are gone. Default: ends the process with code 0, or 1 where one of them could not close. */
  readonly exit?: (code: number) => void;
}

/**
 * Drains these servers when the process is asked to end. A second signal ends the process at once. Returns a function that removes the
 * signal handlers.
 *
 * ```ts
 * drainOnSignals([server], { detail: "back in a minute" });
 * ```
 */
export function drainOnSignals(servers: readonly NodeServer[], options: SignalOptions = {}): () => void {
  const { signals = ["SIGTERM", "SIGINT"], log = console.log, exit = (code) => process.exit(code) } = options;
  let isDraining = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isDraining) return exit(1);
    isDraining = true;
    log(`${signal}: telling players, then closing …`);
    Promise.all(servers.map((server) => server.drain(options))).then(
      () => exit(0),
      (error: unknown) => {
        log(`a server could not close: ${String(error)}`);
        exit(1);
      },
    );
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
