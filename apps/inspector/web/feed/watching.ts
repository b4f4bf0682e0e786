/**
 * Which parts of the feed the page subscribes to: only what the open panel shows, so that an inspector nobody looks at costs the server almost nothing.
 *
 * `wantedWatches` says what is wanted; `Watching` asks for what changed since the last time, and for all of it after a reconnect.
 */
import type { Sets, Topic, WatchAsk } from "../feed-types.ts";
import { MAP_PANELS, type Panel } from "../state.ts";
import type { AskBody } from "./connection.ts";

export interface Wishes {
  readonly room: string;
  readonly panel: Panel;
  readonly player: number | undefined;
  readonly object: number | undefined;
  /** Other players whose pivots are drawn. */
  readonly others: readonly number[];
  readonly heat: boolean;
  /** The server is one of a cluster. */
  readonly hasCluster: boolean;
  /** A recording is shown instead of the live map. */
  readonly isPlayback: boolean;
  /** The tab is in the background. */
  readonly isHidden: boolean;
  readonly candidate: { readonly sets: Sets; readonly scale: number | null; readonly unlimited: boolean } | undefined;
}

const MOST_DRAWN = 16;
/** As often as somebody can read it; on the map, objects glide from one sample to the next. Each is a multiple of the map's, so that it leaves with a map. */
const EVERY_MS = { map: 500, heat: 4000, why: 1000 } as const;
/** The report, where the panel shows its figures, and beside a map; and its rows of clients, where the panel shows their figures, and where it only names them. */
const REPORT_MS = { figures: 1000, beside: 2000 } as const;
const CLIENTS_MS = { figures: 1000, names: 6000 } as const;
const PANELS_OF_CLIENTS: readonly Panel[] = ["clients", "network"];

export function wantedWatches(wishes: Wishes): WatchAsk[] {
  const { room, panel, player, object, candidate } = wishes;
  if (room === "" || wishes.isHidden) return [];
  const clientsMs = CLIENTS_MS[PANELS_OF_CLIENTS.includes(panel) ? "figures" : "names"];
  const everyMs = REPORT_MS[MAP_PANELS.includes(panel) ? "beside" : "figures"];
  const watches: WatchAsk[] = [{ ask: "watch", topic: "report", room, everyMs, clientsMs }];
  if (MAP_PANELS.includes(panel) && !wishes.isPlayback) {
    watches.push({ ask: "watch", topic: "map", room, everyMs: EVERY_MS.map, players: drawn(wishes) });
    if (wishes.heat) watches.push({ ask: "watch", topic: "heat", room, everyMs: EVERY_MS.heat });
  }
  if (wishes.isPlayback) return watches;
  if (panel === "cluster" && wishes.hasCluster) watches.push({ ask: "watch", topic: "cluster", room, everyMs: 1000 });
  if (panel === "why" && player !== undefined && object !== undefined) {
    watches.push({ ask: "watch", topic: "why", room, player, object, everyMs: EVERY_MS.why });
  }
  if (panel === "views" && player !== undefined && candidate !== undefined) {
    const { sets, scale, unlimited } = candidate;
    watches.push({ ask: "watch", topic: "preview", room, player, sets, unlimited, ...(scale !== null && { scale }) });
  }
  return watches;
}

/** The selected player first, then the others, as many as the server draws. */
function drawn({ player, others }: Wishes): number[] {
  const first = player === undefined ? [] : [player];
  return [...first, ...others.filter((other) => other !== player)].slice(0, MOST_DRAWN);
}

export class Watching {
  readonly #ask: (body: AskBody) => Promise<unknown>;
  readonly #onRefusal: (topic: Topic, detail: string) => void;
  #asked = new Map<Topic, string>();

  constructor(ask: (body: AskBody) => Promise<unknown>, onRefusal: (topic: Topic, detail: string) => void) {
    this.#ask = ask;
    this.#onRefusal = onRefusal;
  }

  /** After a reconnect the server knows of nothing. */
  forget(): void {
    this.#asked.clear();
  }

  want(watches: readonly WatchAsk[]): void {
    const wanted = new Map(watches.map((watch) => [watch.topic, watch]));
    for (const topic of this.#asked.keys()) {
      if (wanted.has(topic)) continue;
      this.#asked.delete(topic);
      this.#send(topic, { ask: "unwatch", topic });
    }
    for (const [topic, watch] of wanted) {
      const text = JSON.stringify(watch);
      if (this.#asked.get(topic) === text) continue;
      this.#asked.set(topic, text);
      this.#send(topic, watch);
    }
  }

  #send(topic: Topic, body: AskBody): void {
    this.#ask(body).catch((error: unknown) => {
      const { code, message } = error as { code?: string; message: string };
      // A lost connection is said elsewhere, and everything is asked for again after it.
      if (code !== "lost") this.#onRefusal(topic, message);
    });
  }
}
