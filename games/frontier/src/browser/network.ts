/** The page's side of the wire: it joins, hands out what is near, and sends where the own hero goes. */

import { type Client, present, type Replicated } from "@nearfield/client";
import { join } from "@nearfield/client/browser";
import { roam } from "@nearfield/client/gateways";
import { PageLink } from "@nearfield/kit";
import { SocialClient } from "@nearfield/social/client";
import { Beast, Bolt, Cairn, Go, Gold, Hero, presentation, protocol, Raise, Say } from "../shared.ts";

export type HeroReplica = Replicated<typeof Hero.shape>;
export type BoltReplica = Replicated<typeof Bolt.shape>;
export type BeastReplica = Replicated<typeof Beast.shape>;
export type CairnReplica = Replicated<typeof Cairn.shape>;
export type GoldReplica = Replicated<typeof Gold.shape>;

export interface Wish {
  readonly moveX: number;
  readonly moveY: number;
  readonly heading: number;
  readonly fires: boolean;
}

/** The next attempt goes to another server, so there is no reason to wait for long. */
const RECONNECT = { longestMs: 1000 };
/** A heading that has changed by less than this is not worth a command, radians. */
const LEAST_TURN = 0.05;

/** Where a page goes: to the country, at whichever server, or to a yard, which lies on one. */
export type Goal =
  | { readonly url: string; readonly elsewhere: () => string; readonly yard?: undefined }
  | { readonly url: string; readonly yard: { readonly id: string; readonly name: string } };

export class Network extends PageLink {
  readonly goal: Goal;
  readonly #onSocial: (social: SocialClient) => void;
  #social: SocialClient | undefined;
  #last: Wish | undefined;

  /**
   * @param token of the account; "" for a visitor, who has no yards
   * @param onSocial told of the social space at each server that is joined, if there is an account
   */
  constructor(goal: Goal, nickname: string, token: string, onSocial: (social: SocialClient) => void) {
    const { url } = goal;
    // The next attempt goes to another server, unless only this one has the place.
    const ways = goal.yard === undefined ? { elsewhere: goal.elsewhere, reconnect: RECONNECT } : { room: goal.yard.id };
    super((rejoining) => join(url, { protocol, nickname, credentials: token, ...ways, ...rejoining }));
    this.goal = goal;
    this.#onSocial = token === "" ? () => {} : onSocial;
  }

  /** The newest round that this page has heard of; −1 before the first. */
  get round(): number {
    return this.client?.world.round ?? -1;
  }

  get own(): HeroReplica | undefined {
    return this.client?.mine(Hero);
  }

  get heroes(): Iterable<HeroReplica> {
    return this.client?.world.all(Hero) ?? [];
  }

  get bolts(): Iterable<BoltReplica> {
    return this.client?.world.all(Bolt) ?? [];
  }

  get beasts(): Iterable<BeastReplica> {
    return this.client?.world.all(Beast) ?? [];
  }

  get cairns(): Iterable<CairnReplica> {
    return this.client?.world.all(Cairn) ?? [];
  }

  get gold(): Iterable<GoldReplica> {
    return this.client?.world.all(Gold) ?? [];
  }

  /** Said only when it has changed. */
  go(wish: Wish): void {
    if (this.client?.state !== "active") return;
    const last = this.#last;
    const isSame = last?.moveX === wish.moveX && last.moveY === wish.moveY && last.fires === wish.fires;
    if (isSame && Math.abs(last.heading - wish.heading) < LEAST_TURN) return;
    this.#last = wish;
    this.client.send(Go, wish);
  }

  raise(number: number): void {
    if (this.client?.state === "active") this.client.send(Raise, { number });
  }

  override close(): void {
    this.#social?.end();
    super.close();
  }

  say(words: string): void {
    if (this.client?.state === "active") this.client.send(Say, { words });
  }

  protected override joined(client: Client): void {
    this.#last = undefined;
    if (this.goal.yard === undefined) roam(client);
    this.#social?.end();
    this.#social = new SocialClient(client);
    this.#onSocial(this.#social);
    present(client, Hero, presentation);
    present(client, Bolt, presentation);
    present(client, Beast, presentation);
  }
}
