/**
 * Lag compensation (N §2.8.2): where a player saw a target when it shot. A player's picture is old, and under graded rates it is of a
 * different age for every object. The server knows what it sent to the client and what arrived. So it runs the client's own presentation
 * again, for that target and that render time.
 *
 * A client's claim is checked against what the server knows. The render time must fit the time that the command took
 * (`client-pictures.ts`). The picture must include what the client had acknowledged before. No shot is judged further back than `capMs`; an
 * older one is judged by the present, as it would be without lag compensation.
 *
 * A client that delays all of its packets looks like one with a slow link, and is treated as one, up to the cap. No server can tell the two
 * apart.
 */

import type { Entity } from "@nearfield/core";
import type { PresenterSettings } from "@nearfield/presentation";
import {
  fitPresentation,
  PLACE_SIZE,
  Presentation,
  type PresentedBy,
  resolvePresenterSettings,
} from "@nearfield/presentation/internal";
import type { ObjectId, ObjectType } from "@nearfield/schema";
import { ServerError } from "../errors.ts";
import type { RoomCore } from "../room/room-core.ts";
import type { Player } from "../session/player.ts";
import { ClientPictures } from "./client-pictures.ts";
import type { PictureQuestion } from "./target-log.ts";

export interface LagCompensationOptions {
  /** Types whose objects may be aimed at. Nothing is kept of other types. */
  readonly targets: readonly ObjectType[];
  /**
   * How the clients show the targets: settings, or a genre's preset. Default: the default of `Presentation`. It must be what the clients
   * use, or pictures differ.
   */
  readonly presentation?: PresentedBy;
  /**
   * Only for interpolated targets, and only if clients give `present` a `timeBound`: the same function, of a target for a player, ms.
   * Default: none, as on clients without it.
   */
  readonly timeBound?: (target: Entity, player: Player) => number;
  /** How far clients render behind the server's time (`renderTime` of a client), ms. Default 0. */
  readonly renderLagMs?: number;
  /**
   * The furthest back that a shot is judged, ms. Default 500. A larger value is fairer to shooters with slow links. It is less fair to
   * their targets, who are hit although they are in cover on their own screen.
   */
  readonly capMs?: number;
  /** Sends kept per client, about 100 bytes each. Default 8,192. If more fall into `capMs`, some targets are judged by the present. */
  readonly maxSends?: number;
}

/** What a client says of the picture it shot at. A game's command carries it. */
export interface ShotClaim {
  /** The server's time for which the client drew its picture, ms. */
  readonly renderMs: number;
  /** The object that the client aimed at. The next three fields are about it. */
  readonly target?: ObjectId;
  /** The round of the target's replica (`world.roundOf`). With it, a lost ack makes no difference. */
  readonly round?: number;
  /**
   * The render time at which that round took effect, ms: `world.renderMs` in the first update that had it. It makes pictures exact on links
   * whose delay varies; without it the server knows them to a few ms.
   */
  readonly appliedMs?: number;
  /**
   * Only for interpolated targets: the moment of the server's time that was shown, ms. It makes their pictures exact; without it the server
   * knows them to a few ms. A client's `world.sightOf` gives all of these fields.
   */
  readonly momentMs?: number;
}

export interface Sighting {
  /** `seen`: where the client saw the target. `present`: where the target is now, because the picture is too old or not known. */
  readonly basis: "seen" | "present";
  /**
   * Why the present was used. `cap`: the picture is older than the cap. `unseen`: the client has not seen the target. `local`: a local
   * player sees the present.
   */
  readonly why?: "cap" | "unseen" | "local";
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** The server's time at which the shot struck, ms. */
  readonly atMs: number;
  /** How far back that time is, ms; at most `capMs`. */
  readonly backMs: number;
  /** How far the claimed time was moved to be acceptable, ms. */
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
    this.#presentation = new Presentation(
      resolvePresenterSettings(presentation && presentationOf(targets, presentation)),
    );
    this.#timeBound = options.timeBound;
    this.#renderLagMs = renderLagMs;
    this.#capMs = capMs;
    this.#maxSends = maxSends;
  }

  // ── the room's rounds ──────────────────────────────────────────────────────────────────────────────────────────

  /** The server's time for a message that arrives now. Without a clock: the middle between two rounds. */
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

  /** All shots that are still to come get a later time than this, ms. */
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

/**
 * Throws if a target type lacks fields that the clients' presentation needs. The preset's turning of headings is ignored, since shots
 * strike places.
 */
function presentationOf(targets: readonly ObjectType[], by: PresentedBy): PresenterSettings {
  const [settings = {}] = targets.map((type) => fitPresentation(type, by));
  return settings;
}

function bad(text: string): ServerError {
  return new ServerError("bad-option", `lagCompensation: ${text}`);
}
