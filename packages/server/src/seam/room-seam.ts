/**
 * What a guest may read of a room, and what it may change. Everything else of a room is its own. Whatever a guest opened here (views,
 * observers) ends with its stay.
 */

import type { Entity, Metric, ViewLimits, ViewSettings, World } from "@nearfield/core";
import type { ConsistencyModel, SpawnOptions, WorldObserver } from "@nearfield/core/internal";
import type { Fields, ObjectId, ObjectType, Values, WorldId } from "@nearfield/schema";
import type { Room } from "../room/room.ts";
import type { RoomAudit } from "../room/room-audit.ts";
import type { RoomCore } from "../room/room-core.ts";
import type { Player } from "../session/player.ts";
import type { RoomTelemetry } from "../telemetry/telemetry.ts";
import { GuestView, type GuestViewOptions } from "./guest-view.ts";
import { authoriseEdit, type EditAnswer, setEverybodysView, setView, type ViewEdit } from "./view-edits.ts";

/** What a guest may ask the room's model; the views in it belong to players. */
export type ReadableModel = Pick<ConsistencyModel, "account" | "baseVersion" | "decisions" | "distanceTo" | "explain">;

/** A player's connection, to be read. */
export interface Connection {
  readonly player: Player;
  /** Nothing is judged for it or sent to it now: it is away, or its link is far behind. */
  readonly isPaused: boolean;
  readonly link: { readonly kind: string; readonly backlogBytes: number } | undefined;
}

export class RoomSeam {
  readonly #core: RoomCore;
  readonly #ends = new Set<() => void>();

  constructor(core: RoomCore) {
    this.#core = core;
  }

  // ── to be read ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** The room as a game sees it. */
  get room(): Room {
    return this.#core.room;
  }

  get name(): string {
    return this.#core.name;
  }

  /** Rounds run so far, and the nominal length of one, ms. */
  get roundNumber(): number {
    return this.#core.host.roundNumber;
  }

  get roundMs(): number {
    return this.#core.host.resolved.roundMs;
  }

  get world(): World {
    return this.#core.world;
  }

  get model(): ReadableModel {
    return this.#core.model;
  }

  get audit(): RoomAudit {
    return this.#core.audit;
  }

  get telemetry(): Readonly<RoomTelemetry> {
    return this.#core.telemetry;
  }

  /** By session number: everybody who is here or away. */
  get players(): ReadonlyMap<number, Player> {
    return this.#core.players;
  }

  /** By session number: those among them who have, or had, a link. */
  get connections(): ReadonlyMap<number, Connection> {
    return this.#core.sessions;
  }

  /** Metrics that views may name besides the ones in the box. */
  get metrics(): readonly Metric[] {
    return this.#core.options.metrics ?? [];
  }

  /** What the room was made with: its view, limits where it states some, bytes per second for each client where it states them. */
  get settings(): {
    readonly view: ViewSettings;
    readonly viewLimits: ViewLimits | undefined;
    readonly budget: number | undefined;
  } {
    const { view, viewLimits, budget } = this.#core.options;
    return { view, viewLimits, budget };
  }

  /** Tells the observer of every change of the world from now on. */
  observe(observer: WorldObserver): () => void {
    this.#core.world.observe(observer);
    return this.#until(() => this.#core.world.unobserve(observer));
  }

  // ── to be changed: views ───────────────────────────────────────────────────────────────────────────────────────

  /** A view of the guest's own, judged from the next round on. Throws `ViewError`. */
  addView(settings: ViewSettings, options: GuestViewOptions = {}): GuestView {
    const view = new GuestView(this.#core, settings, options);
    this.#until(() => view.end());
    return view;
  }

  /** What the room would make of an edit of a player's view. Throws `ViewError`, or what the game throws to refuse. */
  authoriseView(player: Player, edit: ViewEdit): { readonly view: ViewSettings; readonly clamped: readonly string[] } {
    return authoriseEdit(this.#core, player, edit);
  }

  /** Changes what a player sees, from the next round on, and tells it. */
  setView(player: Player, edit: ViewEdit): EditAnswer {
    return setView(this.#core, player, edit);
  }

  /** … what everybody in the room sees, and those who join later. */
  setEverybodysView(edit: ViewEdit): EditAnswer[] {
    return setEverybodysView(this.#core, edit);
  }

  // ── to be changed: objects that other servers own ──────────────────────────────────────────────────────────────

  /** Brings in an object that lives on another server. It has a place, a version and updates here like any other, and keeps its world id. */
  bring<F extends Fields>(
    type: ObjectType<F>,
    worldId: WorldId,
    values: Partial<Values<F>>,
    options: Omit<SpawnOptions, "worldId"> = {},
  ): Entity<F> {
    return this.#core.world.spawn(type, values, { ...options, worldId });
  }

  /** Another server owns this object from now on: here it is a copy, which the guest writes. */
  cede(entity: { readonly id: ObjectId }): void {
    this.#core.world.setForeign(entity, true);
  }

  /** This server owns a copy from now on. Clients notice nothing. */
  adopt(entity: { readonly id: ObjectId }): void {
    this.#core.world.setForeign(entity, false);
  }

  /** A session number of this server for a player of another one: it owns here what that player owns there. */
  takeSession(): number {
    return this.#core.host.nextSession();
  }

  /** Its guest was shown out: all that it opened here ends. */
  close(): void {
    for (const end of [...this.#ends]) end();
  }

  #until(end: () => void): () => void {
    const once = (): void => {
      if (this.#ends.delete(once)) end();
    };
    this.#ends.add(once);
    return once;
  }
}
