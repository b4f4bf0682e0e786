/** An object of this server exactly as it is, to be kept in a log or handed to another server; and a copy as it would be kept. */

import type { World } from "@nearfield/core";
import type { WorldId } from "@nearfield/schema";
import type { Ledger } from "./ledger.ts";
import type { Kept } from "./objects-codec.ts";
import type { Sessions } from "./sessions.ts";

/** The object as it is here, an own one or a copy. Undefined if it is not here. Of a copy the version is the one that its owner gave it. */
export function stateOf(world: World, ledger: Ledger, sessions: Sessions, id: WorldId): Kept | undefined {
  const entity = world.byWorldId(id);
  const slot = entity === undefined ? -1 : world.store.liveSlot(entity.id);
  if (entity === undefined || slot < 0) return undefined;
  const { type, values } = world.store.tableAt(slot);
  const row = world.store.row[slot]!;
  const exact = type.fields.map(({ index, field }) =>
    field.numeric ? values.numbers(index)[row]! : values.get(index, row),
  );
  const { hop, player, applied, stepped, said, written, claims, heldMs, version } = ledger.own(id);
  return {
    id,
    type,
    hop,
    tags: [...entity.tags],
    player,
    applied,
    stepped,
    said,
    written,
    claims,
    heldMs,
    nickname: sessions.nicknameOf(player),
    values: exact,
    version: world.isForeign(entity) ? version : world.version[slot]!,
  };
}

/** The same of an own object; undefined for a copy. */
export function keptOf(world: World, ledger: Ledger, sessions: Sessions, id: WorldId): Kept | undefined {
  const entity = world.byWorldId(id);
  return entity === undefined || world.isForeign(entity) ? undefined : stateOf(world, ledger, sessions, id);
}
