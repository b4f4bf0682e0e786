/**
 * The connection to a server's feed: it says hello, passes on what the server tells, matches answers to questions, and reconnects by itself.
 *
 * After a lost connection it tries again, with longer and longer waits, up to 10 s. After a wrong token or another version it stops, since the
 * next attempt would fail in the same way.
 */
import { FeedReader } from "@nearfield/inspector/internal";
import { type Ask, FEED_VERSION, type Tell, type Welcome } from "../feed-types.ts";

export type ConnectionState =
  | { readonly is: "connecting" }
  | { readonly is: "live" }
  /** `inMs` until the next try. */
  | { readonly is: "lost"; readonly everOpen: boolean; readonly detail: string; readonly inMs: number }
  | { readonly is: "refused"; readonly why: "token" | "version"; readonly detail: string };

export interface ConnectionEvents {
  onState(state: ConnectionState): void;
  onTell(tell: Tell): void;
}

/** Without an answer for so long an ask has failed. */
const PATIENCE_MS = 8000;
const RETRY_MS = [500, 1000, 2000, 5000, 10_000] as const;

/** An ask that was refused, or that nobody answered. */
export class AskError extends Error {
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

interface Waiting {
  readonly done: (tell: Tell) => void;
  readonly fail: (error: AskError) => void;
  readonly timer: number;
}

/** An ask without its number. */
export type AskBody = Ask extends infer One ? (One extends Ask ? Omit<One, "id"> : never) : never;

export class Connection {
  readonly #address: string;
  readonly #token: string;
  readonly #events: ConnectionEvents;
  readonly #waiting = new Map<number, Waiting>();
  #socket: WebSocket | undefined;
  #retry: number | undefined;
  #tries = 0;
  #everOpen = false;
  #isWelcome = false;
  #isOver = false;
  #nextId = 1;

  constructor(address: string, token: string, events: ConnectionEvents) {
    this.#address = address;
    this.#token = token;
    this.#events = events;
    this.#open();
  }

  /** Resolves with the answer; rejects with an `AskError`. */
  ask(body: AskBody): Promise<Tell> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new AskError("lost", "There is no connection to the server"));
    }
    const id = this.#nextId++;
    return new Promise((done, fail) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        fail(new AskError("no-answer", "The server did not answer"));
      }, PATIENCE_MS);
      this.#waiting.set(id, { done, fail, timer });
      socket.send(JSON.stringify({ ...body, id }));
    });
  }

  /** Tries again now instead of later. */
  retryNow(): void {
    if (this.#retry === undefined) return;
    clearTimeout(this.#retry);
    this.#open();
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#retry);
    this.#socket?.close(1000);
    this.#failAll("The connection was closed");
  }

  #open(): void {
    this.#retry = undefined;
    this.#isWelcome = false;
    this.#events.onState({ is: "connecting" });
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.ask({ ask: "hello", token: this.#token, version: FEED_VERSION }).catch(() => {
        // Said by `refused`, or by the close that follows.
      });
    });
    const reader = new FeedReader();
    socket.addEventListener("message", ({ data }) => {
      for (const tell of reader.read(data)) this.#receive(tell);
    });
    socket.addEventListener("close", ({ code, reason }) => this.#closed(code, reason));
  }

  #receive(tell: Tell): void {
    if (this.#isOver) return;
    if (tell.tell === "welcome") this.#welcome(tell);
    if (tell.tell === "refused" && (tell.code === "token" || tell.code === "version")) {
      this.#refuse(tell.code, tell.detail);
    }
    this.#answer(tell);
    if (this.#isWelcome) this.#events.onTell(tell);
  }

  #welcome({ version }: Welcome): void {
    if (version !== FEED_VERSION) {
      this.#refuse("version", `The server speaks version ${version} of the feed, this page version ${FEED_VERSION}.`);
      return;
    }
    this.#isWelcome = true;
    this.#everOpen = true;
    this.#tries = 0;
    this.#events.onState({ is: "live" });
  }

  #answer(tell: Tell): void {
    const id = "id" in tell ? tell.id : undefined;
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id!);
    clearTimeout(waiting.timer);
    if (tell.tell === "refused") waiting.fail(new AskError(tell.code, tell.detail));
    else waiting.done(tell);
  }

  #refuse(why: "token" | "version", detail: string): void {
    this.#isOver = true;
    this.#events.onState({ is: "refused", why, detail });
    this.#socket?.close(1000);
  }

  #closed(code: number, reason: string): void {
    this.#failAll("The connection was lost");
    if (this.#isOver) return;
    if (code === 4401) {
      this.#refuse("token", reason);
      return;
    }
    const inMs = RETRY_MS[Math.min(this.#tries, RETRY_MS.length - 1)]!;
    this.#tries += 1;
    this.#retry = setTimeout(() => this.#open(), inMs);
    this.#events.onState({ is: "lost", everOpen: this.#everOpen, detail: reason, inMs });
  }

  #failAll(detail: string): void {
    for (const { fail, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      fail(new AskError("lost", detail));
    }
    this.#waiting.clear();
  }
}
