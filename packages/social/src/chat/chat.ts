/**
 * Chat: the world, the place where one is, the party, a whisper to one account. Words are cleaned as nicknames are: nothing invisible, nothing that
 * turns the direction of text, one line. Each account speaks at a bounded rate. The last lines of a channel are kept in memory.
 *
 * Nobody hears whom they have muted or blocked. An operator can silence an account everywhere.
 */
import { cleanLine } from "@nearfield/schema/internal";
import { type Store, type Table, table } from "@nearfield/store/internal";
import { SocialError } from "../errors.ts";
import type { TieBook } from "../friends/ties.ts";
import { newBucket, type RateLimit } from "../requests/rate.ts";
import type { Bucket } from "../spaces/bucket.ts";

export const CHANNELS = ["world", "place", "party", "whisper"] as const;
export type Channel = (typeof CHANNELS)[number];

export interface ChatLine {
  readonly channel: Channel;
  readonly from: string;
  readonly name: string;
  readonly words: string;
  /** Ms since 1970. */
  readonly atMs: number;
  /** Of a whisper: whom it is for. */
  readonly to?: string;
}

export interface Speaker {
  readonly account: string;
  readonly name: string;
  /** The room where the speaker is. */
  readonly place: string;
}

/** Who hears a channel now. */
export interface Hearers {
  world(): Iterable<string>;
  place(place: string): Iterable<string>;
  /** Undefined if the account is in no party. */
  party(account: string): { readonly id: string; readonly members: Iterable<string> } | undefined;
  isHere(account: string): boolean;
}

export interface ChatOptions {
  readonly store: Store;
  readonly ties: TieBook;
  readonly hearers: Hearers;
  readonly now: () => number;
  readonly tell: (account: string, line: ChatLine) => void;
  /** Lines of one account. Default: 5 at once, then one a second. */
  readonly rate?: RateLimit;
  /** Lines of each channel that are kept. Default 50. */
  readonly history?: number;
}

/** By account: until when it is silenced. */
const silenceTable: Table<{ readonly untilMs: number }> = table("social-silences");

export const MOST_WORDS_CHARACTERS = 300;
const MOST_WORDS_BYTES = 900;
const DEFAULT_RATE: RateLimit = { burst: 5, perSecond: 1 };
const DEFAULT_HISTORY = 50;
/** Channels whose lines are kept: the world, places, parties. When there are more, the one that was silent longest is forgotten. */
const MOST_CHANNELS = 500;
/** Accounts whose rate is counted; of more, those counted first are forgotten. */
const MOST_RATES = 20_000;

export class Chat {
  readonly #options: ChatOptions;
  readonly #lines = new Map<string, ChatLine[]>();
  readonly #rates = new Map<string, Bucket>();

  constructor(options: ChatOptions) {
    this.#options = options;
  }

  /** Says something. Resolves with the line as others see it. */
  async say(speaker: Speaker, channel: Channel, text: string, to?: string): Promise<ChatLine> {
    const words = cleanLine(text, MOST_WORDS_CHARACTERS, MOST_WORDS_BYTES);
    if (words === "") throw new SocialError("nothing-said", "there is nothing to see in this line");
    this.#pay(speaker.account);
    const atMs = this.#options.now();
    await this.#requireVoice(speaker.account, atMs);
    const { account: from, name } = speaker;
    const line: ChatLine = {
      channel,
      from,
      name,
      words,
      atMs,
      ...(channel === "whisper" && to !== undefined && { to }),
    };
    const { key, hearers } = await this.#audience(speaker, channel, to);
    if (key !== undefined) this.#keep(key, line);
    await this.#deliver(line, hearers);
    return line;
  }

  /** The last lines of a channel, oldest first, without those of people whom the account has muted or blocked. */
  async history({ account, place }: Speaker, channel: Exclude<Channel, "whisper">): Promise<ChatLine[]> {
    const key = this.#keyOf(account, place, channel);
    const ties = await this.#options.ties.of(account);
    return (this.#lines.get(key) ?? []).filter(({ from }) => !isUnheard(ties.get(from)));
  }

  /** An operator silences an account everywhere; 0 ends it. */
  async silence(account: string, forMs: number): Promise<void> {
    const untilMs = this.#options.now() + forMs;
    await this.#options.store.transact(async (transaction) => {
      if (forMs > 0) transaction.put(silenceTable, account, { untilMs });
      else transaction.remove(silenceTable, account);
    });
  }

  async #requireVoice(account: string, nowMs: number): Promise<void> {
    const silence = await this.#options.store.transact((transaction) => transaction.get(silenceTable, account));
    if (silence !== undefined && silence.value.untilMs > nowMs)
      throw new SocialError("muted", `you may speak again in ${Math.ceil((silence.value.untilMs - nowMs) / 1000)} s`);
  }

  async #audience(
    { account, place }: Speaker,
    channel: Channel,
    to: string | undefined,
  ): Promise<{ readonly key?: string; readonly hearers: Iterable<string> }> {
    const { hearers, ties } = this.#options;
    if (channel === "whisper") {
      if (to === undefined) throw new SocialError("bad-request", "a whisper says to whom");
      await ties.mayBother(account, to);
      if (!hearers.isHere(to)) throw new SocialError("not-here", "this player is not here");
      return { hearers: [account, to] };
    }
    const key = this.#keyOf(account, place, channel);
    if (channel === "party") return { key, hearers: hearers.party(account)!.members };
    return { key, hearers: channel === "world" ? hearers.world() : hearers.place(place) };
  }

  #keyOf(account: string, place: string, channel: Exclude<Channel, "whisper">): string {
    if (channel === "world") return "world";
    if (channel === "place") return `place ${place}`;
    const party = this.#options.hearers.party(account);
    if (party === undefined) throw new SocialError("no-channel", "you are in no party");
    return `party ${party.id}`;
  }

  async #deliver(line: ChatLine, hearers: Iterable<string>): Promise<void> {
    await Promise.all(
      Array.from(hearers, async (hearer) => {
        const ties = await this.#options.ties.of(hearer);
        if (hearer === line.from || !isUnheard(ties.get(line.from))) this.#options.tell(hearer, line);
      }),
    );
  }

  #keep(key: string, line: ChatLine): void {
    const { history = DEFAULT_HISTORY } = this.#options;
    const lines = [...(this.#lines.get(key) ?? []), line].slice(-history);
    // Set anew, so that the channels stand in the order of their last lines.
    this.#lines.delete(key);
    this.#lines.set(key, lines);
    if (this.#lines.size > MOST_CHANNELS) this.#lines.delete(this.#lines.keys().next().value!);
  }

  #pay(account: string): void {
    const nowMs = this.#options.now();
    const rate = this.#rates.get(account) ?? newBucket(this.#options.rate ?? DEFAULT_RATE, nowMs);
    this.#rates.set(account, rate);
    if (this.#rates.size > MOST_RATES) this.#rates.delete(this.#rates.keys().next().value!);
    if (!rate.take(1, nowMs)) throw new SocialError("too-fast", "you speak too fast; wait a moment");
  }
}

function isUnheard(tie: { readonly standing?: string; readonly isMuted?: boolean } | undefined): boolean {
  return tie?.isMuted === true || tie?.standing === "blocked";
}
