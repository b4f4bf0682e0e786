/**
 * Moves units: along the way that each wants, pushed aside by those whom it overlaps. Pushes are reckoned from the places at the step's beginning, so the
 * order of slots does not matter for them. Standing units cost nothing until somebody walks into them.
 */

import type { BattleState } from "./battle-state.ts";
import { FIRST_BUILDING, FLIES, KIND, RADIUS, SPEED } from "./kinds.ts";

/** Largest sum of two radii. */
const WIDEST = 2 * Math.max(...RADIUS.subarray(0, FIRST_BUILDING));
/** Neighbours that are looked at. In a denser crowd the rest do not count. */
const MOST_NEIGHBOURS = 16;
const PUSH = 1.6;
/** Steps for which a standing unit makes room after somebody has walked into it. */
const YIELD_STEPS = 6;
/** How far a unit turns towards the way it wants, in each step. */
const TURN = 0.45;
/** A unit that covers less than this share of its way counts as stuck. */
const STUCK_SHARE = 0.3;
/** Distance from the map's edge that all keep. */
const EDGE = 2;

export class Movement {
  readonly #state: BattleState;
  readonly #nextX: Float64Array;
  readonly #nextY: Float64Array;
  readonly #moved: Uint32Array;
  #pushX = 0;
  #pushY = 0;

  constructor(state: BattleState) {
    this.#state = state;
    this.#nextX = new Float64Array(state.pieces.capacity);
    this.#nextY = new Float64Array(state.pieces.capacity);
    this.#moved = new Uint32Array(state.pieces.capacity);
  }

  run(): void {
    const { pieces, walkers } = this.#state;
    let count = 0;
    for (let slot = 0; slot < pieces.high; slot++) {
      if (pieces.alive[slot] === 0 || pieces.kind[slot]! >= FIRST_BUILDING) continue;
      if (walkers.moves[slot] === 0) {
        if (walkers.yielding[slot] === 0) continue;
        walkers.yielding[slot]! -= 1;
      }
      this.#aim(slot);
      this.#moved[count++] = slot;
    }
    for (let at = 0; at < count; at++) this.#settle(this.#moved[at]!);
  }

  /** Where the unit would be if nothing but other units were in its way. */
  #aim(slot: number): void {
    const { pieces, walkers } = this.#state;
    const speed = SPEED[pieces.kind[slot]!]!;
    this.#findPush(slot);
    let [x, y] = [this.#pushX * PUSH * speed, this.#pushY * PUSH * speed];
    if (walkers.moves[slot] === 1) {
      this.#turn(slot);
      const way = speed * walkers.pace[slot]!;
      x += pieces.faceX[slot]! * way;
      y += pieces.faceY[slot]! * way;
    }
    const length = Math.sqrt(x * x + y * y);
    const share = length > speed ? speed / length : 1;
    this.#nextX[slot] = pieces.x[slot]! + x * share;
    this.#nextY[slot] = pieces.y[slot]! + y * share;
  }

  #turn(slot: number): void {
    const { pieces, walkers } = this.#state;
    const x = pieces.faceX[slot]! * (1 - TURN) + walkers.wantX[slot]! * TURN;
    const y = pieces.faceY[slot]! * (1 - TURN) + walkers.wantY[slot]! * TURN;
    const length = Math.sqrt(x * x + y * y);
    // Who wants to go straight back would turn for ever: it turns on the spot.
    const isReversal = length < 0.2;
    pieces.faceX[slot] = isReversal ? walkers.wantX[slot]! : x / length;
    pieces.faceY[slot] = isReversal ? walkers.wantY[slot]! : y / length;
  }

  /** Sums the pushes of all units that overlap this one, each by how far it overlaps. */
  #findPush(slot: number): void {
    const { pieces, walkers, crowd } = this.#state;
    const [x, y] = [pieces.x[slot]!, pieces.y[slot]!];
    const kind = pieces.kind[slot]!;
    const isWorker = kind === KIND.builder && walkers.moves[slot] === 1;
    const radius = RADIUS[kind]!;
    this.#pushX = 0;
    this.#pushY = 0;
    let looked = 0;
    const [left, right] = [crowd.line(x - WIDEST), crowd.line(x + WIDEST)];
    const bottom = crowd.line(y + WIDEST);
    for (let row = crowd.line(y - WIDEST); row <= bottom; row++) {
      const end = crowd.starts[row * crowd.cells + right + 1]!;
      for (let at = crowd.starts[row * crowd.cells + left]!; at < end; at++) {
        const other = crowd.slots[at]!;
        const otherKind = pieces.kind[other]!;
        if (other === slot || otherKind >= FIRST_BUILDING || FLIES[otherKind] !== FLIES[kind]) continue;
        // Builders at work walk through each other, or they would jam at the ore.
        if (isWorker && otherKind === KIND.builder) continue;
        const [dx, dy] = [x - pieces.x[other]!, y - pieces.y[other]!];
        const reach = radius + RADIUS[otherKind]!;
        const square = dx * dx + dy * dy;
        if (square >= reach * reach) continue;
        this.#addPush(slot, other, dx, dy, Math.sqrt(square), reach);
        if (++looked === MOST_NEIGHBOURS) return;
      }
    }
  }

  #addPush(slot: number, other: number, dx: number, dy: number, distance: number, reach: number): void {
    const { walkers } = this.#state;
    const strength = 1 - distance / reach;
    if (distance > 0) {
      this.#pushX += (dx / distance) * strength;
      this.#pushY += (dy / distance) * strength;
    } else {
      // Two on one spot part along a line that both know.
      this.#pushX += slot < other ? strength : -strength;
    }
    if (walkers.moves[slot] === 1 && walkers.moves[other] === 0) walkers.yielding[other] = YIELD_STEPS;
  }

  /** Goes there, or slides along what is in the way. */
  #settle(slot: number): void {
    const { pieces, walkers, ground, terrain } = this.#state;
    const [fromX, fromY] = [pieces.x[slot]!, pieces.y[slot]!];
    let x = clamp(this.#nextX[slot]!, terrain.size);
    let y = clamp(this.#nextY[slot]!, terrain.size);
    const isFree = FLIES[pieces.kind[slot]!] === 1 || !ground.isOpenAt(fromX, fromY);
    if (!isFree && !ground.isOpenAt(x, y)) {
      if (ground.isOpenAt(x, fromY)) y = fromY;
      else if (ground.isOpenAt(fromX, y)) x = fromX;
      else [x, y] = [fromX, fromY];
    }
    pieces.x[slot] = x;
    pieces.y[slot] = y;
    if (walkers.moves[slot] === 0) return;
    const [dx, dy] = [x - fromX, y - fromY];
    const least = SPEED[pieces.kind[slot]!]! * walkers.pace[slot]! * STUCK_SHARE;
    if (dx * dx + dy * dy < least * least) walkers.stuck[slot]! += 1;
    else if (walkers.stuck[slot]! > 0) walkers.stuck[slot]! -= 1;
  }
}

function clamp(coordinate: number, size: number): number {
  return Math.min(size - EDGE, Math.max(EDGE, coordinate));
}
