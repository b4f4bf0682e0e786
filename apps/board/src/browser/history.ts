/**
 * What this person did, to be taken back and done again. Only one's own actions are here: what others did meanwhile stays. Moves are relative, so
 * taking one back moves the thing by the opposite way, wherever others have moved it since.
 */

import type { Drawn, Placed } from "./requests.ts";

/** A thing as it can be put on the board again. */
export type Kept = ({ readonly kind: "draw" } & Drawn) | ({ readonly kind: "put" } & Placed);

export type Action =
  | { readonly kind: "add"; readonly things: readonly Kept[] }
  | { readonly kind: "erase"; readonly things: readonly Kept[] }
  | { readonly kind: "move"; readonly keys: readonly number[]; readonly dx: number; readonly dy: number }
  | {
      readonly kind: "paint";
      readonly things: readonly { readonly key: number; readonly before: number; readonly after: number }[];
    }
  | { readonly kind: "write"; readonly key: number; readonly before: string; readonly after: string };

/** The oldest action is forgotten beyond this many. */
export const MOST_ACTIONS = 200;

export function opposite(action: Action): Action {
  switch (action.kind) {
    case "add":
      return { ...action, kind: "erase" };
    case "erase":
      return { ...action, kind: "add" };
    case "move":
      return { ...action, dx: -action.dx, dy: -action.dy };
    case "paint":
      return {
        kind: "paint",
        things: action.things.map(({ key, before, after }) => ({ key, before: after, after: before })),
      };
    case "write":
      return { ...action, before: action.after, after: action.before };
  }
}

export class History {
  readonly #done: Action[] = [];
  #undone: Action[] = [];

  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  /** This was done. What was taken back before cannot be done again any more. */
  add(action: Action): void {
    this.#done.push(action);
    if (this.#done.length > MOST_ACTIONS) this.#done.shift();
    this.#undone = [];
  }

  /** What to do in order to take the last action back; undefined: there is none. */
  undo(): Action | undefined {
    const action = this.#done.pop();
    if (action === undefined) return undefined;
    this.#undone.push(action);
    return opposite(action);
  }

  redo(): Action | undefined {
    const action = this.#undone.pop();
    if (action === undefined) return undefined;
    this.#done.push(action);
    return action;
  }
}
