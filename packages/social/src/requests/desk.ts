/**
 * The desk where players' questions arrive: it reads each one, hands it to whoever answers this kind, and sends the answer. A player may have eight
 * questions open and ask ten a second; more are refused, not queued. A question that makes the server's own code fail is
 * answered with `failed`, and the error is reported.
 */
import { utf8Length } from "@nearfield/schema/internal";
import { type Player, type Room, to } from "@nearfield/server";
import { StoreError } from "@nearfield/store/internal";
import { ANSWER_BYTES, Answer, Ask } from "../client/messages.ts";
import type { RequestKind, SocialRequests } from "../client/requests.ts";
import { SocialError } from "../errors.ts";
import type { Bucket } from "../spaces/bucket.ts";
import { newBucket, type RateLimit } from "./rate.ts";
import type { Reader } from "./shape.ts";

/** Who asks. */
export interface Asker {
  readonly account: string;
  readonly player: Player;
}

/** How the game answers a kind of question of its own. */
export interface GameAnswers<Asks = unknown> {
  /** Checks the body, which a stranger wrote, and gives it its type. Throw to refuse it. */
  readonly reads: Reader<Asks>;
  /** The answer, or a promise of it: plain data. Throw `SocialError` to refuse. */
  readonly answer: (asker: Asker, asks: Asks) => unknown;
}

type Maybe<Value> = Value | Promise<Value>;

export interface DeskOptions {
  readonly now: () => number;
  /** What was thrown and was no refusal. */
  readonly onError: (error: unknown, where: string) => void;
  /** Questions of one player. Default: 30 at once, then 10 a second. */
  readonly rate?: RateLimit;
}

/** What a store says when it has written nothing, and may have time later. */
const NOT_NOW: ReadonlySet<string> = new Set(["busy", "conflict", "unavailable"]);
const DEFAULT_RATE: RateLimit = { burst: 30, perSecond: 10 };
/** Questions of one player that wait for an answer. */
const MOST_OPEN = 8;

interface Caller {
  readonly rate: Bucket;
  open: number;
}

export class Desk {
  readonly #options: DeskOptions;
  readonly #answers = new Map<string, GameAnswers>();
  readonly #callers = new WeakMap<Player, Caller>();

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** Sets who answers this kind of question of the social space. */
  answers<Kind extends RequestKind>(
    kind: Kind,
    reads: Reader<SocialRequests[Kind]["asks"]>,
    answer: (asker: Asker, asks: SocialRequests[Kind]["asks"]) => Maybe<SocialRequests[Kind]["answers"]>,
  ): void {
    this.answersGame(kind, { reads, answer });
  }

  /** Sets who answers a question of the game's own. */
  answersGame<Asks>(kind: string, answers: GameAnswers<Asks>): void {
    if (this.#answers.has(kind)) throw new SocialError("already", `${kind}: somebody answers this already`);
    this.#answers.set(kind, answers as unknown as GameAnswers);
  }

  /** Takes the questions of a room's players. */
  attach(room: Room): void {
    // The account is known where the player is connected, wherever its objects are.
    const serve = (player: Player, { number, kind, body }: { number: number; kind: string; body: string }): void =>
      void this.#serve(player, number, kind, body);
    room.onCommand(Ask, serve, { where: "gateway" });
  }

  async #serve(player: Player, number: number, kind: string, body: string): Promise<void> {
    const caller = this.#caller(player);
    try {
      if (!caller.rate.take(1, this.#options.now()))
        throw new SocialError("too-fast", "too many questions; ask more slowly");
      if (caller.open >= MOST_OPEN) throw new SocialError("busy", `${MOST_OPEN} questions wait for an answer already`);
    } catch (error) {
      this.#reply(player, number, kind, error);
      return;
    }
    caller.open += 1;
    try {
      const answer = await this.#answerTo(player, kind, body);
      const text = JSON.stringify(answer ?? {});
      if (utf8Length(text) > ANSWER_BYTES) throw new SocialError("too-many", "the answer is too long");
      this.#send(player, number, "", text);
    } catch (error) {
      this.#reply(player, number, kind, error);
    } finally {
      caller.open -= 1;
    }
  }

  async #answerTo(player: Player, kind: string, body: string): Promise<unknown> {
    const answers = this.#answers.get(kind);
    if (answers === undefined) throw new SocialError("bad-request", `nobody answers ${JSON.stringify(kind)}`);
    const account = player.identity?.account;
    if (account === undefined) throw new SocialError("credentials", "log in first: this needs an account");
    return answers.answer({ account, player }, answers.reads(parse(body), kind));
  }

  #reply(player: Player, number: number, kind: string, error: unknown): void {
    if (error instanceof SocialError) {
      this.#send(player, number, error.code, error.message);
      return;
    }
    this.#options.onError(error, kind);
    const isBusy = error instanceof StoreError && NOT_NOW.has(error.code);
    if (isBusy) this.#send(player, number, "busy", "the server is busy; try again soon");
    else this.#send(player, number, "failed", "the server could not do this; try again");
  }

  #send(player: Player, number: number, refused: string, body: string): void {
    if (player.presence !== "left") player.room.emit(Answer, { number, refused, body }, to(player));
  }

  #caller(player: Player): Caller {
    const known = this.#callers.get(player);
    if (known !== undefined) return known;
    const caller = { rate: newBucket(this.#options.rate ?? DEFAULT_RATE, this.#options.now()), open: 0 };
    this.#callers.set(player, caller);
    return caller;
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new SocialError("bad-request", "the body is no JSON");
  }
}
