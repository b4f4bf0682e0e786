/**
 * One world with its players, as a game sees it: handlers for what happens, and what the game can do about it. A server has one room or
 * many. The room's data is in `room-core.ts`, its rounds are in `round.ts`.
 */

import type { Entity, World } from "@nearfield/core";
import type { ConsistencyModel } from "@nearfield/core/internal";
import type { ProtocolError } from "@nearfield/protocol/internal";
import { MAX_RECORD_BYTES, type RoomState } from "@nearfield/protocol/internal";
import type { CommandType, EventType, Fields, ObjectId, ObjectType, Off, Values } from "@nearfield/schema";
import { measureRecord } from "@nearfield/schema/internal";
import type { StepFunction } from "@nearfield/simulation";
import { ServerError } from "../errors.ts";
import { findHit, type Shot, type ShotHit } from "../hits/hitscan.ts";
import type { LagCompensation, ShotClaim, Sighting } from "../hits/lag-compensation.ts";
import type { Arrive, Guest, Stay } from "../seam/guest.ts";
import { LocalPlayer, type Player, playerRecord } from "../session/player.ts";
import type { RoomTelemetry } from "../telemetry/telemetry.ts";
import { type Audience, toAll } from "./audience.ts";
import type { Stepping } from "./commands.ts";
import { checkOutlines, type Outlines } from "./outlines.ts";
import type { RoomAudit } from "./room-audit.ts";
import type { AnyValues, RoomCore } from "./room-core.ts";

export interface CommandOptions {
  /**
   * Which server of a cluster runs the handler. `owner`, the default: the one that owns the player's first object, with a stand-in for the player. `gateway`: the
   * one that the player is connected to, with the player itself and its account, for commands that are about no object.
   */
  readonly where?: "owner" | "gateway";
}

export interface EmitOptions {
  /** Sent once, in the frame, and lost if the frame is lost: for events that are worthless when late. Default false. */
  readonly unreliable?: boolean;
}

/**
 * The game's verdict on a write by an owner or lock holder: true (accept), false (refuse), or values to use instead of some of those
 * proposed.
 */
export type WriteVerdict<F extends Fields = Fields> = boolean | Partial<Values<F>>;

/** Bits of an event besides its record: kind, number, type. */
const EVENT_HEAD_BITS = 32;

export class Room {
  readonly #core: RoomCore;

  constructor(core: RoomCore) {
    this.#core = core;
  }

  get name(): string {
    return this.#core.name;
  }

  /** The primaries. */
  get world(): World {
    return this.#core.world;
  }

  /** Whether the promises of the views were kept: what the independent auditor found, and what the model says of itself. */
  get audit(): RoomAudit {
    return this.#core.audit;
  }

  /** For explanations and measurements. The views in it belong to players; do not change them here. */
  get model(): ConsistencyModel {
    return this.#core.model;
  }

  get telemetry(): RoomTelemetry {
    return this.#core.telemetry;
  }

  /** Everybody who is here or away, by number. */
  get players(): ReadonlyMap<number, Player> {
    return this.#core.players;
  }

  /** V §4. In "setup" and "idle" clients may join, look and add objects, but nothing moves: no game step, no commands, no writes, no locks. */
  get state(): RoomState {
    return this.#core.state;
  }

  enable(): void {
    this.#core.switchTo("active");
  }

  disable(): void {
    this.#core.switchTo("idle");
  }

  /**
   * Walls and other fixed things: a `Level`, or lines of the game's own. Only for pictures, such as the inspector's map. A game that
   * changes its level sets it again. Default: none.
   */
  get outlines(): Outlines | undefined {
    return this.#core.outlines;
  }

  set outlines(outlines: Outlines | undefined) {
    if (outlines !== undefined) checkOutlines(outlines);
    this.#core.outlines = outlines;
  }

  /**
   * What `visible` says of an object, or to a player, can be different from now on; it is asked again in the next round. For rules that are asked when
   * something changed (`whenChanged`, `teams`); without such a rule it does nothing.
   */
  visibilityChanged(subject: Player | { readonly id: ObjectId }): void {
    this.#core.visibilityChanged(subject);
  }

  // ── what the game handles: each of these returns a function that takes the handler back ────────────────────────

  onJoin(handler: (player: Player) => void): Off {
    return this.#core.handlers.join.add(handler);
  }

  onLeave(handler: (player: Player, reason: ProtocolError) => void): Off {
    return this.#core.handlers.leave.add(handler);
  }

  /** The game's step. `dtMs` is the nominal length of a round. */
  onRound(handler: (world: World, dtMs: number) => void): Off {
    return this.#core.handlers.round.add(handler);
  }

  /** Sets the one handler of a command. A client that sends a command without a handler is ended. */
  onCommand<F extends Fields>(
    type: CommandType<F>,
    handler: (player: Player, values: Values<F>) => void,
    { where = "owner" }: CommandOptions = {},
  ): Off {
    const { command, atGateway } = this.#core.handlers;
    const key = type as unknown as CommandType;
    this.#core.host.protocol.typeIndex(key);
    if (command.has(key)) throw new ServerError("duplicate-handler", `command ${type.name}: has a handler already`);
    const told = handler as unknown as (player: Player, values: AnyValues) => void;
    command.set(key, told);
    if (where === "gateway") atGateway.add(key);
    return () => {
      if (command.get(key) !== told) return;
      command.delete(key);
      atGateway.delete(key);
    };
  }

  /**
   * Objects of this type are steered by this command, through a step function that the owner's client runs too (`predict`). The
   * client runs it at once; the server runs it in the round in which the command is due. A command for another player's object ends the
   * connection.
   */
  steps<F extends Fields, C extends Fields>(
    type: ObjectType<F>,
    command: CommandType<C>,
    step: StepFunction<F, C>,
  ): void {
    const { steps } = this.#core.handlers;
    const key = type as unknown as ObjectType;
    this.#core.host.protocol.typeIndex(key);
    this.#core.host.protocol.typeIndex(command as unknown as CommandType);
    if (type.write !== "server") {
      throw new ServerError(
        "bad-option",
        `object ${type.name}: is written by ${type.write}, so commands cannot step it`,
      );
    }
    if (steps.has(key)) throw new ServerError("duplicate-handler", `object ${type.name}: has a step function already`);
    steps.set(key, { command, step } as unknown as Stepping);
  }

  /**
   * Called after each step that a player's command made with its object, on the server alone. It is for what only the server decides, such
   * as whether a shot hits. Stepped commands are repeated until they arrive, so a loss delays them by a frame, not by a round trip.
   */
  onStep<F extends Fields, C extends Fields>(
    type: ObjectType<F>,
    command: CommandType<C>,
    listener: (player: Player, entity: Entity<F>, values: Values<C>) => void,
  ): Off {
    const { steps, stepped } = this.#core.handlers;
    const key = type as unknown as ObjectType;
    if (steps.get(key)?.command !== (command as unknown as CommandType))
      throw new ServerError("bad-option", `object ${type.name}: call steps with command ${command.name} first`);
    const told = listener as unknown as (player: Player, entity: Entity, values: AnyValues) => void;
    return stepped.add(key, told);
  }

  /** Judges writes of owners and lock holders before they take effect. Default: all are accepted. */
  onWrite<F extends Fields>(
    type: ObjectType<F>,
    validator: (player: Player, entity: Entity<F>, proposed: Partial<Values<F>>) => WriteVerdict<F>,
  ): Off {
    const { write } = this.#core.handlers;
    const key = type as unknown as ObjectType;
    this.#core.host.protocol.typeIndex(key);
    if (write.has(key)) throw new ServerError("duplicate-handler", `object ${type.name}: has a validator already`);
    const asked = validator as unknown as NonNullable<ReturnType<typeof write.get>>;
    write.set(key, asked);
    return () => {
      if (write.get(key) === asked) write.delete(key);
    };
  }

  /** Called after the merge for each object that a client's writes changed (V §4). */
  onUpdate<F extends Fields>(type: ObjectType<F>, listener: (entity: Entity<F>, player: Player) => void): Off {
    const { update } = this.#core.handlers;
    const key = type as unknown as ObjectType;
    this.#core.host.protocol.typeIndex(key);
    return update.add(key, listener as unknown as (entity: Entity, player: Player) => void);
  }

  // ── what the game does ─────────────────────────────────────────────────────────────────────────────────────────

  /** Sends an event in this round. Default: to all, reliably. */
  emit<F extends Fields>(
    type: EventType<F>,
    values: Values<F>,
    audience: Audience = toAll(),
    options: EmitOptions = {},
  ): void {
    const key = type as unknown as EventType;
    this.#core.host.protocol.typeIndex(key);
    const bytes = Math.ceil((measureRecord(type, values) + EVENT_HEAD_BITS) / 8);
    if (bytes > MAX_RECORD_BYTES) {
      throw new ServerError(
        "too-long",
        `event ${type.name}: has ${bytes} bytes, but at most ${MAX_RECORD_BYTES} are possible`,
      );
    }
    const unreliable = options.unreliable ?? false;
    this.#core.pendingEvents.push({ type: key, values: values as AnyValues, audience, unreliable });
  }

  // ── what a player saw ──────────────────────────────────────────────────────────────────────────────────────────

  /** Where the player saw the target when it shot. Call it in the handler of the command that tells of the shot. */
  seenBy<F extends Fields>(player: Player, target: Entity<F>, claim: ShotClaim): Sighting {
    return this.#lagCompensation.seenBy(player, target as unknown as Entity, claim);
  }

  /** The first target that a shot hits, with each target where the player saw it. */
  hitscan<F extends Fields>(player: Player, shot: Shot<F>, claim: ShotClaim): ShotHit<F> | undefined {
    return findHit(shot, (target) => this.seenBy(player, target, claim));
  }

  /** All shots that are still to come get a later time than this, ms. `LifeCycle.settle` needs it. */
  get earliestShotMs(): number {
    return this.#lagCompensation.earliestShotMs;
  }

  get #lagCompensation(): LagCompensation {
    const { lagCompensation, name } = this.#core;
    if (lagCompensation === undefined)
      throw new ServerError("bad-option", `room ${name} was made without the option lagCompensation`);
    return lagCompensation;
  }

  // ── who joins its rounds ───────────────────────────────────────────────────────────────────────────────────────

  /** Lets a guest join the room's rounds from now on, until it leaves (@nearfield/server/seam). */
  invite<G extends Guest>(arrive: Arrive<G>): Stay<G> {
    return this.#core.guests.invite(arrive);
  }

  /** The names of the guests that are here now. */
  get guests(): readonly string[] {
    return this.#core.guests.names;
  }

  /** Adds a player in the server's own process (V §3.1). It sees the primaries, and its commands run like everybody's. */
  localPlayer(nickname: string): LocalPlayer {
    const core = this.#core;
    const record = playerRecord(core, "local");
    const player = new LocalPlayer(core, core.host.nextSession(), core.freeNickname(nickname), "local", record);
    core.enter(player, record);
    return player;
  }
}
