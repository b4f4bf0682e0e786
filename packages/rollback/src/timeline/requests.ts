/**
 * What a timeline asks the game to do in one tick, in this order. A timeline never calls the game: whoever owns the loop carries these out.
 *
 * The list and its entries are used again in the next tick.
 */

/** Nobody in particular: all players are advanced. */
export const EVERYBODY = -1;

export type RequestKind =
  /** Copy the saved state of `slot` into the game. */
  | "load"
  /** Copy the game's state into `slot`. */
  | "save"
  /** Advance the game by `step` with the timeline's inputs; `player`: only what is that player's, or `EVERYBODY`. */
  | "advance"
  /** Copy what is `player`'s into the saved state of `slot`. */
  | "saveRows"
  /** The state with number `step`, saved in `slot`, is final: everybody will have the same. */
  | "settle";

export interface Request {
  readonly kind: RequestKind;
  readonly slot: number;
  readonly step: number;
  readonly player: number;
}

type Writable = { -readonly [K in keyof Request]: Request[K] };

export class Requests {
  readonly #list: Writable[] = [];
  readonly #pool: Writable[] = [];

  get list(): readonly Request[] {
    return this.#list;
  }

  clear(): void {
    this.#list.length = 0;
  }

  add(kind: RequestKind, slot: number, step: number, player: number): void {
    const at = this.#list.length;
    let request = this.#pool[at];
    if (!request) {
      request = { kind, slot, step, player };
      this.#pool.push(request);
    }
    request.kind = kind;
    request.slot = slot;
    request.step = step;
    request.player = player;
    this.#list.push(request);
  }
}
