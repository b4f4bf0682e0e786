/** Whom a piece shoots at: among the enemies it may see, the one that is near and that its weapon hurts most. */

import { CELL } from "../paths/crowd.ts";
import type { BattleState } from "./battle-state.ts";
import { ALERT, DAMAGE, MOST_DAMAGE, NEAREST, RADIUS, RANGE } from "./kinds.ts";

/** Pieces look for enemies once in so many steps, each at its own turn; a power of two. */
const LOOK_STEPS = 8;
/** How much less an enemy counts that cannot shoot back: a builder, or any building but a tower. */
const HARMLESS = 5;
const WIDEST = Math.max(...RADIUS);

function isTurnToLook(state: BattleState, slot: number): boolean {
  return ((slot + state.step) & (LOOK_STEPS - 1)) === 0;
}

/**
 * The best target within `reach`; −1: none. Looks at one ring of cells after the other, from the middle outwards, and ends where nothing farther off
 * can be better than what is found.
 */
export function findTarget(state: BattleState, slot: number, reach: number): number {
  const { pieces, crowd } = state;
  const [x, y] = [pieces.x[slot]!, pieces.y[slot]!];
  const kind = pieces.kind[slot]!;
  const own = 1 << pieces.side[slot]!;
  const [left, right] = [crowd.line(x - reach), crowd.line(x + reach)];
  const [top, bottom] = [crowd.line(y - reach), crowd.line(y + reach)];
  if (!crowd.hasOthers(own, left, top, right, bottom)) return -1;
  const [column, row] = [crowd.line(x), crowd.line(y)];
  const rings = Math.max(column - left, right - column, row - top, bottom - row);
  let best = -1;
  let bestWorth = Number.POSITIVE_INFINITY;
  for (let ring = 0; ring <= rings; ring++) {
    // A piece of this ring is at least so far away: its cell begins a ring further in, and its edge reaches out of its cell.
    const least = Math.max(0, (ring - 1) * CELL - WIDEST);
    if (bestWorth <= (least + RANGE[kind]!) / MOST_DAMAGE[kind]!) break;
    const lowest = Math.min(bottom, row + ring);
    for (let at = Math.max(top, row - ring); at <= lowest; at++) {
      // Whole rows above and below, the two ends of the rows between.
      const step = at === row - ring || at === row + ring ? 1 : 2 * ring;
      for (let across = column - ring; across <= column + ring; across += step) {
        if (across < left || across > right) continue;
        const cell = at * crowd.cells + across;
        if ((crowd.sides[cell]! & ~own) === 0) continue;
        for (let index = crowd.starts[cell]!; index < crowd.starts[cell + 1]!; index++) {
          const worth = worthOf(state, slot, crowd.slots[index]!, reach);
          if (worth >= bestWorth) continue;
          best = crowd.slots[index]!;
          bestWorth = worth;
        }
      }
    }
  }
  return best;
}

/** Less is better; infinite for what is no target. */
export function worthOf(state: BattleState, slot: number, other: number, reach: number): number {
  const { pieces } = state;
  const side = pieces.side[slot]!;
  if (pieces.side[other] === side || pieces.alive[other] === 0) return Number.POSITIVE_INFINITY;
  const kind = pieces.kind[slot]!;
  const otherKind = pieces.kind[other]!;
  const damage = DAMAGE[kind]![otherKind]!;
  const distance = pieces.distance(slot, other) - RADIUS[otherKind]!;
  if (damage === 0 || distance > reach || distance < NEAREST[kind]!) return Number.POSITIVE_INFINITY;
  if (!state.vision.sees(side, pieces.x[other]!, pieces.y[other]!)) return Number.POSITIVE_INFINITY;
  return ((Math.max(0, distance) + RANGE[kind]!) * (RANGE[otherKind] === 0 ? HARMLESS : 1)) / damage;
}

/** Keeps the target while it is good, looks for another at its turn. Gives the target's slot; −1: none. */
export function watch(state: BattleState, slot: number, reach: number): number {
  const { pieces } = state;
  const kept = pieces.slotOf(pieces.target[slot]!);
  const isGood = kept >= 0 && worthOf(state, slot, kept, reach) < Number.POSITIVE_INFINITY;
  // Who is shooting at somebody who shoots does not look around.
  const isSettled = isGood && RANGE[pieces.kind[kept]!]! > 0 && isInRange(state, slot, kept);
  if (isSettled || (isGood && !isTurnToLook(state, slot))) return kept;
  if (!isGood) pieces.target[slot] = 0;
  if (!isTurnToLook(state, slot)) return -1;
  const found = findTarget(state, slot, reach);
  pieces.target[slot] = found < 0 ? 0 : pieces.handleOf(found);
  return found;
}

/** How far a unit looks by itself. */
export function alertOf(state: BattleState, slot: number): number {
  return ALERT[state.pieces.kind[slot]!]!;
}

/** Whether a target is near enough to shoot at, and not too near. */
export function isInRange({ pieces }: BattleState, slot: number, other: number): boolean {
  const kind = pieces.kind[slot]!;
  const distance = pieces.distance(slot, other) - RADIUS[pieces.kind[other]!]!;
  return distance <= RANGE[kind]! && distance >= NEAREST[kind]!;
}
