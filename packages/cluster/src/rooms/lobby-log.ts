/**
 * The records of the lobby in a log of the bus: changes, and now and then all records anew, so that the log can be trimmed. A log takes an entry only after
 * the one that its writer names, so a keeper whose place was taken writes nothing any more: its successor begins with an entry of its own.
 *
 * A whole set of records may need several entries. It counts once its last part is there.
 */

import type { Bus } from "../bus/bus.ts";
import { encode, parse } from "./messages.ts";

const LOG = "lobby";
/** Bytes of one entry, about. */
const MOST_ENTRY_CHARACTERS = 300_000;
/** Entries after which all records are written anew. */
const ENTRIES = 200;

/** By id; null: gone. */
export type Changes = ReadonlyMap<string, unknown>;

interface Entry {
  readonly puts: readonly (readonly [string, unknown])[];
  /** Of a whole set: which part this is, from 1 on, and of how many. */
  readonly part?: number;
  readonly parts?: number;
}

export class LobbyLog {
  readonly #bus: Bus;
  readonly #records = new Map<string, unknown>();
  #sequence = 0;
  #entries = 0;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  get records(): ReadonlyMap<string, unknown> {
    return this.#records;
  }

  /** Reads the log, and writes what it holds on top of it. `done` is told whether both succeeded: nobody else writes from then on. */
  takeOver(done: (isTaken: boolean) => void): void {
    let parts: (readonly [string, unknown])[] = [];
    this.#bus.logs.read(
      LOG,
      0,
      (payload, sequence) => {
        this.#sequence = sequence;
        const { puts, part, parts: count } = parse(payload) as Entry;
        if (part === undefined) return this.#apply(puts);
        parts = part === 1 ? [...puts] : [...parts, ...puts];
        if (part !== count) return;
        this.#records.clear();
        this.#apply(parts);
      },
      (isWhole) => (isWhole ? this.#writeWhole(done) : done(false)),
    );
  }

  /** Writes changes. `done` is told whether they are written for sure. */
  write(changes: Changes, done: (isWritten: boolean) => void): void {
    const puts = [...changes];
    this.#append([{ puts }], (isWritten) => {
      if (isWritten) this.#apply(puts);
      if (!isWritten || this.#entries < ENTRIES) done(isWritten);
      else this.#writeWhole(done);
    });
  }

  #writeWhole(done: (isWritten: boolean) => void): void {
    const chunks: (readonly [string, unknown])[][] = [[]];
    let length = 0;
    for (const put of this.#records) {
      length += JSON.stringify(put).length;
      if (length > MOST_ENTRY_CHARACTERS) {
        chunks.push([]);
        length = 0;
      }
      chunks.at(-1)!.push(put);
    }
    const entries = chunks.map((puts, at) => ({ puts, part: at + 1, parts: chunks.length }));
    this.#append(entries, (isWritten, first) => {
      if (isWritten) this.#bus.logs.trim(LOG, first);
      if (isWritten) this.#entries = 0;
      done(isWritten);
    });
  }

  /** One after the other. `done` is told the sequence of the first. */
  #append(entries: readonly Entry[], done: (isWritten: boolean, first: number) => void, first = 0): void {
    const [entry, ...rest] = entries;
    if (entry === undefined) return done(true, first);
    this.#bus.logs.append(LOG, encode(entry), this.#sequence, (outcome) => {
      if (outcome.kind !== "written") return done(false, first);
      this.#sequence = outcome.at;
      this.#entries += 1;
      this.#append(rest, done, first || outcome.at);
    });
  }

  #apply(puts: Entry["puts"]): void {
    for (const [id, value] of puts) {
      if (value === null) this.#records.delete(id);
      else this.#records.set(id, value);
    }
  }
}
