/**
 * A view that a guest has in a room's model: judged in every round like a player's own, and sent to nobody by the room. The guest carries out
 * its decisions, or only counts them: what would another view cost this player, what must another server's player be told of this world.
 */

import type { Pivot, ViewSettings } from "@nearfield/core";
import type { Decisions, ViewId } from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";
import type { RoomCore } from "../room/room-core.ts";
import type { Player } from "../session/player.ts";

export interface GuestViewOptions {
  /** Judged as this player's: its own objects are due on every change, and `visible` is asked for it. */
  readonly player?: Player;
  /** Without a player: the session number that owns objects here, from `RoomSeam.takeSession`. Default 0, nobody. */
  readonly session?: number;
  /** Every send counts as received. Default false: the guest calls `acknowledge` and `lose`. */
  readonly assumeDelivered?: boolean;
}

export class GuestView {
  /** In the room's model: what `explain` and `decisions` ask for. */
  readonly id: ViewId;
  readonly #room: RoomCore;
  #hasEnded = false;

  constructor(room: RoomCore, settings: ViewSettings, options: GuestViewOptions) {
    const { player, assumeDelivered = false } = options;
    this.#room = room;
    this.id = room.addGuestView(settings, { session: player?.id ?? options.session ?? 0, assumeDelivered }, player);
  }

  /** What it is due in this round; valid until the next. */
  get decisions(): Decisions {
    return this.#room.model.decisions(this.id);
  }

  /** Moves it. */
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

  /** … is known to be lost, and is judged anew. */
  lose(object: ObjectId, round: number): void {
    this.#room.model.lose(this.id, object, round);
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#room.removeGuestView(this.id);
  }
}
