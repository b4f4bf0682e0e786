/**
 * Who looks at what: each player's view is centred on his own avatar, or, while he is dead, on the one he follows; and it is the zoom view while
 * that avatar zooms (F §3.3.6). A client that joined as a spectator gives no commands; it moves its own pivot (`client.setPivots`), which `mayPivot`
 * allows on avatars. `settle` runs in the round, after commands and rules and before pivots are placed, so a switch takes effect in the round in
 * which it arrived.
 */

import type { Pivot, ViewSettings } from "@nearfield/core";
import type { ObjectId } from "@nearfield/schema";
import { type Player, type Room, to } from "@nearfield/server";
import { type Fighter, isStanding } from "./fighter.ts";
import { Avatar, Following } from "./shared.ts";

export type PlayerViews = Readonly<Record<"normal" | "zoom", ViewSettings>>;

interface Watcher {
  readonly player: Player;
  /** His own; undefined for a spectator. */
  readonly own: Fighter | undefined;
  /** Number of the one he wants to follow; 0: himself. */
  wants: number;
  /** What he was last told that he follows. */
  told: number;
  pivot: ObjectId | undefined;
  zoomed: boolean;
}

/** A player's pivot may be his own avatar, a spectator's any avatar. Nobody may choose a point. */
export function mayPivot(player: Player, pivot: Pivot): boolean {
  if (!("object" in pivot)) return false;
  const entity = player.room.world.get(pivot.object);
  return entity?.type === (Avatar as unknown) && (player.role === "spectator" || entity?.owner === player.id);
}

export class Watchers {
  readonly #room: Room;
  readonly #views: PlayerViews;
  readonly #watchers = new Map<Player, Watcher>();

  constructor(room: Room, views: PlayerViews) {
    this.#room = room;
    this.#views = views;
  }

  enter(player: Player, own: Fighter | undefined): void {
    this.#watchers.set(player, { player, own, wants: 0, told: 0, pivot: undefined, zoomed: false });
  }

  leave(player: Player): void {
    this.#watchers.delete(player);
  }

  /** A wish to follow; granted if `settle` finds that he may. */
  follow(player: Player, number: number): void {
    const watcher = this.#watchers.get(player);
    if (watcher === undefined) return;
    watcher.wants = number;
    // An answer is due even where nothing changes.
    watcher.told = -1;
  }

  /** Puts every view where it belongs. `leader` is whom spectators follow who name nobody, or somebody who is gone. */
  settle(fighters: ReadonlyMap<number, Fighter>, leader: Fighter | undefined): void {
    for (const watcher of this.#watchers.values()) {
      if (watcher.own === undefined) this.#noteWish(watcher, fighters);
      else if (isStanding(watcher.own)) watcher.wants = 0;
      const followed = fighters.get(watcher.wants) ?? watcher.own ?? leader;
      if (followed !== undefined) this.#look(watcher, followed);
      this.#tell(watcher, followed === undefined || followed === watcher.own ? 0 : followed.number);
    }
  }

  /** Where a spectator has put its pivot itself. */
  #noteWish(watcher: Watcher, fighters: ReadonlyMap<number, Fighter>): void {
    const [pivot] = watcher.player.settings.pivots;
    watcher.pivot = pivot !== undefined && "object" in pivot ? pivot.object : undefined;
    watcher.wants = 0;
    for (const { number, avatar } of fighters.values()) if (avatar.id === watcher.pivot) watcher.wants = number;
  }

  #look(watcher: Watcher, { avatar }: Fighter): void {
    if (watcher.pivot === avatar.id && watcher.zoomed === avatar.zoomed) return;
    const isSwitch = watcher.zoomed !== avatar.zoomed || watcher.pivot === undefined;
    watcher.pivot = avatar.id;
    watcher.zoomed = avatar.zoomed;
    const pivots = [{ object: avatar.id }];
    if (isSwitch) watcher.player.setView({ ...this.#views[avatar.zoomed ? "zoom" : "normal"], pivots });
    else watcher.player.setPivots(pivots);
  }

  #tell(watcher: Watcher, number: number): void {
    if (watcher.told === number) return;
    watcher.told = number;
    this.#room.emit(Following, { number }, to(watcher.player));
  }
}
