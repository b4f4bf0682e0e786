/**
 * Somebody who plays in Node as a person does in a page: an account of its own, a party, and dungeons over data channels. It fights as the game's bots do, goes home after
 * some steps, and leaves by the first portal.
 */

import { webcrypto } from "node:crypto";
import type { Client } from "@nearfield/client";
import { join } from "@nearfield/client/node";
import { ed25519 } from "@nearfield/rollback/trust";
import { SocialClient, type SocialNews } from "@nearfield/social/client";
import {
  type Invitation,
  type ObservedSpace,
  onInvitation,
  type PaidRules,
  type Space,
  tellKey,
} from "@nearfield/social/peer";
import { Bot } from "../../src/dungeon/bot.ts";
import type { Dungeon } from "../../src/dungeon/dungeon.ts";
import { type Deed, INPUT_BYTES, writeInput } from "../../src/dungeon/input.ts";
import { Fate } from "../../src/dungeon/state.ts";
import { Ways } from "../../src/dungeon/way.ts";
import {
  dungeonRules,
  type EnterDungeonOptions,
  enterDungeon,
  type MemberKey,
  observeDungeon,
} from "../../src/paid-dungeon.ts";
import { DESCEND, protocol, ROUND_MS } from "../../src/shared.ts";

export interface HeroOptions {
  /** The site's address, "http://127.0.0.1:1234". */
  readonly site: string;
  readonly index: number;
  readonly peers: EnterDungeonOptions["peers"];
  /** Steps after which it goes home. */
  readonly homeAfter: number;
  /** A forger's rules. Default: the game's. */
  readonly rules?: PaidRules<Dungeon>;
}

/** What one hero's machine had to do for a fight. */
export interface HeroReport {
  readonly head: number;
  readonly steps: number;
  readonly rollbacks: number;
  readonly patches: number;
  readonly corrective: number;
  readonly desyncs: number;
  /** The most that the tail was behind the head. */
  readonly mostBehind: number;
  /** Bytes to others, directly and over the server, and how many others were reached directly at the best time. */
  readonly directBytes: number;
  readonly relayedBytes: number;
  readonly direct: number;
  /** Others who were voted out. */
  readonly gone: number;
  readonly isOut: boolean;
}

export class Hero {
  readonly client: Client;
  readonly social: SocialClient;
  readonly account: string;
  /** What the server said of its goods. */
  readonly settled: SocialNews["settled"][] = [];
  /** The dungeon of others that it was drawn to check. */
  observed: ObservedSpace | undefined;
  readonly #options: HeroOptions;
  readonly #input = new Uint8Array(INPUT_BYTES);
  #fight: { readonly dungeon: Dungeon; readonly bot: Bot; readonly ways: Ways; readonly space: Space } | undefined;
  /** While it is true this machine does nothing for the fight. */
  isStalled = false;
  #mostBehind = 0;
  #direct = 0;

  private constructor(client: Client, account: string, key: MemberKey, options: HeroOptions) {
    this.client = client;
    this.account = account;
    this.#options = options;
    this.social = new SocialClient(client);
    this.social.onNews("party.invited", ({ party }) => void this.social.ask("party.join", { party }));
    this.social.onNews("settled", (news) => this.settled.push(news));
    tellKey(client, key.signer.publicKey);
    onInvitation(client, (invitation) => void this.#enter(invitation, key));
    client.activity(() => this.#step());
  }

  static async join(options: HeroOptions): Promise<Hero> {
    const answer = await fetch(`${options.site}/outpost/accounts/guest`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    const { token, account } = (await answer.json()) as { token: string; account: string };
    const client = await join(`${options.site.replace(/^http/, "ws")}/outpost/ws`, {
      protocol,
      nickname: `Hero ${options.index}`,
      credentials: token,
      frameMs: ROUND_MS / 2,
      udp: false,
    });
    const verifier = ed25519(webcrypto.subtle);
    return new Hero(client, account, { verifier, signer: await verifier.createSigner() }, options);
  }

  /** Other heroes, by their accounts, come into this one's party, and all go down. */
  async lead(others: readonly string[], heroes: number): Promise<void> {
    const gathered = new Promise<void>((resolve) => {
      this.social.onNews("party", ({ party }) => {
        if ((party?.members.length ?? 1) > others.length) resolve();
      });
      if (others.length === 0) resolve();
    });
    for (const account of others) await this.social.ask("party.invite", { account });
    await gathered;
    await this.social.askGame(DESCEND, { heroes });
  }

  get isInFight(): boolean {
    return this.#fight !== undefined;
  }

  /** Undefined before it takes part. */
  get report(): HeroReport | undefined {
    const { space, dungeon } = this.#fight ?? {};
    const timeline = space?.timeline;
    if (space === undefined || timeline === undefined) return undefined;
    const { counts } = timeline;
    const sum = (of: "directBytes" | "relayedBytes"): number =>
      space.peers.reduce((bytes, { traffic }) => bytes + (traffic?.[of] ?? 0), 0);
    return {
      head: timeline.head,
      steps: counts.optimistic + counts.conservative + counts.corrective,
      rollbacks: counts.rollbacks,
      patches: counts.patches,
      corrective: counts.corrective,
      desyncs: space.session?.desyncs.length ?? 0,
      mostBehind: this.#mostBehind,
      directBytes: sum("directBytes"),
      relayedBytes: sum("relayedBytes"),
      direct: this.#direct,
      gone: space.session?.gone.size ?? 0,
      isOut: dungeon?.state.at.fate[space.own] === Fate.out,
    };
  }

  leave(): void {
    this.#fight?.space.leave();
    this.social.end();
    this.client.leave();
  }

  async #enter(invitation: Invitation, key: MemberKey): Promise<void> {
    const { rules = dungeonRules, index: seed, peers } = this.#options;
    if (invitation.isObserver) {
      this.observed = await observeDungeon(this.client, invitation, { key, peers });
      return;
    }
    const dungeon = rules.fight(invitation);
    const space = await enterDungeon(this.client, invitation, dungeon, { key, rules, peers });
    const bot = new Bot({ layout: dungeon.layout, player: invitation.address, people: [], seed });
    this.#fight = { dungeon, bot, ways: new Ways(dungeon.layout), space };
  }

  #step(): void {
    if (this.#fight === undefined || this.isStalled) return;
    const { space, bot, dungeon } = this.#fight;
    const step = Math.max(0, space.head);
    const isHomeward = step >= this.#options.homeAfter;
    writeInput(isHomeward ? this.#homeward() : bot.decide(dungeon.state.at, step), this.#input);
    space.tick(this.client.clock.timeMs, this.#input);
    this.#mostBehind = Math.max(this.#mostBehind, space.head - space.tail);
    this.#direct = Math.max(this.#direct, space.peers.filter(({ state }) => state === "direct").length);
  }

  /** To the first portal, and out. */
  #homeward(): Deed {
    const { dungeon, ways, space } = this.#fight!;
    const { x, y } = dungeon.state.at;
    const { start } = dungeon.layout;
    const [atX, atY] = [x[space.own]!, y[space.own]!];
    ways.from(atX, atY);
    const next = dungeon.layout.sees(atX, atY, start.x, start.y) ? start : ways.towards(start.x, start.y, 2);
    const far = Math.hypot(next.x - atX, next.y - atY);
    const stride = far > 6 ? 1 / far : 0;
    return {
      moveX: (next.x - atX) * stride,
      moveY: (next.y - atY) * stride,
      heading: 0,
      fires: true,
      uses: true,
      dashes: false,
    };
  }
}
