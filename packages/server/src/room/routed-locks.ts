/**
 * Locks of objects that another server of a cluster owns. Here what clients ask for leaves the room through a guest, and here releases by other servers' players
 * are carried out. They follow the rules of `merge.ts`: a release needs the lock, its writes are judged as any others, and the lock passes on whether they are
 * accepted or not. A player who is linked to this server is told of a refusal at once; for one of another server the guest is told.
 */

import type { Entity } from "@nearfield/core";
import type { FieldsOfObject, Refusal } from "@nearfield/protocol/internal";
import type { Player } from "../session/player.ts";
import { judgeWrite, notify, refuse, sendBack } from "./merge.ts";
import type { RoomCore } from "./room-core.ts";

/** Takes requests for locks of objects that another server owns. Both return why they cannot be taken; undefined if they are. */
export interface LockRoute {
  readonly acquire: (player: Player, entity: Entity) => Refusal | undefined;
  /** `number`: of the client's reliable message. */
  readonly release: (player: Player, entity: Entity, write: FieldsOfObject, number: number) => Refusal | undefined;
}

/** The lock of an own object is given back, with what was written under it. */
export interface RoutedRelease {
  readonly player: Player;
  readonly entity: Entity;
  readonly write: FieldsOfObject;
  /** Called once with the reason if the writes were refused. */
  readonly onRefused: (refusal: Refusal) => void;
}

/** Part of `merge`, before the writes of this round's clients. What each release brings is an update of its own. */
export function mergeRoutedReleases(room: RoomCore): void {
  for (const release of room.routedReleases.splice(0)) {
    const { player, entity } = release;
    room.world.commit(0);
    const hasWritten = carryOut(room, release);
    room.world.commit(player.id);
    const passed = room.locks.release(entity.id, player.id, room.host.elapsedMs);
    if (passed !== undefined) room.pendingGrants.push(passed);
    if (hasWritten) notify(room, player, entity.id);
  }
}

/** Returns whether something was written. */
function carryOut(room: RoomCore, { player, entity, write, onRefused }: RoutedRelease): boolean {
  const session = room.sessions.get(player.id);
  const deny = (refusal: Refusal): false => {
    if (session !== undefined) refuse(room, session, entity.id, refusal, write.mask);
    else {
      room.telemetry.writesRefused += 1;
      onRefused(refusal);
    }
    return false;
  };
  if (!entity.alive) return deny("gone");
  if (room.state !== "active") return deny("not-active");
  if (room.locks.holder(entity.id) !== player.id) return deny("not-locked");
  const corrected = judgeWrite(room, player, entity, write);
  if (corrected === undefined) return deny("invalid");
  if (corrected !== 0 && session !== undefined) sendBack(room, session.player, entity, corrected);
  return true;
}
