/**
 * The inspector's part in a server. Pages come and go, ask and watch. What they watch is made between rounds, within the time that the host
 * grants. It has no sockets and no clock: the host brings a `PageLink` for each page, hands over its texts, and calls `work` with the time
 * after rounds of watched rooms.
 *
 * Invariant: with no page open and no recording, no room has a probe, and a round pays nothing.
 */

import { CAUSE_NAMES } from "@nearfield/core";
import { VIEW_CAPACITY } from "@nearfield/core/internal";
import type { Player, Server } from "@nearfield/server";
import { STAGE_NAMES, type Stay } from "@nearfield/server/seam";
import { AskError } from "./ask-reader.ts";
import { finite } from "./drawn.ts";
import { extentOf } from "./extent.ts";
import { FEED_VERSION } from "./feed/asks.ts";
import type { ClusterSource } from "./feed/cluster.ts";
import type { Welcome } from "./feed/tells.ts";
import { InspectorPage, type PageLink } from "./inspector-page.ts";
import type { Process } from "./report-maker.ts";
import { RoomDesk } from "./room-desk.ts";

/** Sets network conditions for a player, if the host can: through a proxy, a simulator or a traffic shaper. */
export interface ConditionsHook {
  readonly presets: readonly string[];
  set(player: Player, preset: string): void;
}

/** A configuration file that the host keeps for the operator. */
export interface ViewFileHook {
  /** For people, without folders. */
  readonly name: string;
  read(): Promise<string>;
  write(text: string): Promise<void>;
}

export interface InspectorOptions {
  /** Whether this is the token that opens the feed. It must take equally long for a wrong token. */
  readonly isToken: (token: string) => boolean;
  /** Radius of the aura in reports, world units. Default: the largest radius of each room's view. */
  readonly auraRadius?: number | undefined;
  /** A clock in ms, for the duration of rounds. Default: none, durations are 0. */
  readonly now?: (() => number) | undefined;
  readonly process?: (() => Process) | undefined;
  /** Wall clock, ms since 1970. Default 0. */
  readonly startedMs?: number | undefined;
  readonly conditions?: ConditionsHook | undefined;
  readonly viewFile?: ViewFileHook | undefined;
  /** The cluster of which the server is one. Default: none. */
  readonly cluster?: ClusterSource | undefined;
}

export class Inspector {
  readonly server: Server;
  readonly options: InspectorOptions;
  /** Called when a round of a watched room has ended: call `work` soon, but not at once. */
  onWork: () => void = () => {};
  readonly #desks = new Map<string, Stay<RoomDesk>>();
  readonly #pages = new Set<InspectorPage>();
  #nowMs = 0;

  constructor(server: Server, options: InspectorOptions) {
    this.server = server;
    this.options = options;
  }

  /** Pages that are open, with or without a valid token. */
  get pageCount(): number {
    return this.#pages.size;
  }

  open(link: PageLink): InspectorPage {
    const page = new InspectorPage(this, link, () => this.#pages.delete(page));
    this.#pages.add(page);
    return page;
  }

  /**
   * Samples counters, keeps frames of recordings and sends pages what is due.
   *
   * @param isOver whether the granted time is used up; asked after each message. What is left waits for the next call.
   */
  work(nowMs: number, isOver: () => boolean = () => false): void {
    this.#nowMs = nowMs;
    for (const { guest } of this.#desks.values()) {
      if (guest.isDismissed) this.#forget(guest);
      else guest.work(nowMs, this.options.process);
    }
    if (this.#isPageDue(nowMs)) this.#tellDue(nowMs, isOver);
  }

  /** In most rounds nothing is due to any page. */
  #isPageDue(nowMs: number): boolean {
    for (const { nextMs } of this.#pages) if (nextMs <= nowMs) return true;
    return false;
  }

  #tellDue(nowMs: number, isOver: () => boolean): void {
    for (const page of [...this.#pages]) {
      page.tellDue(nowMs, isOver);
      if (isOver()) break;
      // A page that was served goes to the end of the queue, so that with little time every page has its turn.
      if (this.#pages.delete(page)) this.#pages.add(page);
    }
  }

  close(): void {
    for (const page of [...this.#pages]) page.close(1001, "the server closes");
    for (const { leave } of this.#desks.values()) leave();
    this.#desks.clear();
  }

  // ── for pages ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Throws `AskError`. */
  deskOf(name: string): RoomDesk {
    const room = this.server.rooms.get(name);
    if (room === undefined) throw new AskError("no-room", `there is no room "${name}"`);
    const known = this.#desks.get(name);
    if (known?.guest.seam.room === room) return known.guest;
    known?.leave();
    const { auraRadius, now } = this.options;
    const stay = room.invite((seam) => new RoomDesk(seam, { auraRadius, now, onRound: () => this.onWork() }));
    this.#desks.set(name, stay);
    return stay.guest;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  process(): Process | undefined {
    return this.options.process?.();
  }

  welcome(): Welcome {
    const { server, options } = this;
    return {
      tell: "welcome",
      version: FEED_VERSION,
      roundMs: server.roundMs,
      round: server.roundNumber,
      startedMs: options.startedMs ?? 0,
      rooms: [...server.rooms.values()].map(({ name, players, world }) => {
        return { name, players: players.size, objects: world.count };
      }),
      types: server.world.store.tables.map(({ type }) => ({
        name: type.name,
        axes: type.position.length,
        hasOrientation: type.orientation.length > 0,
        extent: extentOf(type),
        fields: type.fields.map((field) => field.name),
      })),
      causes: [...CAUSE_NAMES],
      stages: [...STAGE_NAMES],
      viewCapacity: {
        sets: VIEW_CAPACITY.sets,
        zones: VIEW_CAPACITY.zones,
        sectors: VIEW_CAPACITY.sectors,
        pivots: VIEW_CAPACITY.pivots,
      },
      auraRadius: finite(this.deskOf(server.main.name).auraRadius),
      viewFile: options.viewFile?.name ?? null,
      presets: [...(options.conditions?.presets ?? [])],
      hasCluster: options.cluster !== undefined,
    };
  }

  /** The range of all places by axis: the widest of any type; `null` where no type has limits. */
  extent(): ([number, number] | null)[] {
    const extents = this.server.world.store.tables.map(({ type }) => extentOf(type));
    const axes = Math.max(0, ...extents.map((extent) => extent.length));
    return Array.from({ length: axes }, (_, axis) => {
      const ranges = extents.flatMap((extent) => extent[axis] ?? []);
      return ranges.length === 0 ? null : [Math.min(...ranges), Math.max(...ranges)];
    });
  }

  /** The desk's room was closed. */
  #forget(desk: RoomDesk): void {
    const { name } = desk.seam;
    if (this.#desks.get(name)?.guest === desk) this.#desks.delete(name);
    for (const page of this.#pages) page.roomClosed(desk);
  }
}
