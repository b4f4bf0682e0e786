/**
 * The social space as a page or a bot uses it, over the client that has joined. `ask` resolves with the answer or rejects with `SocialError`,
 * whose code says why it was refused. Questions that are open when the client ends are rejected by `end`.
 */
import type { CommandType, EventType, Fields, Off, Values } from "@nearfield/schema";
import { isRefusalCode, SocialError } from "../errors.ts";
import { Answer, Ask, News } from "./messages.ts";
import type { NewsKind, RequestKind, SocialNews, SocialRequests } from "./requests.ts";

/** The two methods of a `Client` that are needed here. */
export interface SocialLine {
  send<F extends Fields>(type: CommandType<F>, values: Values<F>): unknown;
  onEvent<F extends Fields>(type: EventType<F>, handler: (values: Values<F>) => void): Off;
}

interface Open {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: SocialError) => void;
}

/** Questions without an answer. The server takes fewer at a time; this bounds a page's own mistakes. */
const MOST_OPEN = 64;
const NUMBERS = 2 ** 32;

export class SocialClient {
  readonly #line: SocialLine;
  readonly #open = new Map<number, Open>();
  readonly #listeners = new Map<string, Set<(news: never) => void>>();
  readonly #off: readonly Off[];
  #number = 0;

  constructor(line: SocialLine) {
    this.#line = line;
    this.#off = [
      line.onEvent(Answer, (answer) => this.#answered(answer)),
      line.onEvent(News, ({ kind, body }) => this.#hear(kind, body)),
    ];
  }

  /** Asks the social space: `await social.ask("chat.say", { channel: "world", words: "hello" })`. */
  ask<Kind extends RequestKind>(
    kind: Kind,
    body: SocialRequests[Kind]["asks"],
  ): Promise<SocialRequests[Kind]["answers"]> {
    return this.askGame(kind, body) as Promise<SocialRequests[Kind]["answers"]>;
  }

  /** Asks what the game itself answers (`social.answers` on the server). Neither side's type is checked here. */
  askGame(kind: string, body: object = {}): Promise<unknown> {
    if (this.#open.size >= MOST_OPEN)
      return Promise.reject(new SocialError("busy", `${MOST_OPEN} questions have no answer yet`));
    this.#number = (this.#number + 1) % NUMBERS;
    const number = this.#number;
    return new Promise((resolve, reject) => {
      this.#open.set(number, { resolve, reject });
      try {
        this.#line.send(Ask, { number, kind, body: JSON.stringify(body) });
      } catch (error) {
        this.#open.delete(number);
        reject(error);
      }
    });
  }

  /** Called with each piece of news of this kind, until the returned function is called. */
  onNews<Kind extends NewsKind>(kind: Kind, listener: (news: SocialNews[Kind]) => void): Off {
    return this.onGameNews(kind, listener as (news: unknown) => void);
  }

  /** Called with news that the game itself sends (`social.tell` on the server). */
  onGameNews(kind: string, listener: (news: unknown) => void): Off {
    const listeners = this.#listeners.get(kind) ?? new Set();
    this.#listeners.set(kind, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Stops listening and rejects what is still open, with `failed`. Call it when the client has ended. */
  end(): void {
    for (const off of this.#off) off();
    for (const { reject } of this.#open.values()) reject(new SocialError("failed", "the connection has ended"));
    this.#open.clear();
  }

  #answered({ number, refused, body }: { number: number; refused: string; body: string }): void {
    const open = this.#open.get(number);
    this.#open.delete(number);
    if (refused === "") open?.resolve(JSON.parse(body));
    else open?.reject(new SocialError(isRefusalCode(refused) ? refused : "failed", body));
  }

  #hear(kind: string, body: string): void {
    const listeners = this.#listeners.get(kind);
    if (listeners === undefined) return;
    const news = JSON.parse(body) as never;
    for (const listener of listeners) listener(news);
  }
}
