/** Everything of the page around the stage, written once a frame where it changed: figures, scoreboard, feed, map, bars, network overlay. */

import { type FrameTimes, find, Writer } from "@nearfield/kit/browser";
import type { Ground } from "../art/ground.ts";
import type { Pivot } from "../art/view-art.ts";
import type { Figure } from "../figure.ts";
import type { Happenings } from "../happenings.ts";
import type { AvatarReplica, ItemReplica, Network, ScoreLine } from "../network.ts";
import { Bars } from "./bars.ts";
import { Board } from "./board.ts";
import type { Feed, Person } from "./feed.ts";
import { Hud, rank, type Vitals } from "./hud.ts";
import { Minimap } from "./minimap.ts";
import { NetPanel } from "./net-panel.ts";

/** Names and ranks change seldom; they are read this often. */
const SCORES_MS = 250;
const NOBODY: Person = { name: "…", colour: 0 };

export interface PanelState {
  readonly nowMs: number;
  readonly own: (Vitals & { readonly number: number; readonly condition: string }) | undefined;
  readonly watched: AvatarReplica | undefined;
  readonly happenings: Happenings;
  readonly boardHeld: boolean;
  readonly overlay: boolean;
  readonly zoomed: boolean;
  readonly muted: boolean;
  readonly times: FrameTimes;
}

export class Panels {
  readonly #root: HTMLElement;
  readonly #write: Writer;
  readonly #hud: Hud;
  readonly #board: Board;
  readonly #feed: Feed;
  readonly #bars: Bars;
  readonly #net: NetPanel;
  readonly #people = new Map<number, Person>();
  #map: Minimap | undefined;
  #ranked: ScoreLine[] = [];
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(root: HTMLElement, feed: Feed) {
    this.#root = root;
    this.#write = new Writer(root);
    this.#hud = new Hud(this.#write);
    this.#board = new Board(this.#write);
    this.#bars = new Bars(this.#write);
    this.#net = new NetPanel(this.#write);
    this.#feed = feed;
  }

  person(number: number): Person {
    return this.#people.get(number) ?? NOBODY;
  }

  enterLevel(ground: Ground): void {
    this.#map = new Minimap(find<HTMLCanvasElement>("#map", this.#root), ground);
  }

  read(network: Network, nowMs: number): void {
    if (nowMs - this.#readMs < SCORES_MS) return;
    this.#readMs = nowMs;
    this.#ranked = rank(network.scores());
    this.#people.clear();
    for (const { number, name, colour } of this.#ranked) this.#people.set(number, { name, colour });
  }

  drawMap(figures: readonly Figure[], items: readonly ItemReplica[], pivot: Pivot | undefined, nowMs: number): void {
    this.#map?.draw(figures, items, pivot, nowMs);
  }

  countUpdates(figures: readonly Figure[], nowMs: number): void {
    this.#net.count(figures, nowMs);
  }

  write(network: Network, state: PanelState): void {
    const { own, watched, nowMs } = state;
    const match = network.match();
    const isDead = own?.condition === "dead";
    const vitals = isDead || !own ? watched : own;
    const ownNumber = own?.number ?? 0;
    this.#hud.update({
      vitals,
      match,
      timeMs: network.timeMs,
      ranked: this.#ranked,
      ownNumber,
      status: network.status,
      pingMs: network.roundTripMs,
      linkKind: network.linkKind,
      muted: state.muted,
    });
    this.#board.show(state.boardHeld || match?.phase === "over", this.#ranked, ownNumber, match);
    this.#feed.update(nowMs);
    const { killer, hurtMs } = state.happenings;
    this.#bars.update({
      nowMs,
      isDead,
      isSpectator: network.role === "spectator",
      killer: killer && killer.number !== ownNumber ? this.person(killer.number) : undefined,
      watched: watched && this.person(watched.number),
      hurtMs,
      zoomed: state.zoomed,
      health: own?.health ?? 0,
    });
    if (state.overlay) this.#showNet(network, state);
  }

  clear(): void {
    this.#feed.clear();
  }

  #showNet(network: Network, { zoomed, nowMs, times, watched, own }: PanelState): void {
    const figures = {
      ...network.traffic,
      linkKind: network.linkKind,
      roundTripMs: network.roundTripMs,
      roundMs: network.roundMs,
      times,
    };
    this.#net.show(figures, own && own.condition !== "dead" ? zoomed : (watched?.zoomed ?? false), nowMs);
  }
}
