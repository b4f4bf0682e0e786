/**
 * A match: its sides, their orders, and one step after the other. Pure: the same terrain and the same orders in the same steps give the same match.
 *
 * A step is `index → plan → move → train → fight → bury → judge → look`. Bots and players act between steps.
 */

import { NO_SIDE, type Refusal, ROUND_MS, START_BUILDERS, STEP_MS, TILE, type UnitKind } from "../state.ts";
import { type BattleOptions, BattleState } from "./battle-state.ts";
import { checksum } from "./checksum.ts";
import { bury, fight } from "./combat.ts";
import { KIND, RADIUS } from "./kinds.ts";
import { Movement } from "./movement.ts";
import { type MayKnow, type OrderRequest, takeCancel, takeOrder, takeRally, takeTraining } from "./orders.ts";
import { snapped } from "./placement.ts";
import { planUnits } from "./plan.ts";
import { train } from "./training.ts";
import { judge, strongest } from "./victory.ts";
import { addGather } from "./work.ts";

/** Sight is worked out in the last step of each round, as the server does it. */
const VISION_STEPS: number = ROUND_MS / STEP_MS;

export class Battle {
  readonly state: BattleState;
  readonly #movement: Movement;
  /** Whether a side may know of a piece. */
  readonly mayKnow: MayKnow;

  /** `mayKnow`: whether a side may know of a piece. Default: what `SideVision` says, which goes by the rule of the server's team vision. */
  constructor(options: BattleOptions, mayKnow?: MayKnow) {
    this.state = new BattleState(options);
    this.#movement = new Movement(this.state);
    this.mayKnow = mayKnow ?? ((side, slot) => this.state.seesPiece(side, slot));
  }

  /** Gives every side its base and its builders. */
  begin(): void {
    const { terrain, pieces, deposits } = this.state;
    terrain.starts.forEach((start, side) => {
      const { x, y } = snapped("base", start.x, start.y);
      this.state.add(KIND.base, side, x, y);
      const patch = deposits.nearest(x, y, terrain.size);
      const away = RADIUS[KIND.base]! + TILE / 2;
      for (let builder = 0; builder < START_BUILDERS; builder++) {
        const slot = this.state.add(KIND.builder, side, x + (builder - (START_BUILDERS - 1) / 2) * TILE, y + away);
        pieces.face(slot, deposits.x[patch]!, deposits.y[patch]!);
        addGather(this.state, slot, patch);
      }
    });
    this.state.vision.refresh(pieces);
  }

  order(side: number, request: OrderRequest): Refusal | undefined {
    return takeOrder(this.state, side, request, this.mayKnow);
  }

  train(side: number, building: number, kind: UnitKind, count = 1): Refusal | undefined {
    return takeTraining(this.state, side, building, kind, count);
  }

  cancelTraining(side: number, building: number): Refusal | undefined {
    return takeCancel(this.state, side, building);
  }

  rally(side: number, building: number, x: number, y: number): Refusal | undefined {
    return takeRally(this.state, side, building, x, y);
  }

  /** Moves the match on by `STEP_MS`; does nothing once somebody has won. */
  step(): void {
    const { state } = this;
    if (state.winner !== NO_SIDE) return;
    state.step += 1;
    const { born, gone, blasts, alarms, refusals } = state.happenings;
    for (const list of [born, gone, blasts, alarms, refusals]) list.length = 0;
    state.fields.beginStep();
    state.crowd.gather(state.pieces);
    planUnits(state);
    this.#movement.run();
    train(state);
    fight(state);
    bury(state);
    judge(state);
    if (state.step % VISION_STEPS === 0) state.vision.refresh(state.pieces);
  }

  /** Ends the match before it is decided: the side that is worth most has won, if there is one. */
  call(): void {
    if (this.state.winner === NO_SIDE) this.state.winner = strongest(this.state);
  }

  checksum(): number {
    return checksum(this.state);
  }
}
