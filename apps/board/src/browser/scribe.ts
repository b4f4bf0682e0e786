/**
 * Words that go on notes under a lock. A lock makes sure that one person writes on a note at a time; what is written travels with its release.
 *
 * Words are never lost in silence. Those that the server has not confirmed when a session ends are written again in the next one, if the note still
 * says what it said before. Those that cannot be written (the note is gone, somebody else wrote meanwhile, the lock was taken back) are kept
 * as leftovers, for the person to decide.
 */

import type { Client, Replicated } from "@nearfield/client";
import { lock, onRefused, release } from "@nearfield/client/writing";
import type { ObjectId } from "@nearfield/schema";
import { Note } from "../shared.ts";
import type { Entry } from "./outbox.ts";

interface Written {
  readonly key: number;
  readonly before: string;
  readonly words: string;
  readonly id: ObjectId;
  /** A request that was sent right after the words: when it is confirmed, so are they. */
  after: Entry | undefined;
}

export interface ScribeOptions {
  readonly client: () => Client | undefined;
  /** The note was written or read anew here. */
  readonly changed: (key: number, id: ObjectId) => void;
  /** Brings the note to the front, by a request of its own. */
  readonly raise: (key: number) => Entry | undefined;
  readonly leftover: (words: string) => void;
}

/** How long a note that is to be written may take to arrive after a join, ms. */
const ARRIVAL_MS = 3000;

/** Words that wait for a link, and for their note to arrive. */
interface Waiting {
  readonly key: number;
  readonly before: string;
  readonly words: string;
  /** Page time since when there is a link, ms. */
  sinceMs: number | undefined;
}

export class Scribe {
  readonly #options: ScribeOptions;
  #unconfirmed: Written[] = [];
  #waiting: Waiting[] = [];

  constructor(options: ScribeOptions) {
    this.#options = options;
  }

  /** Texts that the server has not confirmed. */
  get unconfirmed(): number {
    return this.#unconfirmed.length + this.#waiting.length;
  }

  /** A client has joined, in place of another perhaps. */
  follow(client: Client): void {
    onRefused(client, (id) => this.#refused(id));
    const again = this.#unconfirmed;
    this.#unconfirmed = [];
    for (const { key, before, words } of again) this.write(key, before, words);
  }

  /** Forgets what is confirmed, and writes what can be written by now. Call it in every frame. */
  settle(nowMs: number): void {
    this.#unconfirmed = this.#unconfirmed.filter(({ after }) => after?.done !== true);
    const client = this.#options.client();
    if (client?.state !== "active" || this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const text of waiting) this.#tryToWrite(client, text, nowMs);
  }

  #tryToWrite(client: Client, text: Waiting, nowMs: number): void {
    const [note] = client.world.where(Note, ({ key }) => key === text.key);
    text.sinceMs ??= nowMs;
    if (note !== undefined) this.#write(client, note, text).catch(() => this.#options.leftover(text.words));
    else if (nowMs - text.sinceMs < ARRIVAL_MS) this.#waiting.push(text);
    else this.#options.leftover(text.words);
  }

  /** Writes on a note that this page has locked, and gives the lock back. */
  release(key: number, id: ObjectId, before: string, words: string): void {
    const client = this.#options.client();
    const note = client?.world.get(Note, id);
    if (client === undefined || client.state === "ended" || note === undefined || !client.world.isLocked(note)) {
      if (words !== before) this.write(key, before, words);
      return;
    }
    if (words === before) {
      release(client, note);
      return;
    }
    note.words = words;
    release(client, note);
    this.#options.changed(key, id);
    this.#unconfirmed.push({ key, before, words, id, after: this.#options.raise(key) });
  }

  /** Asks for the lock, writes, and gives the lock back; only if the note then says what it said before. */
  write(key: number, before: string, words: string): void {
    this.#waiting.push({ key, before, words, sinceMs: undefined });
  }

  async #write(client: Client, found: Replicated<typeof Note.shape>, { key, before, words }: Waiting): Promise<void> {
    const note = await lock(client, found);
    const said = note.words;
    if (said === before) {
      this.release(key, found.id, before, words);
      return;
    }
    release(client, note);
    if (said !== words) throw new Error("somebody else wrote meanwhile");
  }

  #refused(id: ObjectId): void {
    const lost = this.#unconfirmed.filter((written) => written.id === id);
    this.#unconfirmed = this.#unconfirmed.filter((written) => written.id !== id);
    for (const { key, words } of lost) {
      this.#options.changed(key, id);
      this.#options.leftover(words);
    }
  }
}
