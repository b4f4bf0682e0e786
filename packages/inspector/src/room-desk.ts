/**
 * Everything that the inspector has of one room: what is kept when nobody watches (a recording, heat maps, presets), and the probe with its
 * report, which exist only while somebody watches.
 */

import type { Player } from "@nearfield/server";
import type { Outlines } from "@nearfield/server/internal";
import type { Guest, RoomSeam } from "@nearfield/server/seam";
import { AskError } from "./ask-reader.ts";
import { drawnLevel } from "./drawn-level.ts";
import { extentOf } from "./extent.ts";
import type { LevelTell, MapTell } from "./feed/map.ts";
import { HeatMap } from "./heat-map.ts";
import { MapMaker } from "./map-maker.ts";
import { MapText } from "./map-text.ts";
import { momentOf } from "./moment.ts";
import { Recorder, type RecorderOptions } from "./recorder.ts";
import { type Process, REPORT_SHAPES, ReportMaker } from "./report-maker.ts";
import { RoomProbe } from "./room-probe.ts";
import { SendLog } from "./send-log.ts";

export interface DeskOptions {
  /** World units. Default: the largest radius of the room's view. */
  readonly auraRadius?: number | undefined;
  readonly now?: (() => number) | undefined;
  /** Told when a round of a watched room has ended. */
  readonly onRound: () => void;
}

/** What exists only while somebody watches. */
interface Watched {
  readonly probe: RoomProbe;
  /** Shows the probe out of the room. */
  readonly leave: () => void;
  readonly reports: ReportMaker;
  readonly startedMs: number;
}

/** How often a page wants a report, and the rows of clients in it, ms. */
export interface ReportWish {
  readonly everyMs: number;
  readonly clientsMs: number;
}

export class RoomDesk implements Guest {
  readonly name = "inspector";
  /** What the inspector may read and change in the room. */
  readonly seam: RoomSeam;
  readonly presets: Map<number, string> = new Map();
  readonly maker: MapMaker;
  readonly mapText: MapText;
  readonly auraRadius: number;
  recorder: Recorder | undefined;
  /** The room was closed, or the inspector was. */
  isDismissed = false;
  readonly #options: DeskOptions;
  readonly #heats = new Map<number, HeatMap>();
  readonly #levels = new WeakMap<Outlines, LevelTell>();
  #levelCount = 0;
  readonly #watchers = new Set<unknown>();
  readonly #wishes = new Map<unknown, ReportWish>();
  /** The shortest of the wishes. */
  #wish: ReportWish = NO_WISH;
  #sampledMs = Number.NEGATIVE_INFINITY;
  #heatMs = Number.NEGATIVE_INFINITY;
  #watched: Watched | undefined;
  #reportText: string | undefined;
  #heatTurn = 0;

  constructor(seam: RoomSeam, options: DeskOptions) {
    this.seam = seam;
    this.#options = options;
    this.maker = new MapMaker(seam);
    this.mapText = new MapText(seam, this.maker);
    this.auraRadius = options.auraRadius ?? widestRadius(seam);
  }

  // ── who looks ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** @param who the watcher, any value; `release` with the same value ends its watching. */
  watch(who: unknown, nowMs: number, used: Process | undefined): Watched {
    this.#watchers.add(who);
    if (this.#watched !== undefined) return this.#watched;
    const { now, onRound } = this.#options;
    const { maker, auraRadius } = this;
    const { guest: probe, leave } = this.seam.room.invite(
      (seam) => new RoomProbe(seam, maker, auraRadius, now, onRound),
    );
    const reports = new ReportMaker(this.seam, probe, (player) => this.presets.get(player) ?? null);
    this.#watched = { probe, leave, reports, startedMs: nowMs };
    this.#sample(nowMs, used);
    this.#sampleHeat(nowMs);
    return this.#watched;
  }

  release(who: unknown): void {
    this.#watchers.delete(who);
    if (this.#watchers.size > 0) return;
    this.#watched?.leave();
    this.#watched = undefined;
  }

  /** Ends all watching: the room closes, or the inspector does. */
  dismissed(): void {
    this.isDismissed = true;
    this.#watchers.clear();
    this.release(undefined);
  }

  /** Throws `AskError`. */
  player(id: number): Player {
    const player = this.seam.players.get(id);
    if (player === undefined) throw new AskError("no-player", `player ${id} is not in room "${this.seam.name}"`);
    return player;
  }

  // ── what they see ──────────────────────────────────────────────────────────────────────────────────────────────

  /** Counts the round that has just ended, samples counters and keeps a frame of a recording, each if it is time for it. */
  work(nowMs: number, readProcess: (() => Process) | undefined): void {
    if (this.#watched === undefined) return;
    this.#watched.probe.count();
    if (isTime(this.#wish.everyMs, this.#sampledMs, nowMs)) this.#sample(nowMs, readProcess?.());
    if (isTime(HEAT_MS, this.#heatMs, nowMs)) this.#sampleHeat(nowMs);
    if (this.recorder !== undefined) this.#keepFrame(this.recorder);
  }

  /** Somebody wants reports this often; `undefined`: no longer. */
  wish(who: unknown, wish: ReportWish | undefined): void {
    if (wish === undefined) this.#wishes.delete(who);
    else this.#wishes.set(who, wish);
    this.#wish = [...this.#wishes.values()].reduce((a, b) => {
      return { everyMs: Math.min(a.everyMs, b.everyMs), clientsMs: Math.min(a.clientsMs, b.clientsMs) };
    }, NO_WISH);
  }

  #sample(nowMs: number, used: Process | undefined): void {
    if (this.#watched === undefined) return;
    this.#sampledMs = nowMs;
    this.#watched.reports.sample(nowMs, used, this.#wish.clientsMs);
    this.#reportText = undefined;
  }

  /** Samples where objects are. In large worlds only every n-th object, others each time. */
  #sampleHeat(nowMs: number): void {
    this.#heatMs = nowMs;
    const { world } = this.seam;
    const { store } = world;
    const heats = store.tables.map(({ type, index }) => (type.position.length > 1 ? this.heatOf(index) : undefined));
    const stride = Math.ceil(store.slotHigh / HEAT_SAMPLE) || 1;
    this.#heatTurn = (this.#heatTurn + 1) % stride;
    for (let slot = this.#heatTurn; slot < store.slotHigh; slot += stride) {
      if (store.isLive(slot)) heats[store.typeIndex[slot]!]?.count(world.x[slot]!, world.y[slot]!);
    }
    for (const heat of heats) heat?.endSample();
  }

  /**
   * The report as text. It is made once for each sample, for all who watch.
   *
   * @param told the round of the rows of clients that the page was told last; it is not told them again. −1: it was told nothing yet.
   */
  reportText(told: number): { readonly text: string; readonly clientsRound: number } {
    const { reports } = this.#watched!;
    const { clientsRound } = reports;
    this.#reportText ??= reports.text(this.recorder?.state() ?? null);
    const shapes = told < 0 ? `,"shapes":${REPORT_SHAPES}` : "";
    const rows = clientsRound === told ? "" : `,"rows":${reports.rowsText()}`;
    return { text: `${this.#reportText}${shapes}${rows}}`, clientsRound };
  }

  map(players: Iterable<Player>): MapTell {
    return this.maker.draw(this.seam.roundNumber, players, this.level()?.level ?? 0);
  }

  /** The room's fixed things now. Each level that the game gives is drawn once, since matches may come back to it. */
  level(): LevelTell | undefined {
    const { room, name } = this.seam;
    const { outlines } = room;
    if (outlines === undefined) return undefined;
    let level = this.#levels.get(outlines);
    if (level === undefined) {
      this.#levelCount += 1;
      level = drawnLevel(outlines, name, this.#levelCount);
      this.#levels.set(outlines, level);
    }
    return level;
  }

  heatOf(typeIndex: number): HeatMap {
    let heat = this.#heats.get(typeIndex);
    if (heat === undefined) {
      heat = new HeatMap(this.seam.world, typeIndex);
      this.#heats.set(typeIndex, heat);
    }
    return heat;
  }

  /**
   * The index of a type by name. Without a name: the first type of which players own objects, or the first that has a place. Throws
   * `AskError`.
   */
  heatType(name: string | undefined): number {
    const { store } = this.seam.world;
    const flat = store.tables.filter(({ type }) => extentOf(type).length > 1);
    if (name !== undefined) {
      const found = flat.find(({ type }) => type.name === name);
      if (found === undefined) throw new AskError("bad-message", `type: no type "${name}" has a place in this room`);
      return found.index;
    }
    for (const player of this.seam.players.values()) {
      for (const { type } of player.owned()) {
        const owned = flat.find((table) => table.type.name === type.name);
        if (owned !== undefined) return owned.index;
      }
    }
    if (flat[0] === undefined) throw new AskError("bad-message", "type: nothing in this room has a place");
    return flat[0].index;
  }

  clearHeat(): void {
    for (const heat of this.#heats.values()) heat.clear();
  }

  // ── the recording ──────────────────────────────────────────────────────────────────────────────────────────────

  record(options: RecorderOptions, nowMs: number, used: Process | undefined): Recorder {
    this.recorder = new Recorder(options);
    this.wish(RECORDING, RECORDING_WISH);
    const { probe, reports } = this.watch(RECORDING, nowMs, used);
    probe.sendLog = new SendLog();
    reports.renew();
    return this.recorder;
  }

  stopRecording(): Recorder {
    if (this.recorder === undefined) throw new AskError("no-recording", "nothing was recorded in this room yet");
    this.recorder.stop();
    if (this.#watched !== undefined) this.#watched.probe.sendLog = undefined;
    this.wish(RECORDING, undefined);
    this.release(RECORDING);
    return this.recorder;
  }

  /** Keeps a frame of the recording, if it is time for one. */
  #keepFrame(recorder: Recorder): void {
    const { seam } = this;
    if (this.#watched === undefined || !recorder.isDue(seam.roundNumber * seam.roundMs)) return;
    const { reports, probe } = this.#watched;
    recorder.keep(momentOf(seam, this.map(seam.players.values()), this.level(), probe, reports));
  }
}

const RECORDING = "recording";
const RECORDING_WISH: ReportWish = { everyMs: 500, clientsMs: 1000 };
const NO_WISH: ReportWish = { everyMs: Number.POSITIVE_INFINITY, clientsMs: Number.POSITIVE_INFINITY };
/** How often heat maps are sampled. */
const HEAT_MS = 1000;
/** The most objects that one sample counts. */
const HEAT_SAMPLE = 5000;

/**
 * Whether a multiple of this time has come since: the topics of pages are due at such times, so a report is made in the event in which its figures
 * were sampled.
 */
function isTime(everyMs: number, sinceMs: number, nowMs: number): boolean {
  return Math.floor(nowMs / everyMs) > Math.floor(sinceMs / everyMs);
}

function widestRadius({ settings }: RoomSeam): number {
  const radii = settings.view.sets.flatMap(({ radii = [] }) => radii);
  return radii.length > 0 ? Math.max(...radii) : Number.POSITIVE_INFINITY;
}
