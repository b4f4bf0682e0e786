/**
 * A view that a guest has in a room's model. It is judged in every round like a player's view, but the room sends it to nobody. The guest
 * sends its decisions elsewhere, or only counts them. Examples: what would another view cost this player? What must another server's player
 * be told of this world?
 */

import type { Pivot, ViewSettings } from "@nearfield/core";
import type { Decisions, ViewId } from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";
import type { RoomCore } from "../room/room-core.ts";
import type { Player } from "../session/player.ts";

export interface GuestViewOptions {
  /** Judge the view as this player's: its own objects are due on every change, and `visible` is asked for this player. */
  readonly player?: Player;
  /** Without a player: the session whose objects count as the view's own, from `RoomSeam.takeSession`. Default 0, nobody. */
  readonly session?: number;
  /** Every send counts as received. Default false: the guest calls `acknowledge` and `lose`. */
  readonly assumeDelivered?: boolean;
}

export class GuestView {
  /** The view's id in the room's model, for `explain` and `decisions`. */
  readonly id: ViewId;
  readonly #room: RoomCore;
  #hasEnded = false;

  constructor(room: RoomCore, settings: ViewSettings, options: GuestViewOptions) {
    const { player, assumeDelivered = false } = options;
    this.#room = room;
    this.id = room.addGuestView(settings, { session: player?.id ?? options.session ?? 0, assumeDelivered }, player);
  }

  /** What is due for this view in this round. Valid until the next round. */
  get decisions(): Decisions {
    return this.#room.model.decisions(this.id);
  }

  /** Moves the view. */
  setPivots(pivots: readonly Pivot[]): void {
    this.#room.model.setPivots(this.id, pivots);
  }

  change(settings: ViewSettings): void {
    this.#room.model.changeView(this.id, settings);
  }

  /** What was decided for an object in a round has arrived. */
  acknowledge(object: ObjectId, round: number): void {
    this.#room.model.acknowledge(this.id, object, round);
  }

  /** What was decided for an object in a round is lost. The object is judged again. */
  lose(object: ObjectId, round: number): void {
    this.#room.model.lose(this.id, object, round);
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#room.removeGuestView(this.id);
  }
}
