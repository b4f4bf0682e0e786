/**
 * Who hears an event. Events are never delayed, only filtered. An audience is one player, several, everybody, or one of the two filters of
 * F §4.2.3: players near a point, and players for whom one end of a segment (a shot) lies in a given zone or a nearer one.
 */

import type { ConsistencyModel } from "@nearfield/core/internal";
import type { Player } from "../session/player.ts";

export type Audience =
  | { readonly kind: "all" }
  | { readonly kind: "to"; readonly players: readonly Player[] }
  | { readonly kind: "near"; readonly point: readonly number[]; readonly radius: number }
  | { readonly kind: "along"; readonly from: readonly number[]; readonly to: readonly number[]; readonly zone: number };

export function toAll(): Audience {
  return { kind: "all" };
}

export function to(...players: readonly Player[]): Audience {
  return { kind: "to", players };
}

/** Players with any pivot within `radius` world units of the point. */
export function near(point: readonly number[], radius: number): Audience {
  return { kind: "near", point, radius };
}

/** Players for whom `from` or `to` lies in zone `zone` or a nearer one. */
export function along(from: readonly number[], to: readonly number[], { zone }: { readonly zone: number }): Audience {
  return { kind: "along", from, to, zone };
}

export function hears(audience: Audience, player: Player, model: ConsistencyModel): boolean {
  switch (audience.kind) {
    case "all":
      return true;
    case "to":
      return audience.players.includes(player);
    case "near":
      return model.distanceTo(player.view, audience.point) <= audience.radius;
    case "along":
      return (
        model.zoneAt(player.view, audience.from) <= audience.zone ||
        model.zoneAt(player.view, audience.to) <= audience.zone
      );
  }
}
