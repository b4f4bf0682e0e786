/**
 * A visit, from joining to leaving: the town, and the dungeons that it is invited to.
 *
 *   read the input → town or dungeon → windows, lists, connection
 */

import type { Client } from "@nearfield/client";
import { type LinkStatus, playerColour } from "@nearfield/kit";
import type { PageAccount } from "@nearfield/kit/browser";
import { FrameTimes, find, type Sheets } from "@nearfield/kit/browser";
import { browserPeers } from "@nearfield/rollback/browser";
import type { SocialClient } from "@nearfield/social/client";
import { LOOT_KINDS } from "../dungeon/numbers.ts";
import { observeDungeon } from "../paid-dungeon.ts";
import { DEAL, DESCEND, DUNGEON_KIND, RETURN } from "../shared.ts";
import { DungeonPlay, type Invited, type Leaving } from "./dungeon/play.ts";
import { Hud } from "./hud/hud.ts";
import { type Counts, coins } from "./hud/purse.ts";
import { Windows } from "./hud/windows.ts";
import type { Input } from "./input/input.ts";
import type { Action } from "./input/intent.ts";
import { Network } from "./network.ts";
import type { PlayParts } from "./play-parts.ts";
import type { FightReport, PlayReport } from "./report.ts";
import { Deals } from "./town/deals.ts";
import { TownPlay } from "./town/play.ts";
import { Standing } from "./town/standing.ts";
import { contentsOf, type WindowName } from "./town/window-contents.ts";
import { type Neighbour, type WindowWorld, WORDS } from "./town/window-parts.ts";

export interface VisitOptions extends Pick<PlayParts, "stage" | "pictures" | "camera" | "sound" | "name"> {
  readonly root: HTMLElement;
  readonly sheets: Sheets<LinkStatus>;
  readonly input: Input;
  readonly account: PageAccount;
  /** Back to the title, where one logs in; with words: again, and why. */
  readonly toLogin: (words?: string) => void;
}

const USUAL_HEROES = 4;

export class Play {
  readonly #options: VisitOptions;
  readonly #parts: PlayParts;
  readonly #town: TownPlay;
  readonly #windows: Windows;
  readonly #times = new FrameTimes();
  #standing: Standing | undefined;
  #dungeon: DungeonPlay | undefined;
  /** The dungeon that the player is out of, while others still need to see that. */
  #lingering: DungeonPlay | undefined;
  readonly #deals: Deals;
  /** The window that is open. */
  #open: WindowName | undefined;
  #heroes = USUAL_HEROES;
  #dealCount = 1;
  /** Dungeons of others that this page checks now. */
  #checks = 0;
  #overlay = false;
  #outcome: Leaving | undefined;
  #nowMs = 0;

  constructor(options: VisitOptions) {
    this.#options = options;
    const { root } = options;
    const base = new URL(".", location.href);
    const hud = new Hud(root, (words) => this.#standing?.say(words));
    hud.chat.clear();
    const network = new Network({
      url: new URL("ws", base.href.replace(/^http/, "ws")).href,
      nickname: options.name,
      account: options.account,
      joined: (social, client) => this.#joined(social, client),
      invited: (invitation, client, key) => this.#invited({ invitation, client, key }),
      loginNeeded: (words) => options.toLogin(words),
    });
    this.#deals = new Deals({
      ask: (deal) => network.social?.askGame(DEAL, deal),
      made: ({ side, ware, count }) => {
        hud.toasts.tell(`${side === "buy" ? "Bought" : "Sold"} ${count} ${WORDS[ware]}`);
        options.sound.play("trade");
      },
      refused: (words) => {
        hud.toasts.tell(words);
        options.sound.play("refused");
      },
    });
    this.#parts = { ...options, network, hud };
    this.#town = new TownPlay(this.#parts);
    this.#windows = new Windows(root, () => this.close());
    root.dataset["where"] = "town";
    this.#town.enter();
  }

  frame(nowMs: number): void {
    const startedMs = performance.now();
    const elapsedMs = Math.min(100, nowMs - this.#nowMs);
    this.#nowMs = nowMs;
    const intent = this.#options.input.read();
    if (this.#dungeon) this.#dungeon.frame(intent, elapsedMs, nowMs);
    else this.#town.frame(intent, elapsedMs, nowMs);
    if (this.#lingering?.linger(nowMs) === false) this.#lingering = undefined;
    this.#write();
    this.#times.add(performance.now() - startedMs);
  }

  act(action: Action): void {
    if (action === "net") this.#toggleOverlay();
    else if (action === "escape") this.close();
    else if (action === "chat") this.#parts.hud.chat.focus();
    else if (this.#dungeon) return;
    else if (action === "use") this.#toggle(this.#town.place);
    else if (action === "stash" || action === "board" || action === "account") this.#toggle(action);
    else if (action === "trade") this.#toggle("market");
  }

  /** Closes the window that is open. */
  close(): void {
    this.#open = undefined;
  }

  /** Whether Esc has something to close. */
  get hasWindow(): boolean {
    return this.#open !== undefined;
  }

  /** Leaves the dungeon, or, in the town, says that there is nothing to leave. */
  leaveDungeon(): boolean {
    this.#dungeon?.giveUp();
    return this.#dungeon !== undefined || this.#outcome !== undefined;
  }

  closeOutcome(): void {
    this.#outcome = undefined;
    this.#options.sheets.show("");
  }

  end(): void {
    this.#options.root.dataset["overlay"] = "false";
    this.#windows.show(undefined);
    this.#parts.hud.labels.clear();
    this.#dungeon?.giveUp();
    this.#lingering?.leave();
    this.#parts.network.close();
  }

  // ── the social space ───────────────────────────────────────────────────────────────────────────────────────────

  #joined(social: SocialClient, client: Client): void {
    const { hud, sound, network } = this.#parts;
    this.#standing = new Standing(social, {
      said: ({ channel, from, name, words }) => {
        const avatar = network.everybody().find(({ account }) => account === from);
        const colour = avatar && playerColour(avatar.colour);
        hud.chat.add(
          { channel, account: from, name: avatar?.name ?? name, words, ...(colour !== undefined && { colour }) },
          this.#nowMs,
        );
        sound.play("chat");
      },
      nameOf: (account, otherwise) => network.everybody().find((one) => one.account === account)?.name ?? otherwise,
      tell: (words, isRefused) => {
        hud.toasts.tell(words);
        sound.play(isRefused ? "refused" : "party");
      },
      settled: (goods, denied) => this.#settled(goods, denied),
      traded: () => {
        hud.toasts.tell("Traded");
        sound.play("trade");
      },
    });
    this.#deals.resume();
    this.#lingering?.claimOver(client);
    // After a restart of the server there is no dungeon any more.
    this.#dungeon?.giveUp();
  }

  #neighbours(): Neighbour[] {
    const own = this.#standing?.account;
    return this.#parts.network
      .everybody()
      .filter(({ account, bot }) => account !== "" && account !== own && !bot)
      .map(({ account, name, colour }) => ({ account, name, colour: playerColour(colour) }));
  }

  #toggle(window: WindowName | undefined): void {
    this.#open = this.#open === window ? undefined : window;
    this.#parts.sound.play("click");
  }

  // ── dungeons ───────────────────────────────────────────────────────────────────────────────────────────────────

  async #descend(heroes: number): Promise<void> {
    const { social } = this.#parts.network;
    if (social && (await this.#standing?.ask(social.askGame(DESCEND, { heroes })))) this.close();
  }

  #invited(invited: Invited): void {
    const { kind, isObserver } = invited.invitation;
    if (kind === DUNGEON_KIND && isObserver) void this.#observe(invited);
    if (kind !== DUNGEON_KIND || isObserver || this.#dungeon) return;
    this.#lingering?.leave();
    this.#lingering = undefined;
    this.close();
    this.#outcome = undefined;
    this.#options.root.dataset["where"] = "dungeon";
    this.#parts.sound.play("portal");
    this.#dungeon = new DungeonPlay(this.#parts, invited, (leaving) => this.#back(leaving));
  }

  /** The server drew this player to check a dungeon of others. It costs this machine some simulation, and nothing is seen of it. */
  async #observe({ invitation, client, key }: Invited): Promise<void> {
    try {
      const space = await observeDungeon(client, invitation, { key, peers: browserPeers, random: Math.random });
      this.#checks++;
      space.onEnd(() => {
        this.#checks--;
      });
    } catch {
      // It ended before this page was in: the server checks it itself.
    }
  }

  #back(leaving: Leaving): void {
    const { network, sound, hud } = this.#parts;
    this.#lingering = this.#dungeon;
    this.#dungeon = undefined;
    this.#options.root.dataset["where"] = "town";
    hud.pain(0);
    this.#town.enter();
    sound.play("portal");
    void network.social?.askGame(RETURN).catch(() => {
      // The connection is gone, and the avatar with it: the next one begins in the town.
    });
    if (leaving.why === "ended") return hud.toasts.tell("The dungeon is closed");
    this.#showOutcome(leaving);
  }

  #showOutcome(leaving: Leaving): void {
    const { root, sheets } = this.#options;
    this.#outcome = leaving;
    const titles = { out: "You made it out", "fell-in": "The dungeon fell in", left: "You turned back", ended: "" };
    const isRich = LOOT_KINDS.some((kind) => (leaving.loot[kind] ?? 0) > 0);
    find("#outcome-title", root).textContent = titles[leaving.why];
    find("#outcome-words", root).textContent =
      leaving.why !== "out"
        ? "What you carried is lost below."
        : isRich
          ? "Being put into your stash…"
          : "With empty hands this time.";
    find("#outcome-loot", root).replaceChildren(...coins(leaving.loot));
    sheets.show("outcome");
  }

  #settled(goods: Counts, denied: string | undefined): void {
    const { root } = this.#options;
    const words = denied === undefined ? "It is in your stash, for good." : deniedWords(denied);
    find("#outcome-words", root).textContent = words;
    find("#outcome-loot", root).replaceChildren(...coins(goods));
    if (denied !== undefined || this.#outcome === undefined) this.#parts.hud.toasts.tell(words);
    this.#parts.sound.play(denied === undefined ? "treasure" : "refused");
    this.#lingering?.paid();
  }

  // ── what is written ────────────────────────────────────────────────────────────────────────────────────────────

  #write(): void {
    const { sheets } = this.#options;
    const { network, hud, sound } = this.#parts;
    const { status, client } = network;
    const standing = this.#standing;
    hud.muted(sound.muted);
    hud.connection(client?.roundTripMs ?? -1, client?.linkKind ?? "");
    if (!this.#dungeon) {
      hud.purse.show(standing?.goods ?? {});
      this.#writeParty(standing);
    }
    this.#windows.show(
      standing && this.#open && !this.#dungeon ? contentsOf(this.#open, this.#world(standing)) : undefined,
    );
    if (this.#overlay) this.#writeOverlay();
    const isThere = status.kind === "playing" && network.own !== undefined;
    if (status.kind !== "playing") sheets.showStatus(status);
    else if (!isThere) sheets.showStatus({ kind: "joining" });
    else sheets.show(this.#outcome ? "outcome" : "");
  }

  #writeParty(standing: Standing | undefined): void {
    const neighbours = this.#neighbours();
    const others = standing?.party?.members.filter(({ account }) => account !== standing.account) ?? [];
    this.#parts.hud.party.show(
      others.map(({ account, name }) => {
        const neighbour = neighbours.find((one) => one.account === account);
        const words = account === standing?.party?.leader ? "leads" : "";
        return { name: neighbour?.name ?? name, colour: neighbour?.colour ?? "#ffb968", words };
      }),
    );
  }

  #world(standing: Standing): WindowWorld {
    const play = this;
    return {
      standing,
      neighbours: this.#neighbours(),
      deals: this.#deals,
      account: this.#options.account,
      descend: (heroes) => void this.#descend(heroes),
      close: () => this.close(),
      logOut: () => {
        this.#options.account.forget();
        this.#options.toLogin();
      },
      get heroes() {
        return play.#heroes;
      },
      set heroes(heroes) {
        play.#heroes = heroes;
      },
      get dealCount() {
        return play.#dealCount;
      },
      set dealCount(count) {
        play.#dealCount = count;
      },
    };
  }

  #toggleOverlay(): void {
    this.#overlay = !this.#overlay;
    this.#options.root.dataset["overlay"] = String(this.#overlay);
  }

  #writeOverlay(): void {
    const { hud, network, name } = this.#parts;
    const space = this.#dungeon?.space;
    if (space) hud.netPanel.showFight(space, playerColour, name, this.#nowMs);
    else
      hud.netPanel.showTown(
        network.client?.linkKind ?? "",
        network.client?.roundTripMs ?? -1,
        network.everybody().length,
        this.#checks,
        this.#nowMs,
      );
  }

  report(): PlayReport {
    const { network, hud } = this.#parts;
    const place = network.predicted ?? network.own?.shown;
    return {
      status: network.status.kind,
      where: this.#dungeon ? "dungeon" : "town",
      own: place && { x: place.x, y: place.y },
      place: this.#town.place,
      people: [...network.avatars()].map(({ name, shown, bot, lantern }) => ({
        name,
        x: shown.x,
        y: shown.y,
        bot,
        lantern,
      })),
      goods: this.#standing?.goods ?? {},
      party: this.#standing?.party?.members.map(({ account }) => account) ?? [],
      chat: hud.chat.lines,
      account: this.#options.account.name,
      checks: this.#checks,
      fight: this.#dungeon && fightReport(this.#dungeon),
      frame: { count: this.#times.count, p50: this.#times.percentile(0.5), p95: this.#times.percentile(0.95) },
    };
  }
}

/** Why goods were denied, for the player. */
function deniedWords(reason: string): string {
  if (reason === "no result is signed by all") return "Denied: not everybody signed how the fight ended.";
  return `Denied: what this page told is not what was played (${reason}).`;
}

function fightReport({ dungeon, space, own }: DungeonPlay): FightReport {
  const { at } = dungeon.state;
  const first = own * LOOT_KINDS.length;
  const farOff = ({ x, y }: { x: number; y: number }): number => Math.hypot(x - at.x[own]!, y - at.y[own]!);
  const monsters = [...at.kind.entries()]
    .filter(([, kind]) => kind !== 0)
    .map(([row]) => ({ x: at.monsterX[row]!, y: at.monsterY[row]! }))
    .sort((a, b) => farOff(a) - farOff(b));
  return {
    own,
    status: space?.status ?? "entering",
    head: space?.head ?? -1,
    tail: space?.tail ?? -1,
    rollbacks: space?.timeline?.counts.rollbacks ?? 0,
    desyncs: space?.session?.desyncs.length ?? 0,
    peers: (space?.peers ?? []).map(({ name, state, rttMs }) => ({ name, state, rttMs })),
    x: at.x[own]!,
    y: at.y[own]!,
    health: at.health[own]!,
    monsters: monsters.length,
    nearest: monsters[0],
    exits: [dungeon.layout.start, dungeon.layout.exit],
    pickups: [...at.pickup.entries()]
      .filter(([, kind]) => kind !== 0)
      .map(([row, kind]) => ({ kind, x: at.pickupX[row]!, y: at.pickupY[row]! })),
    carried: Object.fromEntries(LOOT_KINDS.map((kind, row) => [kind, at.loot[first + row]!])),
  };
}
