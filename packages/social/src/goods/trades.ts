/**
 * Trades between two players. One asks, the other accepts, both say what they give, and both confirm the same offer. Any change of the offer
 * withdraws both confirmations, so nobody agrees to what was not on the screen. The second confirmation moves the goods, in one
 * durable transaction whose key is the trade's.
 *
 * Trades that are under way live in memory: a server that ends forgets them, and nothing has moved. A trade that was done is in the ledger.
 */
import { SocialError } from "../errors.ts";
import { joinLots, type Lot } from "./catalogue.ts";
import type { Goods } from "./goods.ts";

/** A trade as both sides see it. */
export interface TradeView {
  readonly id: string;
  readonly state: "open" | "settling" | "done" | "cancelled";
  /** Goes up with every change of the offer. `confirm` names the one that was on the screen. */
  readonly revision: number;
  readonly sides: readonly [TradeSide, TradeSide];
}

export interface TradeSide {
  readonly account: string;
  readonly gives: readonly Required<Lot>[];
  readonly hasConfirmed: boolean;
}

interface Trade {
  readonly id: string;
  readonly accounts: readonly [string, string];
  readonly gives: [Required<Lot>[], Required<Lot>[]];
  readonly confirmed: [boolean, boolean];
  revision: number;
  state: TradeView["state"];
  atMs: number;
}

export interface TradesOptions {
  readonly goods: Goods;
  readonly now: () => number;
  readonly randomId: () => string;
  /** Told to both sides after every change. */
  readonly tell?: (view: TradeView) => void;
}

/** A question that nobody answers, and a trade in which nothing happens, ends after this long. */
const ASKED_MS = 60_000;
const IDLE_MS = 10 * 60_000;

export class Trades {
  readonly #options: TradesOptions;
  readonly #trades = new Map<string, Trade>();
  readonly #byAccount = new Map<string, Trade>();
  /** By the account that asks: one question at a time. */
  readonly #asked = new Map<string, { readonly other: string; readonly atMs: number }>();

  constructor(options: TradesOptions) {
    this.#options = options;
  }

  /** Asks another player for a trade. A newer question replaces an older one. If both ask each other, the trade is open. */
  ask(account: string, other: string): TradeView | undefined {
    if (account === other) throw new SocialError("bad-request", "nobody trades with themselves");
    this.#requireFree(account);
    if (this.#hasAsked(other, account)) return this.accept(account, other);
    this.#asked.set(account, { other, atMs: this.#options.now() });
    return undefined;
  }

  /** Opens the trade that `other` asked for. */
  accept(account: string, other: string): TradeView {
    if (!this.#hasAsked(other, account))
      throw new SocialError("no-trade", "this player has not asked for a trade, or too long ago");
    this.#requireFree(account);
    this.#requireFree(other);
    this.#asked.delete(other);
    this.#asked.delete(account);
    const trade: Trade = {
      id: this.#options.randomId(),
      accounts: [other, account],
      gives: [[], []],
      confirmed: [false, false],
      revision: 1,
      state: "open",
      atMs: this.#options.now(),
    };
    this.#trades.set(trade.id, trade);
    for (const party of trade.accounts) this.#byAccount.set(party, trade);
    return this.#told(trade);
  }

  /** Says what the account gives. Both confirmations are withdrawn. */
  offer(account: string, id: string, lots: readonly Lot[]): TradeView {
    const { trade, side } = this.#open(account, id);
    trade.gives[side] = joinLots(lots);
    this.#withdraw(trade);
    return this.#told(trade);
  }

  /**
   * Agrees to the offer of this revision. The second one to agree moves the goods: the promise resolves when they are durably moved. Throws
   * `offer-changed`, `not-enough`, `full`. After `failed` it is not known whether they moved: confirm again to find out.
   */
  async confirm(account: string, id: string, revision: number): Promise<TradeView> {
    const known = this.#trades.get(id);
    if (known === undefined || !known.accounts.includes(account)) return this.#past(account, id);
    if (known.revision !== revision)
      throw new SocialError("offer-changed", "the offer has changed; look at it and confirm again");
    if (known.state === "settling" && this.#settling.has(known)) throw new SocialError("busy", "the goods are moving");
    if (known.state === "open") {
      const { trade, side } = this.#open(account, id);
      trade.confirmed[side] = true;
      if (!trade.confirmed.every(Boolean)) return this.#told(trade);
      trade.state = "settling";
    }
    return this.#settle(known);
  }

  cancel(account: string, id: string): TradeView {
    return this.#end(this.#open(account, id).trade, "cancelled");
  }

  /** The trade as it stands; one of the past as the ledger has it. */
  async status(account: string, id: string): Promise<TradeView> {
    const trade = this.#trades.get(id);
    return trade?.accounts.includes(account) ? viewOf(trade) : this.#past(account, id);
  }

  /** The player is gone: its trade ends, unless the goods are moving already. */
  leave(account: string): void {
    this.#asked.delete(account);
    const trade = this.#byAccount.get(account);
    if (trade?.state === "open") this.#end(trade, "cancelled");
  }

  readonly #settling = new Set<Trade>();

  async #settle(trade: Trade): Promise<TradeView> {
    this.#settling.add(trade);
    const [first, second] = trade.accounts;
    try {
      const sides = [
        { account: first, gives: trade.gives[0] },
        { account: second, gives: trade.gives[1] },
      ] as const;
      await this.#options.goods.exchange({ key: keyOf(trade.id), sides });
    } catch (error) {
      // A refusal is certain: nothing has moved. After any other error the movement may be durable, so the trade stays as it is until somebody asks again.
      if (error instanceof SocialError) {
        trade.state = "open";
        this.#withdraw(trade);
        this.#told(trade);
      }
      throw error;
    } finally {
      this.#settling.delete(trade);
    }
    return this.#end(trade, "done");
  }

  async #past(account: string, id: string): Promise<TradeView> {
    const done = await this.#options.goods.exchangeOf(keyOf(id));
    if (done === undefined || !done.some((side) => side.account === account))
      throw new SocialError("no-trade", "there is no such trade");
    const [first, second] = done.map(({ account: party, gives }) => ({ account: party, gives, hasConfirmed: true }));
    return { id, state: "done", revision: 0, sides: [first!, second!] };
  }

  #open(account: string, id: string): { readonly trade: Trade; readonly side: 0 | 1 } {
    const trade = this.#trades.get(id);
    const side = trade?.accounts.indexOf(account) ?? -1;
    if (trade === undefined || side < 0) throw new SocialError("no-trade", "there is no such trade");
    if (trade.state !== "open") throw new SocialError("busy", "the goods are moving");
    trade.atMs = this.#options.now();
    return { trade, side: side as 0 | 1 };
  }

  #withdraw(trade: Trade): void {
    trade.confirmed.fill(false);
    trade.revision += 1;
  }

  #hasAsked(asker: string, other: string): boolean {
    const question = this.#asked.get(asker);
    return question?.other === other && this.#options.now() - question.atMs <= ASKED_MS;
  }

  #requireFree(account: string): void {
    const trade = this.#byAccount.get(account);
    if (trade === undefined) return;
    if (trade.state === "open" && this.#options.now() - trade.atMs > IDLE_MS) this.#end(trade, "cancelled");
    else throw new SocialError("in-trade", "one trade at a time; this player is in another one");
  }

  #end(trade: Trade, state: "done" | "cancelled"): TradeView {
    trade.state = state;
    this.#trades.delete(trade.id);
    for (const party of trade.accounts) this.#byAccount.delete(party);
    return this.#told(trade);
  }

  #told(trade: Trade): TradeView {
    const view = viewOf(trade);
    this.#options.tell?.(view);
    return view;
  }
}

function keyOf(id: string): string {
  return `trade:${id}`;
}

function viewOf({ id, state, revision, accounts, gives, confirmed }: Trade): TradeView {
  const side = (index: 0 | 1): TradeSide => ({
    account: accounts[index],
    gives: gives[index],
    hasConfirmed: confirmed[index],
  });
  return { id, state, revision, sides: [side(0), side(1)] };
}
