/**
 * What the page knows and what is chosen: the newest of everything the feed told, the figures over time, the selection. Panels read it; only
 * `take`, `select` and the like change it, and tell whoever listens.
 */
import { ClusterSeries } from "./cluster-series.ts";
import type {
  ClientRow,
  HeatTell,
  LevelTell,
  MapTell,
  PreviewTell,
  Report,
  Tell,
  Welcome,
  WhyTell,
} from "./feed-types.ts";
import { type Figure, newSeries, pushReport } from "./report-series.ts";
import type { Series } from "./series.ts";

export const PANELS = [
  "overview",
  "clients",
  "audit",
  "map",
  "why",
  "views",
  "recorder",
  "network",
  "cluster",
] as const;
export type Panel = (typeof PANELS)[number];
/** Panels around the map. */
export const MAP_PANELS: readonly Panel[] = ["map", "why", "views", "recorder"];

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
  readonly cluster: ClusterSeries = new ClusterSeries();
  why: WhyTell | undefined;
  preview: PreviewTell | undefined;
  /** By room and number. A page is told each once, so they are kept for as long as it stays with a server. */
  readonly levels: Map<string, LevelTell> = new Map();
  /** A recording is shown: who is selected need not be there any longer. */
  isPast = false;
  /** Selected client and object; undefined: none. */
  player: number | undefined;
  object: number | undefined;
  readonly series: Series<Figure> = newSeries(MOST_SAMPLES);
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
    this.levels.clear();
    this.clearRoom();
  }

  clearRoom(): void {
    this.report = this.#reportBefore = undefined;
    this.map = this.heat = this.why = this.preview = undefined;
    this.player = this.object = undefined;
    this.series.clear();
    this.cluster.clear();
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
      case "level":
        this.levels.set(levelKey(tell.room, tell.level), tell);
        break;
      case "heat":
        if (tell.room === this.room) this.heat = tell;
        break;
      case "cluster":
        if (tell.room === this.room) this.cluster.take(tell);
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
    if (!welcome.rooms.some(({ name }) => name === this.room)) this.room = busiestOf(welcome.rooms);
  }

  #takeReport(report: Report): void {
    this.#reportBefore = this.report;
    this.report = report;
    pushReport(this.series, report, this.#reportBefore);
    for (const client of report.clients) this.#keepRoundTrip(client);
    if (this.isPast) return;
    if (this.player !== undefined && !report.clients.some(({ player }) => player === this.player))
      this.select(undefined);
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

  /** What stands in the room of a map. */
  levelOf({ room, level }: MapTell): LevelTell | undefined {
    return this.levels.get(levelKey(room, level));
  }

  get client(): ClientRow | undefined {
    return this.report?.clients.find(({ player }) => player === this.player);
  }
}

/** The room with the most players; of several, the one with the most objects. */
function busiestOf(rooms: Welcome["rooms"]): string {
  return rooms.toSorted((a, b) => b.players - a.players || b.objects - a.objects)[0]?.name ?? "";
}

function levelKey(room: string, level: number): string {
  return `${level} ${room}`;
}
