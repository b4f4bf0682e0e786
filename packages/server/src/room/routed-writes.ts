/**
 * Writes and removals by owners of objects that another server of a cluster owns. Here they leave the room through a guest, and here those of other servers'
 * players are carried out. They follow the rules of `merge.ts`. A player who is linked to this server is answered at once; for one of another server the guest
 * is told of each refusal, and hands it on.
 */

import type { Entity } from "@nearfield/core";
import type { FieldsOfObject, Refusal } from "@nearfield/protocol/internal";
import type { Player } from "../session/player.ts";
import { isAllowed, judgeWrite, notify, refuse, sendBack } from "./merge.ts";
import type { RoomCore } from "./room-core.ts";

/** Why a routed write may be refused. */
export const ROUTED_REFUSALS = ["invalid", "not-active", "not-allowed", "not-owner", "gone"] as const;
export type RoutedRefusal = Extract<Refusal, (typeof ROUTED_REFUSALS)[number]>;

/** What the owner of an object wrote; undefined: it removes the object. */
export type RoutedWrite = FieldsOfObject | undefined;

/** Takes a write for an object that another server owns. Returns false if it cannot. `number`: of the client's reliable message. */
export type RouteWrite = (player: Player, entity: Entity, write: RoutedWrite, number: number) => boolean;

/** Writes of one player to one own object, oldest first. */
export interface RoutedWrites {
  readonly player: Player;
  readonly entity: Entity;
  readonly writes: readonly RoutedWrite[];
  /** Called for each write that is refused, with its index. */
  readonly onRefused: (index: number, refusal: RoutedRefusal) => void;
}

/** Part of `merge`, before the writes of this round's clients. Each player's writes to an object become an update of their own. */
export function mergeRoutedWrites(room: RoomCore): void {
  for (const routed of room.routedWrites.splice(0)) {
    const { player, entity } = routed;
    room.world.commit(0);
    let hasWritten = false;
    for (const [index, write] of routed.writes.entries())
      hasWritten = carryOut(room, routed, write, index) || hasWritten;
    room.world.commit(player.id);
    if (hasWritten) notify(room, player, entity.id);
  }
}

/** Returns whether something was written. */
function carryOut(room: RoomCore, routed: RoutedWrites, write: RoutedWrite, index: number): boolean {
  const { player, entity, onRefused } = routed;
  if (!entity.alive) return false;
  const session = room.sessions.get(player.id);
  const deny = (refusal: RoutedRefusal): false => {
    if (session !== undefined) refuse(room, session, entity.id, refusal, write?.mask);
    else {
      room.telemetry.writesRefused += 1;
      onRefused(index, refusal);
    }
    return false;
  };
  if (room.state !== "active") return deny("not-active");
  if (entity.owner !== player.id) return deny("not-owner");
  if (write === undefined) {
    if (!isAllowed(room, entity.type)) return deny("not-allowed");
    room.world.destroy(entity);
    return false;
  }
  const corrected = judgeWrite(room, player, entity, write);
  if (corrected === undefined) return deny("invalid");
  if (corrected !== 0 && session !== undefined) sendBack(room, session.player, entity, corrected);
  return true;
}
