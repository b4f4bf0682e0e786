/**
 * Somebody who watches an action space, or checks it: a player whom the server names tells it what is final. It shows the fight as late as that, and never
 * anything that is taken back.
 *
 *   tick: ways → ask for a snapshot, or for what became final since → show
 */

import { type Fight, Replica } from "../fight/replica.ts";
import { readSnapshot } from "../session/snapshot.ts";
import { Spectator } from "../session/spectator.ts";
import type { Timeline } from "../timeline/timeline.ts";
import type { Topic } from "./frame.ts";
import { emptySeat, type Seat, type SpacePort } from "./seat.ts";
import { SpaceMember, type SpaceMemberOptions } from "./space-member.ts";
import { encodeNeeds, Receiving } from "./transfer.ts";

/** Ms without anything new after which a snapshot is asked for: the sponsor may have changed, or keep no longer what is needed. */
const STALE_MS = 3000;

export class SpaceWatcher extends SpaceMember {
  readonly #fight: Fight;
  /** By address; players only, and its own. */
  readonly #seats = new Map<number, Seat>();
  #spectator: Spectator | undefined;
  #replica: Replica | undefined;
  #receiving: Receiving;
  #rounds = 0;
  #freshMs: number;
  #nowMs: number;
  #askedMs = Number.NEGATIVE_INFINITY;

  constructor(options: SpaceMemberOptions, port: Pick<SpacePort, "relay" | "signal">) {
    super(options, port);
    const { fight, now } = options;
    this.#fight = fight;
    this.#nowMs = now();
    this.#freshMs = this.#nowMs;
    this.#receiving = this.#newReceiving();
  }

  get timeline(): Timeline | undefined {
    return this.#spectator?.timeline;
  }

  /** What the server says of a seat: of its own, and of the player who tells it what is final. */
  seat(seat: Seat): void {
    if (this.stands === "left") return;
    this.#seats.set(seat.address, seat);
    if (seat.address === this.options.form.own && this.stands === "waiting") this.stands = "joining";
    const { sponsor } = this.#own;
    for (const { address, visit } of this.#seats.values())
      if (address === sponsor && visit > 0) this.mesh.meet(address, visit);
      else this.mesh.part(address);
  }

  /** Shows what is final by now. Returns whether the fight's state has changed. */
  tick(nowMs: number): boolean {
    this.#nowMs = nowMs;
    if (this.stands === "left") return false;
    this.mesh.tick(nowMs);
    const { sponsor } = this.#own;
    if (sponsor < 0 || nowMs - this.#askedMs < this.options.form.stepMs) return false;
    this.#askedMs = nowMs;
    if (nowMs - this.#freshMs > STALE_MS) this.#beginAgain();
    if (this.#spectator === undefined) this.mesh.send(sponsor, "want", this.#receiving.want());
    else this.mesh.send(sponsor, "watch", encodeNeeds(this.#spectator.needs));
    return this.#show();
  }

  #show(): boolean {
    const spectator = this.#spectator;
    if (spectator === undefined) return false;
    const { head } = spectator.timeline;
    this.#replica!.carryOut(spectator.tick(this.#nowMs));
    if (spectator.timeline.head > head) this.#freshMs = this.#nowMs;
    return spectator.timeline.head > head;
  }

  protected hear(from: number, topic: Topic, bytes: Uint8Array): void {
    if (from !== this.#own.sponsor) return;
    if (topic === "rows") this.#spectator?.receive(bytes);
    else if (topic === "chunk" && this.#spectator === undefined) {
      const snapshot = this.#receiving.take(bytes);
      if (snapshot) this.#begin(snapshot);
    }
  }

  #begin(snapshot: Uint8Array): void {
    const { form, session, onSettled } = this.options;
    const { slots: players, stepMs, startMs } = form;
    const options = { ...session, players, stepMs, startMs };
    const read = readSnapshot({ ...options, stateBytes: this.#fight.state.byteLength }, snapshot);
    this.#spectator = new Spectator({ ...options, snapshot: read });
    this.#fight.state.load(read.saved);
    this.#replica = new Replica(this.#spectator.timeline, this.#fight, onSettled);
    this.stands = "playing";
    this.#freshMs = this.#nowMs;
  }

  #beginAgain(): void {
    this.#spectator = undefined;
    this.#replica = undefined;
    this.stands = "joining";
    this.#receiving = this.#newReceiving();
    this.#freshMs = this.#nowMs;
  }

  get #own(): Seat {
    return this.#seats.get(this.options.form.own) ?? emptySeat(this.options.form.own);
  }

  #newReceiving(): Receiving {
    this.#rounds++;
    return new Receiving(this.#fight.state.byteLength, this.#rounds);
  }
}
