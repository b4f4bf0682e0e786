/**
 * Lag compensation (N §2.8.2): where a player saw a target when it shot, although its picture was old, and with graded rates of a different
 * age for every object. The server knows what it sent to the client and what arrived, so it runs the client's own presentation again, for
 * that target and that render time.
 *
 * What a client claims is held against what the server knows: a render time must fit the way that the command took (`client-pictures.ts`), and a
 * picture cannot lack what was acknowledged before. Nothing is granted further back than `capMs`; beyond it the shot is judged by the
 * present, as it would be without lag compensation.
 *
 * Who makes its whole link slower than it is, is taken for slow, up to the cap: no server can tell that from a slow link.
 */

import type { Entity } from "@nearfield/core";
import type { PresenterSettings } from "@nearfield/presentation";
import { fitPresentation, PLACE_SIZE, Presentation, type PresentedBy } from "@nearfield/presentation/internal";
import type { ObjectId, ObjectType } from "@nearfield/schema";
import { ServerError } from "../errors.ts";
import type { RoomCore } from "../room/room-core.ts";
import type { Player } from "../session/player.ts";
import { ClientPictures } from "./client-pictures.ts";
import type { PictureQuestion } from "./target-log.ts";

export interface LagCompensationOptions {
  /** Types of which objects may be aimed at; of others nothing is kept. */
  readonly targets: readonly ObjectType[];
  /** How the clients show them: settings or a genre's preset. Default: the default of `Presentation`. Must be what the clients use, or pictures differ. */
  readonly presentation?: PresentedBy;
  /**
   * Interpolated targets, if clients give `present` a `timeBound`: the same, of a target for a player, ms. Default: not known, as on clients
   * without it.
   */
  readonly timeBound?: (target: Entity, player: Player) => number;
  /** By how much clients render behind the server's time (`renderTime` of a client), ms. Default 0. */
  readonly renderLagMs?: number;
  /**
   * The furthest back that a shot is judged, ms. Default 500. A larger value is fairer to slow links and less so to those they hit, who are
   * shot when they believe to be in cover.
   */
  readonly capMs?: number;
  /** Sends kept per client, about 100 bytes each. Default 8,192; with more in `capMs`, some targets are judged by the present. */
  readonly maxSends?: number;
}

/** What a client says of the picture it shot at. A game's command carries it. */
export interface ShotClaim {
  /** The server's time at which the client rendered, ms: what its presentation was asked for. */
  readonly renderMs: number;
  /** The object it aimed at; what follows is said of it. */
  readonly target?: ObjectId;
  /** Round of the target's replica (`world.roundOf`): so a lost ack makes no difference. */
  readonly round?: number;
  /**
   * Render time at which that took effect, ms: `world.renderMs` of the update in which the round was first there. On links whose delay
   * varies it makes pictures exact that the server would otherwise know to some ms.
   */
  readonly appliedMs?: number;
  /**
   * For targets that are interpolated: the moment of the server's time that was shown of it, ms. It makes their pictures exact, which the
   * server would otherwise know to some ms. A client's `world.sightOf` tells all of these.
   */
  readonly momentMs?: number;
}

export interface Sighting {
  /** `seen`: the client's picture. `present`: the primary as it is now, because the picture is too old or not known. */
  readonly basis: "seen" | "present";
  /** Why it is the present: older than the cap; the client has not seen the target; or nobody is behind in time (a local player). */
  readonly why?: "cap" | "unseen" | "local";
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** The server's time that is granted to the shot, ms: when it struck. */
  readonly atMs: number;
  /** How far back that is, ms; at most `capMs`. */
  readonly backMs: number;
  /** By how much the claimed time was changed, ms. */
  readonly clampedMs: number;
}

const CAP_MS = 500;
const MAX_SENDS = 8192;

export class LagCompensation {
  readonly #room: RoomCore;
  readonly #presentation: Presentation;
  readonly #isTarget: readonly boolean[];
  readonly #timeBound: LagCompensationOptions["timeBound"];
  readonly #renderLagMs: number;
  readonly #capMs: number;
  readonly #maxSends: number;
  readonly #pictures = new Map<number, ClientPictures>();
  readonly #question: PictureQuestion = {
    renderMs: 0,
    newestMs: 0,
    appliedMs: 0,
    momentMs: 0,
    playoutMs: 0,
    shiftMs: 0,
    spreadMs: 0,
    slackMs: 0,
    lateMs: 0,
    earlyMs: 0,
    ageMs: 0,
  };
  readonly #place: Float64Array = new Float64Array(PLACE_SIZE);

  constructor(room: RoomCore, options: LagCompensationOptions) {
    const { targets, presentation, renderLagMs = 0, capMs = CAP_MS, maxSends = MAX_SENDS } = options;
    if (!(capMs >= 0 && Number.isFinite(capMs))) throw bad(`capMs is ${capMs}, but must be 0 or more`);
    if (!(renderLagMs >= 0 && renderLagMs <= capMs))
      throw bad(`renderLagMs is ${renderLagMs}, but must be from 0 to capMs, which is ${capMs}`);
    if (!(maxSends >= 1)) throw bad(`maxSends is ${maxSends}, but must be at least 1`);
    this.#room = room;
    this.#isTarget = room.world.protocol.objects.map((type) => targets.includes(type));
    for (const type of targets) {
      room.world.protocol.typeIndex(type);
      if (type.position.length === 0) throw bad(`object ${type.name} has no position, so it is no target`);
    }
    this.#presentation = new Presentation(presentation && presentationOf(targets, presentation));
    this.#timeBound = options.timeBound;
    this.#renderLagMs = renderLagMs;
    this.#capMs = capMs;
    this.#maxSends = maxSends;
  }

  // ── the room's rounds ──────────────────────────────────────────────────────────────────────────────────────────

  /** The server's time at which something arrives now; without a clock, the middle between two rounds. */
  get arrivalMs(): number {
    const { timeMs, resolved } = this.#room.host;
    return resolved.now === undefined ? timeMs + resolved.roundMs / 2 : timeMs;
  }

  enter(player: Player): ClientPictures {
    const { world, host } = this.#room;
    const timeBound = this.#timeBound;
    const pictures = new ClientPictures({
      world,
      isTarget: this.#isTarget,
      presentation: this.#presentation,
      renderLagMs: this.#renderLagMs,
      roundMs: host.resolved.roundMs,
      capMs: this.#capMs,
      maxSends: this.#maxSends,
      session: player.id,
      timeBound: timeBound && ((slot) => timeBound(world.store.entityAt(slot), player)),
    });
    this.#pictures.set(player.id, pictures);
    return pictures;
  }

  leave(session: number): void {
    this.#pictures.delete(session);
  }

  // ── what the game asks ─────────────────────────────────────────────────────────────────────────────────────────

  /** No shot that is still to come can be granted a time at or before this, ms. */
  get earliestShotMs(): number {
    const nowMs = this.#roundTimeMs;
    let earliest = nowMs;
    for (const [session, pictures] of this.#pictures) {
      if (this.#room.sessions.get(session)?.link === undefined) continue;
      earliest = Math.min(earliest, Math.max(nowMs - this.#capMs, pictures.earliestMs(nowMs)));
    }
    return earliest;
  }

  seenBy(player: Player, target: Entity, claim: ShotClaim): Sighting {
    const slot = this.#room.world.store.liveSlot(target.id);
    if (slot < 0 || !this.#isTarget[this.#room.world.store.typeIndex[slot]!])
      throw bad(`object ${target.id} is not in this world, or not of a type that was named as a target`);
    const nowMs = this.#roundTimeMs;
    const pictures = this.#pictures.get(player.id);
    if (pictures === undefined) return this.#present(slot, nowMs, "local", 0);
    const meantMs = pictures.renderMsOf(pictures.commandMs);
    const claimedMs = Number.isFinite(claim.renderMs) ? claim.renderMs : meantMs;
    const latestMs = Math.min(nowMs, meantMs + pictures.earlyMs);
    const atMs = Math.min(latestMs, Math.max(meantMs - pictures.lateMs, claimedMs));
    const clampedMs = Math.abs(claimedMs - atMs);
    if (nowMs - atMs > this.#capMs) return this.#present(slot, nowMs, "cap", clampedMs);
    if (
      !pictures.log.picture(
        target.id,
        this.#ask(pictures, target.id, claim, atMs, atMs - meantMs + (pictures.lateMs - pictures.earlyMs) / 2),
        this.#place,
      )
    ) {
      return this.#present(slot, nowMs, "unseen", clampedMs);
    }
    const [x, y, z] = this.#place as unknown as [number, number, number];
    return { basis: "seen", x, y, z, atMs, backMs: nowMs - atMs, clampedMs };
  }

  #ask(
    pictures: ClientPictures,
    target: ObjectId,
    claim: ShotClaim,
    renderMs: number,
    shiftMs: number,
  ): PictureQuestion {
    const { roundMs } = this.#room.host.resolved;
    const isOfTarget = claim.target === undefined || claim.target === target;
    const question = this.#question;
    question.renderMs = renderMs;
    question.newestMs = isOfTarget && claim.round !== undefined ? claim.round * roundMs : Number.NaN;
    question.appliedMs = isOfTarget && claim.appliedMs !== undefined ? claim.appliedMs : Number.NaN;
    question.momentMs = isOfTarget && claim.momentMs !== undefined ? claim.momentMs : Number.NaN;
    question.playoutMs = pictures.playoutMsOf(pictures.commandMs);
    question.shiftMs = shiftMs;
    question.spreadMs = roundMs / 2;
    question.slackMs = pictures.lateMs;
    question.lateMs = pictures.lateMs;
    question.earlyMs = pictures.earlyMs;
    question.ageMs = pictures.usualAgeMs;
    return question;
  }

  #present(slot: number, nowMs: number, why: "cap" | "unseen" | "local", clampedMs: number): Sighting {
    const { world } = this.#room;
    const { [slot]: x = 0 } = world.x;
    const { [slot]: y = 0 } = world.y;
    const { [slot]: z = 0 } = world.z;
    return { basis: "present", why, x, y, z, atMs: nowMs, backMs: 0, clampedMs };
  }

  get #roundTimeMs(): number {
    return this.#room.host.roundNumber * this.#room.host.resolved.roundMs;
  }
}

/** Throws where a target is not sent what the clients' presentation goes by. How a preset turns headings is no matter: shots strike places. */
function presentationOf(targets: readonly ObjectType[], by: PresentedBy): PresenterSettings {
  const [settings = {}] = targets.map((type) => fitPresentation(type, by));
  return settings;
}

function bad(text: string): ServerError {
  return new ServerError("bad-option", `lagCompensation: ${text}`);
}
