/**
 * What the page knows and what is chosen: the newest of everything the feed told, the figures over time, the selection. Panels read it; only
 * `take`, `select` and the like change it, and tell whoever listens.
 */
import type { ClientRow, HeatTell, MapTell, PreviewTell, Report, Tell, Welcome, WhyTell } from "./feed-types.ts";
import { Series } from "./series.ts";

export const PANELS = ["overview", "clients", "audit", "map", "why", "views", "recorder", "network"] as const;
export type Panel = (typeof PANELS)[number];
/** Panels around the map. */
export const MAP_PANELS: readonly Panel[] = ["map", "why", "views", "recorder"];

export type Figure = "out" | "in" | "broadcast" | "aura" | "p50" | "p99" | "decided" | "delivered" | "frames";

const FIGURES: readonly Figure[] = ["out", "in", "broadcast", "aura", "p50", "p99", "decided", "delivered", "frames"];
/** Ten minutes at two reports a second. */
const MOST_SAMPLES = 1200;

export class State {
  panel: Panel = "overview";
  welcome: Welcome | undefined;
  room = "";
  report: Report | undefined;
  /** The report before, for rates of what the server only counts. */
  #reportBefore: Report | undefined;
  map: MapTell | undefined;
  heat: HeatTell | undefined;
  why: WhyTell | undefined;
  preview: PreviewTell | undefined;
  /** Selected client and object; undefined: none. */
  player: number | undefined;
  object: number | undefined;
  readonly series: Series<Figure> = new Series(FIGURES, MOST_SAMPLES);
  /** Round trips by player, newest last: for the small curves of the network panel. */
  readonly roundTrips: Map<number, (number | null)[]> = new Map();
  readonly #listeners: (() => void)[] = [];

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Another server, another room, or the same one started anew: nothing known before counts. */
  reset(): void {
    this.welcome = undefined;
    this.clearRoom();
  }

  clearRoom(): void {
    this.report = this.#reportBefore = undefined;
    this.map = this.heat = this.why = this.preview = undefined;
    this.player = this.object = undefined;
    this.series.clear();
    this.roundTrips.clear();
  }

  take(tell: Tell): void {
    switch (tell.tell) {
      case "welcome":
        this.#takeWelcome(tell);
        break;
      case "report":
        if (tell.room === this.room) this.#takeReport(tell);
        break;
      case "map":
        if (tell.room === this.room) this.map = tell;
        break;
      case "heat":
        if (tell.room === this.room) this.heat = tell;
        break;
      case "why":
        if (tell.player === this.player && tell.object === this.object) this.why = tell;
        break;
      case "preview":
        if (tell.player === this.player) this.preview = tell;
        break;
      default:
        return;
    }
    this.changed();
  }

  #takeWelcome(welcome: Welcome): void {
    if (this.welcome !== undefined && this.welcome.startedMs !== welcome.startedMs) this.clearRoom();
    this.welcome = welcome;
    if (!welcome.rooms.some(({ name }) => name === this.room)) this.room = welcome.rooms[0]?.name ?? "";
  }

  #takeReport(report: Report): void {
    this.#reportBefore = this.report;
    this.report = report;
    const { traffic, baselines, rounds } = report;
    this.series.push(report.timeMs, {
      out: traffic.out.all.bytes.now,
      in: traffic.in.all.bytes.now,
      frames: report.frames.now,
      broadcast: baselines.broadcast.bytesPerSecond.now,
      aura: baselines.aura.bytesPerSecond.now,
      p50: rounds.p50Ms,
      p99: rounds.p99Ms,
      ...this.#overRates(report),
    });
    if (report.clientsRound !== this.#reportBefore?.clientsRound) {
      for (const client of report.clients) this.#keepRoundTrip(client);
    }
    if (this.player !== undefined && !report.clients.some(({ player }) => player === this.player))
      this.select(undefined);
  }

  #overRates({ timeMs, audit }: Report): { decided: number | null; delivered: number | null } {
    const before = this.#reportBefore;
    const seconds = before === undefined ? 0 : (timeMs - before.timeMs) / 1000;
    if (before === undefined || seconds <= 0) return { decided: null, delivered: null };
    const perSecond = (now: number, then: number): number => Math.max(0, now - then) / seconds;
    return {
      decided: perSecond(audit.decided, before.audit.decided),
      delivered: perSecond(audit.delivered, before.audit.delivered),
    };
  }

  #keepRoundTrip({ player, network }: ClientRow): void {
    const list = this.roundTrips.get(player) ?? [];
    list.push(network.roundTripMs);
    if (list.length > 120) list.shift();
    this.roundTrips.set(player, list);
  }

  select(player: number | undefined, object: number | undefined = this.object): void {
    if (player !== this.player) this.preview = undefined;
    if (player !== this.player || object !== this.object) this.why = undefined;
    this.player = player;
    this.object = object;
    this.changed();
  }

  open(panel: Panel): void {
    this.panel = panel;
    this.changed();
  }

  get client(): ClientRow | undefined {
    return this.report?.clients.find(({ player }) => player === this.player);
  }
}
