/**
 * Somebody whom the server drew to check a fight whose inputs are signed (H7). It has a way to every player, asks each for that player's own signed inputs, and replays what
 * is final. It shows nothing of its own to the players but the step from which it needs more.
 *
 *   tick: ways → ask every player for more → replay
 */

import { type Fight, Replica } from "../fight/replica.ts";
import type { Request } from "../timeline/requests.ts";
import type { Timeline } from "../timeline/timeline.ts";
import type { SealOptions } from "../trust/notary.ts";
import { Observer } from "../trust/observer.ts";
import type { Topic } from "./frame.ts";
import type { Seat, SpacePort } from "./seat.ts";
import { SpaceMember, type SpaceMemberOptions, type WayView } from "./space-member.ts";
import { encodeNeeds } from "./transfer.ts";

export interface SpaceObserverOptions extends SpaceMemberOptions {
  readonly session: SpaceMemberOptions["session"] & { readonly seals: SealOptions };
}

export class SpaceObserver extends SpaceMember<SpaceObserverOptions> {
  readonly observer: Observer;
  readonly #replica: Replica;
  readonly #players = new Set<number>();
  #askedMs = Number.NEGATIVE_INFINITY;
  #isReplaying = false;

  constructor(options: SpaceObserverOptions, port: Pick<SpacePort, "relay" | "signal">) {
    super(options, port);
    const { form, fight, session, onSettled } = options;
    this.observer = new Observer({ ...session, players: form.slots, absent: form.absent });
    this.#replica = new Replica(this.observer.timeline, fight, (state, checksum, saved) => {
      this.observer.settled(state, saved);
      onSettled?.(state, checksum, saved);
    });
  }

  /** The ways to the players. */
  get ways(): readonly WayView[] {
    return Array.from(this.#players, (player) => this.wayTo(player));
  }

  get timeline(): Timeline {
    return this.observer.timeline;
  }

  get fight(): Fight {
    return this.options.fight;
  }

  seat({ address, visit }: Seat): void {
    const { own, slots } = this.options.form;
    if (this.stands === "left") return;
    if (address === own) this.stands = "playing";
    if (address >= slots) return;
    this.#players.add(address);
    if (visit > 0) this.mesh.meet(address, visit);
    else this.mesh.part(address);
  }

  /** Replays what has become final by now. Returns whether the fight's state has changed. */
  tick(nowMs: number): boolean {
    if (this.stands === "left") return false;
    this.mesh.tick(nowMs);
    if (nowMs - this.#askedMs < this.options.form.stepMs) return false;
    this.#askedMs = nowMs;
    for (const player of this.#players) this.mesh.send(player, "watch", encodeNeeds(this.observer.needs(player)));
    const { head } = this.timeline;
    this.#replay(this.observer.tick());
    if (this.status === "left") this.#replay(this.observer.finish());
    return this.timeline.head > head;
  }

  /** The space has ended, or this observer leaves: what it has is all that it will have. */
  override leave(): void {
    if (this.stands === "left") return;
    super.leave();
    // Who leaves while it is told of a final state is told of the others first.
    if (!this.#isReplaying) this.#replay(this.observer.finish());
  }

  protected hear(from: number, topic: Topic, bytes: Uint8Array): void {
    if (topic === "signed" && from < this.options.form.slots) this.observer.receive(from, bytes);
  }

  #replay(requests: readonly Request[]): void {
    this.#isReplaying = true;
    this.#replica.carryOut(requests);
    this.#isReplaying = false;
  }
}
