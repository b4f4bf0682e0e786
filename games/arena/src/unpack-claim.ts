/** Unpacks what a shooter said about the picture it aimed at: the server's side of `claim.ts`. */

import type { ObjectId } from "@nearfield/schema";
import type { ShotClaim } from "@nearfield/server";
import { type PackedClaim, SEEN_CYCLE } from "./claim.ts";

/** `nowMs` is the server's own time, `target` the object behind the claimed number. */
export function unpackClaim(
  claim: PackedClaim,
  target: ObjectId | undefined,
  nowMs: number,
  roundMs: number,
): ShotClaim {
  const now = Math.round(nowMs * 4);
  let off = (claim.seenQuarters - now) % SEEN_CYCLE;
  if (off > SEEN_CYCLE / 2) off -= SEEN_CYCLE;
  if (off < -SEEN_CYCLE / 2) off += SEEN_CYCLE;
  const renderMs = (now + off) / 4;
  if (target === undefined) return { renderMs };
  return {
    renderMs,
    target,
    round: Math.max(0, Math.floor(renderMs / roundMs) - claim.roundLag),
    appliedMs: renderMs - claim.appliedQuarters / 4,
  };
}
