/**
 * Somebody whom the server drew to check a fight. It gets every player's signed inputs from that player, replays what is final, and compares it with what the players
 * vouch for. It shows nothing and sends nothing to the players but the step from which it needs more.
 *
 *   receive(player, bytes) … → replica.carryOut(observer.tick()) → disputes; at the end finish() → a report
 *
 * A state is final here when no vote on a player who stalls can take it back. Otherwise an observer that heard such a player for longer than the voters did would contradict an honest vote.
 */

import { WireError } from "@nearfield/schema/internal";
import type { MessageForm } from "../session/peer-message.ts";
import { decodeWatched, type Vote, type Watched } from "../session/watched.ts";
import type { Request } from "../timeline/requests.ts";
import type { TimelineSettings } from "../timeline/settings.ts";
import { ADMIT_STEPS, type Admission, Timeline } from "../timeline/timeline.ts";
import { type Dispute, Notary, type SealOptions } from "./notary.ts";
import type { SignedLog } from "./signed-log.ts";

export interface ObserverOptions extends TimelineSettings {
  readonly hasLags?: boolean;
  readonly seals: SealOptions;
}

/** Players were voted out who kept sending signed inputs to this observer: the others left them out. */
export interface Omission {
  readonly player: number;
  /** The step from which the player is said to be gone. */
  readonly step: number;
}

/** A player who stalls may reach an observer with so many seals more than those who vote. */
const SPARE_SEALS = 2;

export class Observer {
  readonly timeline: Timeline;
  readonly #form: MessageForm;
  readonly #notary: Notary;
  /** By player: whom it says to be gone, and the votes that it tells of. */
  readonly #told: Pick<Watched, "gone" | "votes">[];
  /** Admissions of players of whom this observer has not heard that they are gone. */
  #early: Admission[] = [];
  readonly #gone = new Map<number, number>();
  /** Votes that were looked at: "player from step". */
  readonly #heard = new Set<string>();
  readonly #omissions: Omission[] = [];

  constructor(options: ObserverOptions) {
    const { players, inputBytes, hasLags = false, seals } = options;
    this.timeline = new Timeline({ ...options, ahead: 0, retracts: true, repair: Number.POSITIVE_INFINITY });
    this.#form = { players, inputBytes, hasLags, isSealed: true };
    this.#notary = new Notary(this.timeline, this.#form, seals, undefined, { take() {}, signed() {} });
    this.#told = Array.from({ length: players }, () => ({ gone: new Map(), votes: [] }));
  }

  get disputes(): readonly Dispute[] {
    return this.#notary.disputes;
  }

  get omissions(): readonly Omission[] {
    return this.#omissions;
  }

  get gone(): ReadonlyMap<number, number> {
    return this.#gone;
  }

  get signedLog(): SignedLog {
    return this.#notary.log(this.#gone);
  }

  /** The step from which it needs more of a player: for that player's `signedRows`. */
  needs(player: number): number {
    return this.timeline.throughOf(player);
  }

  /** What a player's `signedRows` gave. Throws `WireError` if it is none. */
  receive(player: number, bytes: Uint8Array): void {
    const { own, gone, votes } = decodeWatched(this.#form, player, bytes);
    const { inputBytes, hasLags } = this.#form;
    own.rows.forEach((row, at) => {
      const step = own.first + at;
      const admits = row[inputBytes]!;
      if (admits > this.#form.players) throw new WireError("range", `player ${admits - 1} is let in`);
      const lags = hasLags ? row.subarray(inputBytes + 1) : undefined;
      if (step >= this.timeline.openTo) return;
      this.timeline.put(player, step, row.subarray(0, inputBytes), lags, admits);
    });
    // A message that was overtaken says less of votes than is known.
    const isNewest = (own.seal?.through ?? 0) >= (this.#notary.sealOf(player)?.through ?? 0);
    if (own.seal) this.#notary.hear(own.seal);
    this.#notary.recheck(player);
    if (isNewest) this.#told[player] = { gone, votes };
  }

  /** What the replica has to do now. */
  tick(): readonly Request[] {
    this.#hearVotes();
    this.#countAdmissions(this.#safeTo());
    return this.timeline.tick(this.#safeTo());
  }

  /** The same, when no more inputs and votes will come: all that is signed is final. */
  finish(): readonly Request[] {
    this.#hearVotes();
    this.#countAdmissions(Number.MAX_SAFE_INTEGER);
    return this.timeline.tick(Number.MAX_SAFE_INTEGER);
  }

  /** The game's answer to a `settle` request. */
  settled(state: number, saved: Uint8Array): void {
    this.#notary.settle(state, saved);
  }

  /**
   * The newest state that no vote will take back. A player who stalls is gone from the newest step that any voter has of it. So it is not cut off before a state that one of the others vouches for; nor more than the spare
   * seals before the end of what it signed, since that would be an omission. Example: all have signed up to step 56, and nobody vouches for more than state 32: states up to 40 are safe.
   */
  #safeTo(): number {
    const there = this.#told.map((_, player) => player).filter((player) => !this.timeline.isGone(player));
    let safe = Number.MAX_SAFE_INTEGER;
    // Who is left alone cannot be voted out.
    if (there.length > 1)
      for (const player of there) {
        let state = this.#notary.sealedOf(player) - this.#spareSteps;
        for (const voter of there) if (voter !== player) state = Math.max(state, this.#vouchedBy(voter, player));
        safe = Math.min(safe, state);
      }
    return safe;
  }

  /** The newest state that a voter vouches for with a player's inputs in it: none after the step from which it says that this player is gone. */
  #vouchedBy(voter: number, player: number): number {
    const state = this.#notary.sealOf(voter)?.state ?? 0;
    return Math.min(state, this.#told[voter]!.gone.get(player) ?? state);
  }

  get #spareSteps(): number {
    return SPARE_SEALS * this.#notary.sealSteps;
  }

  /** Admissions count up to a state that no vote will take back: a sponsor may be voted out with fewer inputs than came here. */
  #countAdmissions(safe: number): void {
    for (let player = 0; player < this.#form.players; player++)
      for (const admission of this.timeline.takeAdmissions(player, Math.min(safe, this.#notary.sealedOf(player))))
        this.#admit(admission);
  }

  #admit(admission: Admission): void {
    const { player, step } = admission;
    const entered = this.timeline.enteredAt(player);
    if (this.timeline.letIn(admission)) this.#welcome(player);
    // A second sponsor let the same life in.
    else if (Number.isFinite(entered) && step < entered) return;
    else this.#early = [...this.#early, admission].filter(({ step }) => step + ADMIT_STEPS > this.timeline.tail);
  }

  #welcome(player: number): void {
    this.#gone.delete(player);
    const entered = this.timeline.enteredAt(player);
    if (Number.isFinite(entered)) this.#notary.welcome(player, entered);
  }

  /** Players are gone when all who had a vote say so, whenever they say it. Whoever of these was voted out or let in since then tells nothing of it any more. */
  #hearVotes(): void {
    for (const { votes } of this.#told) for (const vote of votes) if (this.#isAgreed(vote)) this.#leave(vote);
  }

  #isAgreed({ player, step, without }: Vote): boolean {
    return this.#told.every(({ votes }, voter) => {
      if (voter === player || without.includes(voter)) return true;
      if (votes.some((other) => other.player === player && other.step === step)) return true;
      return this.timeline.isGone(voter) || this.#wasLetInAfter(voter, step);
    });
  }

  #wasLetInAfter(player: number, step: number): boolean {
    const entered = this.timeline.enteredAt(player);
    return Number.isFinite(entered) && entered > step;
  }

  #leave({ player, step }: Vote): void {
    // A vote on the life that follows waits until that has begun.
    if (this.timeline.isGone(player) || this.#heard.has(`${player} from ${step}`)) return;
    this.#heard.add(`${player} from ${step}`);
    const isOmitted = this.#notary.sealedOf(player) > step + this.#spareSteps;
    if (isOmitted || step < this.timeline.tail) this.#omissions.push({ player, step });
    else {
      this.#notary.cut(player, step);
      this.timeline.leave(player, step);
      this.#gone.set(player, step);
      // The input that lets it in again may have come before the news of this vote.
      for (const admission of this.#early.splice(0)) this.#admit(admission);
    }
  }
}
