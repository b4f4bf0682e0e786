/**
 * Compares the decisions of two engines, which must be the same. They may come in another order, so each view's decisions are reduced to their
 * number and a sum of hashes. Only if these differ, the decisions are written out.
 */

import { CAUSE_NAMES } from "@nearfield/core";
import { DecisionKind, type Decisions } from "@nearfield/core/internal";

/** Throws where two judges decided differently for a view, naming the first few differences. */
export function requireSame(ours: Decisions, theirs: Decisions, where: string): void {
  if (ours.count === theirs.count && checksum(ours) === checksum(theirs)) return;
  const left = new Set(described(ours));
  const right = new Set(described(theirs));
  const onlyLeft = [...left].filter((decision) => !right.has(decision)).slice(0, 5);
  const onlyRight = [...right].filter((decision) => !left.has(decision)).slice(0, 5);
  throw new Error(
    `${where}: the decisions differ; engine alone: [${onlyLeft.join("; ")}], brute force alone: [${onlyRight.join("; ")}]`,
  );
}

function checksum({ count, ids, kinds, causes, zones }: Decisions): number {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const rest = (kinds[i]! << 16) | (causes[i]! << 8) | zones[i]!;
    let hash = Math.imul(ids[i]! ^ Math.imul(rest + 1, 0x9e3779b1), 0x85ebca6b);
    hash ^= hash >>> 15;
    sum = (sum + Math.imul(hash, 0xc2b2ae35)) | 0;
  }
  return sum;
}

const KIND_NAMES = Object.keys(DecisionKind);

function described({ count, ids, kinds, causes, zones }: Decisions): string[] {
  return Array.from(
    { length: count },
    (_, i) => `object ${ids[i]!} ${KIND_NAMES[kinds[i]!]!} by ${CAUSE_NAMES[causes[i]!]!} in zone ${zones[i]!}`,
  );
}
