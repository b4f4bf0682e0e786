/** Whom a piece shoots at: among the enemies it may see, the one that is near and that its weapon hurts most. */

import type { BattleState } from "./battle-state.ts";
import { ALERT, DAMAGE, FIRST_BUILDING, KIND, NEAREST, RADIUS, RANGE } from "./kinds.ts";

/** Pieces look for enemies once in so many steps, each at its own turn; a power of two. */
const LOOK_STEPS = 8;
/** How much less an enemy counts that cannot shoot back: a building, or a builder. */
const HARMLESS = 5;

function isTurnToLook(state: BattleState, slot: number): boolean {
  return ((slot + state.step) & (LOOK_STEPS - 1)) === 0;
}

/** The best target within `reach`; −1: none. */
function findTarget(state: BattleState, slot: number, reach: number): number {
  const { pieces, crowd } = state;
  const [x, y] = [pieces.x[slot]!, pieces.y[slot]!];
  const own = 1 << pieces.side[slot]!;
  const [left, right] = [crowd.line(x - reach), crowd.line(x + reach)];
  const [top, bottom] = [crowd.line(y - reach), crowd.line(y + reach)];
  if (!crowd.hasOthers(own, left, top, right, bottom)) return -1;
  let best = -1;
  let bestWorth = Number.POSITIVE_INFINITY;
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const cell = row * crowd.cells + column;
      if ((crowd.sides[cell]! & ~own) === 0) continue;
      for (let at = crowd.starts[cell]!; at < crowd.starts[cell + 1]!; at++) {
        const other = crowd.slots[at]!;
        const worth = worthOf(state, slot, other, reach);
        if (worth >= bestWorth) continue;
        best = other;
        bestWorth = worth;
      }
    }
  }
  return best;
}

/** Less is better; infinite for what is no target. */
function worthOf(state: BattleState, slot: number, other: number, reach: number): number {
  const { pieces } = state;
  const side = pieces.side[slot]!;
  if (pieces.side[other] === side || pieces.alive[other] === 0) return Number.POSITIVE_INFINITY;
  const kind = pieces.kind[slot]!;
  const otherKind = pieces.kind[other]!;
  const damage = DAMAGE[kind]![otherKind]!;
  const distance = pieces.distance(slot, other) - RADIUS[otherKind]!;
  if (damage === 0 || distance > reach || distance < NEAREST[kind]!) return Number.POSITIVE_INFINITY;
  if (!state.vision.sees(side, pieces.x[other]!, pieces.y[other]!)) return Number.POSITIVE_INFINITY;
  const isHarmless = otherKind === KIND.builder || (otherKind >= FIRST_BUILDING && otherKind !== KIND.tower);
  return ((distance + RANGE[kind]!) * (isHarmless ? HARMLESS : 1)) / damage;
}

/** Keeps the target while it is good, looks for another at its turn. Gives the target's slot; −1: none. */
export function watch(state: BattleState, slot: number, reach: number): number {
  const { pieces } = state;
  const kept = pieces.slotOf(pieces.target[slot]!);
  const isGood = kept >= 0 && worthOf(state, slot, kept, reach) < Number.POSITIVE_INFINITY;
  if (isGood && !isTurnToLook(state, slot)) return kept;
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
