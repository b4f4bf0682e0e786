/**
 * The rules of a fight whose result is paid in goods, as pages, observers and the server all run them. What a final state is worth is one list of bytes, the same on all
 * machines: whoever played, observed or replays the fight can compare it.
 */

import type { Fight } from "@nearfield/rollback/session";
import type { NewGoods } from "../goods/catalogue.ts";
import { SpaceError } from "../spaces/errors.ts";
import { WORTH_BYTES } from "../spaces/messages.ts";

/** What all machines know of the fight before it begins: a part of the invitation. */
export interface PaidForm {
  readonly slots: number;
  readonly seed: number;
  readonly data: Uint8Array;
}

export interface PaidRules<F extends Fight = Fight> {
  readonly inputBytes: number;
  /** As in the session's settings. Defaults: false, zeros. */
  readonly hasLags?: boolean;
  readonly still?: Uint8Array;
  /** Makes the fight in its first state, alike on all machines. */
  fight(form: PaidForm): F;
  /**
   * What the player of a slot takes home, from the state on in which that is decided; undefined before. It must not change afterwards, since goods are paid at once.
   * It may depend on the fight's state and the state's number alone.
   */
  earned(fight: F, slot: number, state: number): readonly NewGoods[] | undefined;
}

/** Goods by slot, of slots that are decided. */
export type Worth = readonly (readonly [slot: number, goods: readonly NewGoods[]])[];

export function worthOf(rules: PaidRules, fight: Fight, slots: number, state: number): Uint8Array {
  const worth: [number, readonly NewGoods[]][] = [];
  for (let slot = 0; slot < slots; slot++) {
    const goods = rules.earned(fight, slot, state);
    if (goods !== undefined) worth.push([slot, goods]);
  }
  // Nothing but ASCII, so that a character is a byte.
  const text = JSON.stringify(worth).replace(/[^\x20-\x7e]/g, escaped);
  if (text.length > WORTH_BYTES)
    throw new SpaceError(
      "bad-option",
      `the worth of state ${state} takes ${text.length} bytes, ${WORTH_BYTES} at most`,
    );
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Undefined: these bytes are no worth. Goods are judged by whoever mints them. */
export function readWorth(bytes: Uint8Array, slots: number): Worth | undefined {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  try {
    const worth: unknown = JSON.parse(text);
    return Array.isArray(worth) && worth.every((entry) => isEntry(entry, slots)) ? (worth as Worth) : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(entry: unknown, slots: number): boolean {
  if (!Array.isArray(entry) || entry.length !== 2) return false;
  const [slot, goods] = entry as unknown[];
  return Number.isInteger(slot) && (slot as number) >= 0 && (slot as number) < slots && Array.isArray(goods);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
