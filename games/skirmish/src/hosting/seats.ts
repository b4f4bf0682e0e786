/** Who plays which side. A side that no person plays is a bot's. A person who finds no side free looks on until one is. */

import type { Player } from "@nearfield/server";

export class Seats {
  readonly #players: (Player | undefined)[];
  /** In the order in which they came. `undefined`: has no side. */
  readonly #sideOf = new Map<Player, number | undefined>();
  /** Who wants the next phase to begin: the match while it is waited for, another one when it is over. */
  readonly #willing = new Set<Player>();

  constructor(sides: number) {
    this.#players = new Array<Player | undefined>(sides).fill(undefined);
  }

  /** People who have a side, or wait for one. */
  get people(): number {
    return this.#sideOf.size;
  }

  get bots(): number {
    return this.#players.filter((player) => player === undefined).length;
  }

  sideOf(player: Player): number | undefined {
    return this.#sideOf.get(player);
  }

  playerOf(side: number): Player | undefined {
    return this.#players[side];
  }

  enter(player: Player): void {
    this.#sideOf.set(player, undefined);
  }

  /** Gives the side that is free now; `undefined`: had none. */
  leave(player: Player): number | undefined {
    const side = this.#sideOf.get(player);
    this.#sideOf.delete(player);
    this.#willing.delete(player);
    if (side !== undefined) this.#players[side] = undefined;
    return side;
  }

  /** Seats those who wait for a side, one after the other, on free sides that are fit; `seated` is told of each. */
  fill(isFit: (side: number) => boolean, seated: (player: Player, side: number) => void): void {
    for (const [player, taken] of this.#sideOf) {
      if (taken !== undefined) continue;
      const side = this.#players.findIndex((other, at) => other === undefined && isFit(at));
      if (side < 0) return;
      this.#players[side] = player;
      this.#sideOf.set(player, side);
      seated(player, side);
    }
  }

  // ── readiness ──────────────────────────────────────────────────────────────────────────────────────────────────

  want(player: Player): void {
    this.#willing.add(player);
  }

  /** Whether all who have a side, and are not away, want the next phase. */
  get allWilling(): boolean {
    return this.#players.every((player) => player?.presence !== "here" || this.#willing.has(player));
  }

  clearWishes(): void {
    this.#willing.clear();
  }
}
