/** Shots, splash and deaths. Damage of a step is summed up and counts at its end, so that two who shoot at once both hit. */

import { NO_SIDE, STEP_MS } from "../state.ts";
import type { BattleState } from "./battle-state.ts";
import { DAMAGE, FIRST_BUILDING, KIND, RADIUS, RANGE, RELOAD_STEPS, SPLASH } from "./kinds.ts";
import { isInRange, watch } from "./targeting.ts";

/** Share of the damage that splash does at its rim. */
const RIM = 0.5;
/** A side is told of attacks once in this time. */
const ALARM_STEPS: number = 5000 / STEP_MS;

/** Towers choose, all shoot. */
export function fight(state: BattleState): void {
  const { pieces } = state;
  for (let slot = 0; slot < pieces.high; slot++) {
    if (pieces.alive[slot] === 0) continue;
    const kind = pieces.kind[slot]!;
    if (RANGE[kind] === 0) continue;
    if (pieces.cooldown[slot]! > 0) pieces.cooldown[slot]! -= 1;
    if (kind >= FIRST_BUILDING && (pieces.built[slot]! < 1 || watch(state, slot, RANGE[kind]!) < 0)) continue;
    const target = pieces.slotOf(pieces.target[slot]!);
    if (target < 0 || pieces.cooldown[slot]! > 0 || !isInRange(state, slot, target)) continue;
    if (state.walkers.moves[slot] === 1) continue;
    shoot(state, slot, target);
  }
}

function shoot(state: BattleState, slot: number, target: number): void {
  const { pieces } = state;
  const kind = pieces.kind[slot]!;
  pieces.cooldown[slot] = RELOAD_STEPS[kind]!;
  pieces.face(slot, pieces.x[target]!, pieces.y[target]!);
  if (SPLASH[kind] === 0) hurt(state, target, DAMAGE[kind]![pieces.kind[target]!]!);
  else splash(state, slot, pieces.x[target]!, pieces.y[target]!);
}

/** A shell goes off: it hurts the enemies of whoever fired it. */
function splash(state: BattleState, slot: number, x: number, y: number): void {
  const { pieces, crowd } = state;
  const damage = DAMAGE[pieces.kind[slot]!]!;
  const radius = SPLASH[pieces.kind[slot]!]!;
  const widest = radius + RADIUS[KIND.base]!;
  const [left, right] = [crowd.line(x - widest), crowd.line(x + widest)];
  const bottom = crowd.line(y + widest);
  for (let row = crowd.line(y - widest); row <= bottom; row++) {
    const end = crowd.starts[row * crowd.cells + right + 1]!;
    for (let at = crowd.starts[row * crowd.cells + left]!; at < end; at++) {
      const other = crowd.slots[at]!;
      if (pieces.side[other] === pieces.side[slot]) continue;
      const [dx, dy] = [pieces.x[other]! - x, pieces.y[other]! - y];
      const distance = Math.max(0, Math.sqrt(dx * dx + dy * dy) - RADIUS[pieces.kind[other]!]!);
      if (distance > radius) continue;
      const share = 1 - (1 - RIM) * (distance / radius);
      hurt(state, other, damage[pieces.kind[other]!]! * share);
    }
  }
  state.happenings.blasts.push({ x, y, size: radius, side: NO_SIDE });
}

function hurt(state: BattleState, slot: number, damage: number): void {
  const { pieces, alarmedAt, happenings } = state;
  if (damage === 0) return;
  pieces.hurt[slot]! += damage;
  state.hurtSlots.push(slot);
  const side = pieces.side[slot]!;
  if (state.step - alarmedAt[side]! < ALARM_STEPS) return;
  alarmedAt[side] = state.step;
  happenings.alarms.push({ side, x: pieces.x[slot]!, y: pieces.y[slot]! });
}

/** Takes the damage of the step from the health of those who were hurt, and removes who has none left. */
export function bury(state: BattleState): void {
  const { pieces, hurtSlots } = state;
  for (const slot of hurtSlots) {
    if (pieces.alive[slot] === 0 || pieces.hurt[slot] === 0) continue;
    pieces.health[slot]! -= pieces.hurt[slot]!;
    pieces.hurt[slot] = 0;
    if (pieces.health[slot]! <= 0) destroy(state, slot);
  }
  hurtSlots.length = 0;
}

export function destroy(state: BattleState, slot: number): void {
  const { pieces } = state;
  const size = RADIUS[pieces.kind[slot]!]!;
  state.happenings.blasts.push({ x: pieces.x[slot]!, y: pieces.y[slot]!, size, side: pieces.side[slot]! });
  state.remove(slot);
}
