/**
 * One page of the inspector. Its asks are read, limited and answered, and the topics that it watches are sent when they are due. A page
 * that does not read fast enough misses samples; nothing is queued for it.
 */

import { ViewError } from "@nearfield/core";
import type { ObjectId } from "@nearfield/schema";
import type { Player } from "@nearfield/server";
import { carryOut } from "./answers.ts";
import { AskError, parseAsk, readAsk, refusal } from "./ask-reader.ts";
import { type Ask, FEED_VERSION, type HelloAsk, type Topic, type WatchAsk } from "./feed/asks.ts";
import type { ClusterTell } from "./feed/cluster.ts";
import type { LevelTell } from "./feed/map.ts";
import type { RefusalCode, Tell } from "./feed/tells.ts";
import type { Inspector } from "./inspector.ts";
import { Preview } from "./preview.ts";
import type { RoomDesk } from "./room-desk.ts";
import { WhyWatch } from "./why-watch.ts";

/** Carries a page's texts: one or several tells, a line each. */
export interface PageLink {
  /** Bytes that were accepted but are not on the wire yet. */
  readonly backlogBytes: number;
  send(text: string): void;
  close(code: number, reason: string): void;
}

/** A topic that is sent again and again. */
interface Subscription {
  readonly desk: RoomDesk;
  readonly everyMs: number;
  nextMs: number;
  text(): string;
  end(): void;
}

/** If more bytes than this are waiting, the page misses samples. */
const SLOW_BYTES = 256 * 1024;
const ASKS_PER_SECOND = 30;
const MOST_ASKS_AT_ONCE = 60;

/** Refusals that end the connection, with the close code of each. */
const FATAL: Partial<Record<RefusalCode, number>> = {
  token: 4401,
  version: 4400,
  "no-hello": 4400,
  "too-long": 4400,
  "too-many": 4429,
};

const LEAST_EVERY_MS: Record<Topic, number> = { report: 500, map: 50, heat: 500, why: 50, preview: 250, cluster: 250 };
const USUAL_EVERY_MS: Record<Topic, number> = {
  report: 1000,
  map: 200,
  heat: 2000,
  why: 200,
  preview: 500,
  cluster: 1000,
};
const LEAST_CLIENTS_MS = 1000;

export class InspectorPage {
  readonly #inspector: Inspector;
  readonly #link: PageLink;
  readonly #onClosed: () => void;
  readonly #watched = new Map<Topic, Subscription>();
  readonly #toldLevels = new WeakSet<LevelTell>();
  /** When the next topic is due, ms. */
  nextMs: number = Number.POSITIVE_INFINITY;
  #isWelcome = false;
  #isOpen = true;
  #tokens = MOST_ASKS_AT_ONCE;
  #askedMs = Number.NaN;
  /** Samples that were left out because the page did not keep up. */
  skipped = 0;

  constructor(inspector: Inspector, link: PageLink, onClosed: () => void) {
    this.#inspector = inspector;
    this.#link = link;
    this.#onClosed = onClosed;
  }

  get isWelcome(): boolean {
    return this.#isWelcome;
  }

  /** A text has come from the page. */
  receive(text: string, nowMs: number): void {
    if (!this.#isOpen) return;
    let json: unknown;
    try {
      this.#mayAsk(nowMs);
      json = parseAsk(text);
      const ask = readAsk(json);
      if (ask.ask === "hello") this.#hello(ask);
      else if (this.#isWelcome) this.#carryOut(ask, nowMs);
      else throw new AskError("no-hello", "hello must be the first ask");
    } catch (error) {
      this.#refuse(json, error);
    }
  }

  /** Ends the page: its connection is gone, or must be closed. */
  close(code: number, reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const topic of [...this.#watched.keys()]) this.unwatch(topic);
    this.#onClosed();
    this.#link.close(code, reason);
  }

  roomClosed(desk: RoomDesk): void {
    for (const [topic, subscription] of this.#watched) {
      if (subscription.desk !== desk) continue;
      this.unwatch(topic);
      this.tell(refusal({ ask: "watch" }, "no-room", `room "${desk.seam.name}" was closed`));
    }
  }

  /**
   * Sends what is due, in one message: a write to a socket costs more than making what it carries. Topics are due at multiples of their time, so that
   * those of a page are due together.
   *
   * @param isOver asked after each topic: whether the time is used up.
   */
  tellDue(nowMs: number, isOver: () => boolean): void {
    let message = "";
    for (const [topic, subscription] of this.#watched) {
      if (nowMs < subscription.nextMs) continue;
      subscription.nextMs = (Math.floor(nowMs / subscription.everyMs) + 1) * subscription.everyMs;
      if (this.#link.backlogBytes > SLOW_BYTES) {
        this.skipped += 1;
        continue;
      }
      try {
        const text = subscription.text();
        message = message === "" ? text : `${message}\n${text}`;
      } catch (error) {
        this.unwatch(topic);
        this.#refuse({ ask: "watch" }, error);
      }
      if (isOver()) break;
    }
    this.#plan();
    if (message !== "" && this.#isOpen) this.#link.send(message);
  }

  #plan(): void {
    this.nextMs = Number.POSITIVE_INFINITY;
    for (const { nextMs } of this.#watched.values()) if (nextMs < this.nextMs) this.nextMs = nextMs;
  }

  tell(tell: Tell): void {
    if (this.#isOpen) this.#link.send(JSON.stringify(tell));
  }

  unwatch(topic: Topic): void {
    const subscription = this.#watched.get(topic);
    if (subscription === undefined) return;
    this.#watched.delete(topic);
    subscription.end();
    const { desk } = subscription;
    if ([...this.#watched.values()].every((other) => other.desk !== desk)) desk.release(this);
  }

  // ── asks ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Limits asks, by a bucket that fills evenly. Throws if it is empty. */
  #mayAsk(nowMs: number): void {
    const passedMs = Number.isNaN(this.#askedMs) ? 0 : Math.max(0, nowMs - this.#askedMs);
    this.#askedMs = nowMs;
    this.#tokens = Math.min(MOST_ASKS_AT_ONCE, this.#tokens + (passedMs * ASKS_PER_SECOND) / 1000) - 1;
    if (this.#tokens < 0) throw new AskError("too-many", `at most ${ASKS_PER_SECOND} asks a second are answered`);
  }

  #hello({ id, token, version }: HelloAsk): void {
    if (!this.#inspector.options.isToken(token)) {
      throw new AskError("token", "this is not the token that the server printed when it started");
    }
    if (version !== FEED_VERSION) {
      throw new AskError("version", `this server speaks version ${FEED_VERSION} of the feed, the page ${version}`);
    }
    this.#isWelcome = true;
    this.tell({ ...this.#inspector.welcome(), ...(id !== undefined && { id }) });
  }

  #carryOut(ask: Exclude<Ask, HelloAsk>, nowMs: number): void {
    if (ask.ask === "watch") this.#watch(ask, nowMs);
    else if (ask.ask === "unwatch") this.unwatch(ask.topic);
    else {
      carryOut(this.#inspector, ask, nowMs).then(
        (tell) => this.#answer(ask, tell),
        (error: unknown) => this.#refuse(ask, error),
      );
      return;
    }
    this.#answer(ask, { tell: "done" });
  }

  #answer({ id }: Ask, tell: Tell): void {
    this.tell({ ...tell, ...(id !== undefined && { id }) });
  }

  #refuse(json: unknown, error: unknown): void {
    let [code, detail]: [RefusalCode, string] = ["failed", "the server could not do this"];
    if (error instanceof AskError) [code, detail] = [error.code, error.message];
    else if (error instanceof ViewError) [code, detail] = ["bad-view", error.message];
    else if (error instanceof Error) detail = error.message;
    this.tell(refusal(json, code, detail));
    const closeCode = FATAL[code];
    if (closeCode !== undefined) this.close(closeCode, code);
  }

  // ── watching ───────────────────────────────────────────────────────────────────────────────────────────────────

  #watch(ask: WatchAsk, nowMs: number): void {
    const desk = this.#inspector.deskOf(ask.room);
    const before = this.#watched.get(ask.topic);
    if (before?.desk === desk) {
      // The room stays watched meanwhile, so that what is counted since somebody watches goes on.
      this.#watched.delete(ask.topic);
      before.end();
    } else {
      this.unwatch(ask.topic);
    }
    desk.watch(this, nowMs, this.#inspector.process());
    try {
      const made = this.#subscribe(ask, desk, nowMs);
      this.#watched.set(ask.topic, { desk, everyMs: everyMsOf(ask), nextMs: Number.NEGATIVE_INFINITY, ...made });
      this.#plan();
    } finally {
      if ([...this.#watched.values()].every((subscription) => subscription.desk !== desk)) desk.release(this);
    }
  }

  /** Sends a level, once to each page. */
  #tellLevel(level: LevelTell | undefined): void {
    if (level === undefined || this.#toldLevels.has(level)) return;
    this.#toldLevels.add(level);
    this.tell(level);
  }

  #subscribe(ask: WatchAsk, desk: RoomDesk, nowMs: number): Pick<Subscription, "text" | "end"> {
    const { seam } = desk;
    const nothing = (): void => {};
    switch (ask.topic) {
      case "report":
        desk.wish(this, { everyMs: everyMsOf(ask), clientsMs: Math.max(LEAST_CLIENTS_MS, ask.clientsMs ?? 0) });
        return { text: reportTexts(desk), end: () => desk.wish(this, undefined) };
      case "map": {
        const wanted = ask.players ?? [];
        const present = (): Player[] => wanted.flatMap((id) => seam.players.get(id) ?? []);
        let told = 0;
        const text = (): string => {
          const players = present();
          const level = desk.level();
          this.#tellLevel(level);
          const map = desk.mapText.text(seam.roundNumber, players, level?.level ?? 0, told);
          told = desk.mapText.members;
          return map;
        };
        return { text, end: nothing };
      }
      case "heat": {
        const type = desk.heatType(ask.type);
        let told = -1;
        const text = (): string => {
          const heat = desk.heatOf(type);
          const news = heat.text(seam.name, told);
          told = heat.counted;
          return news;
        };
        return { text, end: nothing };
      }
      case "why": {
        const { probe } = desk.watch(this, nowMs, undefined);
        const why = new WhyWatch(seam, desk.player(ask.player), ask.object as ObjectId);
        probe.whys.add(why);
        return {
          text: () => JSON.stringify(why.answer(seam.roundNumber)),
          end: () => probe.whys.delete(why),
        };
      }
      case "cluster": {
        const { cluster } = this.#inspector.options;
        if (cluster === undefined) throw new AskError("no-cluster", "this server is not one of a cluster");
        const extent = this.#inspector.extent();
        const end = cluster.watch();
        const text = (): string => {
          const picture = cluster.picture() ?? null;
          const tell: ClusterTell = { tell: "cluster", room: seam.name, round: seam.roundNumber, extent, picture };
          return JSON.stringify(tell);
        };
        return { text, end };
      }
      case "preview": {
        const { probe } = desk.watch(this, nowMs, undefined);
        const player = desk.player(ask.player);
        const preview = new Preview(seam, player, seam.authoriseView(player, ask), ask.scale);
        probe.previews.add(preview);
        const end = (): void => {
          probe.previews.delete(preview);
          preview.end();
        };
        return { text: () => JSON.stringify(preview.answer(seam.roundNumber)), end };
      }
    }
  }
}

/** How often a topic is told, ms. Reports are told at multiples of half a second, with the samples. */
function everyMsOf({ topic, everyMs }: WatchAsk): number {
  const wanted = Math.max(LEAST_EVERY_MS[topic], everyMs ?? USUAL_EVERY_MS[topic]);
  return topic === "report" ? Math.round(wanted / 500) * 500 : wanted;
}

function reportTexts(desk: RoomDesk): () => string {
  let told = -1;
  return () => {
    const { text, clientsRound } = desk.reportText(told);
    told = clientsRound;
    return text;
  };
}
