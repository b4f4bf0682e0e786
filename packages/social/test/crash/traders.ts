/** Bots that trade in pairs without a pause, and remember what they were told was done. */
import type { SocialClient } from "../../src/client/index.ts";
import { post, walkIn } from "../town.ts";

type Walker = Awaited<ReturnType<typeof walkIn>>;

export interface Trader {
  readonly name: string;
  readonly account: string;
  readonly token: string;
}

export async function register(site: string, name: string): Promise<Trader> {
  const { body } = await post(site, "register", { name, password: "a good password" });
  const { account, token } = body as { account: string; token: string };
  return { name, account, token };
}

/** Trades of one pair, until the connection ends. */
export class Pair {
  readonly #traders: readonly [Trader, Trader];
  readonly #onDone: (trade: string) => void;
  readonly #isKilled: () => boolean;
  readonly #joined: Walker[] = [];

  /**
   * @param onDone told of every trade that the server has acknowledged.
   * @param isKilled whether the server is being killed: a bot that is still on its way in then stays outside.
   */
  constructor(traders: readonly [Trader, Trader], onDone: (trade: string) => void, isKilled: () => boolean) {
    this.#traders = traders;
    this.#onDone = onDone;
    this.#isKilled = isKilled;
  }

  async trade(site: string): Promise<void> {
    const [a, b] = await Promise.all(this.#traders.map((trader) => this.#enter(site, trader)));
    if (a === undefined || b === undefined) return;
    for (let round = 0; ; round++) {
      try {
        await this.#once(a.social, b.social, round);
      } catch {
        // Refused for want of goods, or the server is gone. Only the latter ends the bots.
        if (a.client.state !== "active" || b.client.state !== "active") return;
      }
    }
  }

  /** The server is dead: nobody waits for an answer any more. */
  end(): void {
    for (const { client, social } of this.#joined.splice(0)) {
      client.leave();
      social.end();
    }
  }

  async #enter(site: string, { name, token }: Trader): Promise<Walker | undefined> {
    try {
      const walker = await walkIn(site, name, token);
      this.#joined.push(walker);
      return walker;
    } catch (error) {
      if (this.#isKilled()) return undefined;
      throw error;
    }
  }

  async #once(a: SocialClient, b: SocialClient, round: number): Promise<void> {
    const [ann, ben] = this.#traders;
    await a.ask("trade.ask", { account: ben.account });
    const { id } = await b.ask("trade.accept", { account: ann.account });
    await a.ask("trade.offer", { trade: id, gives: [{ item: "gold", count: 1 + (round % 3) }] });
    const [sword] = (await b.ask("goods.list", {})).holdings.filter(({ item }) => item.startsWith("sword#"));
    const gives = [
      { item: "gold", count: 1 + ((round + 1) % 3) },
      ...(sword === undefined ? [] : [{ item: sword.item }]),
    ];
    const { revision } = await b.ask("trade.offer", { trade: id, gives });
    try {
      await a.ask("trade.confirm", { trade: id, revision });
      await b.ask("trade.confirm", { trade: id, revision });
      this.#onDone(id);
    } catch (error) {
      await a.ask("trade.cancel", { trade: id }).catch(() => {});
      throw error;
    }
  }
}
