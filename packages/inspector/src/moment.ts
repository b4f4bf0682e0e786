/** Collects what a recording keeps of one moment: everything that the page's panels need to show it later. */

import type { ObjectSetSettings } from "@nearfield/core/internal";
import type { Player } from "@nearfield/server";
import type { RoomSeam } from "@nearfield/server/seam";
import { setIndexOf } from "./drawn.ts";
import type { LevelTell, MapTell } from "./feed/map.ts";
import type { Moment } from "./recorder.ts";
import type { ReportMaker } from "./report-maker.ts";
import type { RoomProbe } from "./room-probe.ts";

export function momentOf(
  seam: RoomSeam,
  map: MapTell,
  level: LevelTell | undefined,
  probe: RoomProbe,
  reports: ReportMaker,
): Moment {
  const { world, players } = seam;
  const slots = Uint32Array.from(map.ids, (id) => world.store.liveSlot(id as Parameters<typeof world.get>[0]));
  return {
    map,
    level,
    ...reports.rates(),
    roundMs: probe.stopwatch?.lastMs ?? 0,
    players: players.size,
    versions: slots.map((slot) => world.version[slot]!),
    members: looksOf(players.values()).map((sets) => membersOf(seam, sets, slots)),
    sends: probe.sendLog?.take(world),
    ...reports.takeNew(),
  };
}

/** In the order of the map. */
function looksOf(players: Iterable<Player>): (readonly ObjectSetSettings[])[] {
  const looks = new Set<readonly ObjectSetSettings[]>();
  for (const { settings } of players) looks.add(settings.sets);
  return [...looks];
}

/** `null` if the page can tell from the objects' types. */
function membersOf({ world }: RoomSeam, sets: readonly ObjectSetSettings[], slots: Uint32Array): Uint8Array | null {
  if (sets.every(({ match }) => match === "everything" || "type" in match)) return null;
  return Uint8Array.from(slots, (slot) => setIndexOf({ sets }, world, slot));
}
