/**
 * A match of Skirmish by the game's own rules and bots, without a network: the same seed gives the same match. Several rooms can show one match, so that what
 * they send can be compared. Orders are kept as they are given: lockstep sends these and nothing else.
 */

import { Dice } from "@nearfield/netlab";
import {
  Battle,
  Bot,
  FIRST_BUILDING,
  type MapName,
  NO_SIDE,
  ORDER_UNITS_MOST,
  type OrderRequest,
  type Refusal,
  ROUND_MS,
  STEP_MS,
  Terrain,
  UNITS_MOST,
  type UnitKind,
} from "@nearfield/skirmish";

/** Units are never multiplied by more. */
const MOST_TIMES = 10;
const STEPS_PER_ROUND: number = ROUND_MS / STEP_MS;

/** What a player asked for, as lockstep would send it. */
export type Asked =
  | { readonly kind: "order"; readonly side: number; readonly request: OrderRequest }
  | {
      readonly kind: "train";
      readonly side: number;
      readonly building: number;
      readonly unit: UnitKind;
      readonly count: number;
    }
  | {
      readonly kind: "rally";
      readonly side: number;
      readonly building: number;
      readonly x: number;
      readonly y: number;
    };

export interface MatchPlan {
  readonly map: MapName;
  readonly players: number;
  readonly seed: number;
}

export class Match {
  readonly plan: MatchPlan;
  readonly battle: AskedBattle;
  readonly #bots: readonly Bot[];
  #times = 1;
  readonly #dice: Dice;
  /** Units that have their copies, by handle. */
  readonly #copied = new Set<number>();

  constructor(plan: MatchPlan) {
    const { map, players, seed } = plan;
    this.plan = plan;
    this.#dice = new Dice(`copies ${seed}`);
    this.battle = new AskedBattle({
      terrain: new Terrain({ seed, map, sides: players }),
      unitsMost: UNITS_MOST * MOST_TIMES,
    });
    this.battle.begin();
    this.#bots = Array.from({ length: players }, (_, side) => new Bot(this.battle, { side, strength: "hard", seed }));
  }

  /** From now on there are so many times as many units: the paper's cheat (R §5.2.2). */
  multiply(times: number): void {
    this.#times = times;
    this.#copyUnits();
  }

  get isOver(): boolean {
    return this.battle.state.winner !== NO_SIDE;
  }

  /** Plays one round of the server: two steps of the rules. */
  round(): void {
    this.battle.asked.length = 0;
    for (let step = 0; step < STEPS_PER_ROUND; step++) {
      this.battle.step();
      if (this.#times > 1) this.#copyUnits();
      for (const bot of this.#bots) bot.act();
    }
  }

  play(seconds: number): void {
    for (let round = 0; round < (seconds * 1000) / ROUND_MS && !this.isOver; round++) this.round();
  }

  /** Whoever trains a fighting unit gets several. Copies stand beside it. */
  #copyUnits(): void {
    const { state } = this.battle;
    const { pieces } = state;
    for (let slot = 0, high = pieces.high; slot < high; slot++) {
      if (pieces.alive[slot] !== 1 || pieces.kind[slot] === 0 || pieces.kind[slot]! >= FIRST_BUILDING) continue;
      const handle = pieces.handleOf(slot);
      if (this.#copied.has(handle)) continue;
      this.#copied.add(handle);
      for (let copy = 1; copy < this.#times; copy++) this.#copy(slot);
    }
  }

  #copy(slot: number): void {
    const { state } = this.battle;
    const { pieces } = state;
    const side = pieces.side[slot]!;
    for (let tries = 0; tries < 8 && state.units[side]! < state.unitsMost; tries++) {
      const x = pieces.x[slot]! + this.#dice.range(-60, 60);
      const y = pieces.y[slot]! + this.#dice.range(-60, 60);
      if (!state.terrain.isInside(x, y) || !state.ground.isOpenAt(x, y)) continue;
      this.#copied.add(pieces.handleOf(state.add(pieces.kind[slot]!, side, x, y)));
      return;
    }
  }
}

/** A battle that keeps what it was asked for. */
class AskedBattle extends Battle {
  /** Since the round began. */
  readonly asked: Asked[] = [];

  /** Large armies get their order in parts, as a page sends it. */
  override order(side: number, request: OrderRequest): Refusal | undefined {
    let refusal: Refusal | undefined;
    for (let from = 0; from < request.units.length; from += ORDER_UNITS_MOST) {
      const part = { ...request, units: request.units.slice(from, from + ORDER_UNITS_MOST) };
      this.asked.push({ kind: "order", side, request: part });
      refusal = super.order(side, part);
    }
    return refusal;
  }

  override train(side: number, building: number, unit: UnitKind, count = 1): Refusal | undefined {
    this.asked.push({ kind: "train", side, building, unit, count });
    return super.train(side, building, unit, count);
  }

  override rally(side: number, building: number, x: number, y: number): Refusal | undefined {
    this.asked.push({ kind: "rally", side, building, x, y });
    return super.rally(side, building, x, y);
  }
}
