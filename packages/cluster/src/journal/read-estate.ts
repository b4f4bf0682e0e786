/**
 * Reads what a dead server left. The log is sealed first, so that what was read stays all that there is: a server that is only believed dead cannot write
 * any more, and nothing that it does is acknowledged.
 */

import type { Protocol } from "@nearfield/schema";
import type { Bus } from "../bus/bus.ts";
import { decodeEntry, type Estate, encodeEntry, fold, type JournalEntry } from "./entries.ts";
import { logOf } from "./log-writer.ts";

export interface ReadEstateOptions {
  readonly bus: Bus;
  readonly protocol: Protocol;
  readonly dead: number;
  /** The server that seals. */
  readonly by: number;
}

/** Seals and reads. `done` gets undefined if the bus did not answer, or the log cannot be read: try again. */
export function readEstate(options: ReadEstateOptions, done: (estate: Estate | undefined) => void): void {
  const { bus, protocol, dead, by } = options;
  const entries: JournalEntry[] = [];
  let last = 0;
  let isBroken = false;
  const readOn = (): void =>
    bus.logs.read(
      logOf(dead),
      last,
      (payload, sequence) => {
        last = sequence;
        try {
          entries.push(decodeEntry(protocol, payload));
        } catch {
          isBroken = true;
        }
      },
      (isWhole) => {
        if (!isWhole || isBroken) done(undefined);
        else if (entries.some(({ kind }) => kind === "seal")) done(fold(entries));
        else seal();
      },
    );
  const seal = (): void =>
    bus.logs.append(logOf(dead), encodeEntry(protocol, { kind: "seal", by }), last, (outcome) => {
      if (outcome.kind === "written") done(fold(entries));
      else readOn();
    });
  readOn();
}
