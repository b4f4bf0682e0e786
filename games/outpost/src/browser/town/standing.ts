/**
 * How the player stands in the social space: goods, party, invitations, trade. It asks once after joining and listens to news from then on; windows and lists read
 * it. What the server refuses is told in the server's own words.
 */

import type { SocialClient, SocialNews, TradeView } from "@nearfield/social/client";
import { GOODS, type Good } from "../../goods.ts";
import type { Counts } from "../hud/purse.ts";

export type PartyView = NonNullable<SocialNews["party"]["party"]>;

export interface Asked {
  readonly account: string;
  readonly name: string;
}

export interface StandingHandlers {
  said(line: { channel: string; from: string; name: string; words: string }): void;
  /** What the town calls an account; guests have no name at the server that others would know. */
  nameOf(account: string, otherwise: string): string;
  /** Words for a toast, and whether something was refused. */
  tell(words: string, isRefused: boolean): void;
  /** What a dungeon brought. */
  settled(goods: Counts, denied: string | undefined): void;
  traded(): void;
}

export class Standing {
  readonly #social: SocialClient;
  readonly #handlers: StandingHandlers;
  account = "";
  goods: Counts = {};
  party: PartyView | undefined;
  /** Who asks this player into a party. */
  invited: (Asked & { readonly party: string }) | undefined;
  /** Who asks for a trade. */
  tradeAsked: Asked | undefined;
  trade: TradeView | undefined;
  /** Changes with everything that changes here. */
  version = 0;

  constructor(social: SocialClient, handlers: StandingHandlers) {
    this.#social = social;
    this.#handlers = handlers;
    this.#listen();
    void this.#begin();
  }

  /** Asks, and tells what was refused. True: it was done. */
  async ask(asking: Promise<unknown>): Promise<boolean> {
    try {
      await asking;
      return true;
    } catch (error) {
      this.#handlers.tell(error instanceof Error ? error.message : String(error), true);
      return false;
    }
  }

  say(words: string): void {
    const isForParty = words.startsWith("/p ");
    const channel = isForParty ? "party" : "place";
    void this.ask(this.#social.ask("chat.say", { channel, words: isForParty ? words.slice(3) : words }));
  }

  async invite(account: string): Promise<void> {
    if (await this.ask(this.#social.ask("party.invite", { account }))) this.#handlers.tell("Invited", false);
  }

  join(party: string): void {
    this.invited = undefined;
    this.version++;
    void this.ask(this.#social.ask("party.join", { party }));
  }

  leaveParty(): void {
    void this.ask(this.#social.ask("party.leave", {}));
  }

  async askTrade(account: string): Promise<void> {
    if (await this.ask(this.#social.ask("trade.ask", { account }))) this.#handlers.tell("Asked for a trade", false);
  }

  acceptTrade(account: string): void {
    this.tradeAsked = undefined;
    void this.ask(this.#social.ask("trade.accept", { account }));
  }

  offer(counts: Counts): void {
    const gives = GOODS.filter((item) => (counts[item] ?? 0) > 0).map((item) => ({ item, count: counts[item]! }));
    if (this.trade) void this.ask(this.#social.ask("trade.offer", { trade: this.trade.id, gives }));
  }

  confirmTrade(): void {
    if (!this.trade) return;
    const { id, revision } = this.trade;
    void this.ask(this.#social.ask("trade.confirm", { trade: id, revision }));
  }

  cancelTrade(): void {
    if (this.trade) void this.ask(this.#social.ask("trade.cancel", { trade: this.trade.id }));
  }

  async #begin(): Promise<void> {
    await this.ask(
      (async () => {
        const { account } = await this.#social.ask("me", {});
        this.account = account;
        const { holdings } = await this.#social.ask("goods.list", {});
        this.#take(holdings);
        const { party } = await this.#social.ask("party.show", {});
        this.party = party;
        this.version++;
      })(),
    );
  }

  #listen(): void {
    const social = this.#social;
    social.onNews("chat", ({ channel, from, name, words }) => this.#handlers.said({ channel, from, name, words }));
    social.onNews("goods", () => void this.#refresh());
    social.onNews("party", ({ party }) => {
      this.party = party;
      this.version++;
    });
    social.onNews("party.invited", (invited) => {
      const name = this.#handlers.nameOf(invited.account, invited.name);
      this.invited = { ...invited, name };
      this.version++;
      this.#handlers.tell(`${name} invites you to a party`, false);
    });
    social.onNews("trade.asked", (asked) => {
      const name = this.#handlers.nameOf(asked.account, asked.name);
      this.tradeAsked = { ...asked, name };
      this.version++;
      this.#handlers.tell(`${name} wants to trade`, false);
    });
    social.onNews("trade", (trade) => this.#takeTrade(trade));
    social.onNews("settled", ({ goods, denied }) => {
      this.#handlers.settled(countsOf(goods), denied);
      void this.#refresh();
    });
  }

  #takeTrade(trade: TradeView): void {
    this.version++;
    this.tradeAsked = undefined;
    const isOpen = trade.state === "open" || trade.state === "settling";
    this.trade = isOpen ? trade : undefined;
    if (trade.state === "done") this.#handlers.traded();
    else if (trade.state === "cancelled") this.#handlers.tell("The trade was called off", true);
  }

  /** News name what changed; what there is now is asked anew, so that nothing can drift. */
  async #refresh(): Promise<void> {
    await this.ask(this.#social.ask("goods.list", {}).then(({ holdings }) => this.#take(holdings)));
  }

  #take(holdings: readonly { readonly item: string; readonly count: number }[]): void {
    this.goods = countsOf(holdings);
    this.version++;
  }
}

function countsOf(holdings: readonly { readonly item: string; readonly count: number }[]): Counts {
  const counts: Partial<Record<Good, number>> = {};
  for (const { item, count } of holdings) if (GOODS.includes(item as Good)) counts[item as Good] = count;
  return counts;
}
