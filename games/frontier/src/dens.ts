/** Where beasts live: a den in every field of a grid over the country, at the same place on every server. A den belongs to whoever owns its place. */

import { Dice } from "@nearfield/kit";
import { COUNTRY } from "./shared.ts";

export interface Den {
  readonly number: number;
  readonly x: number;
  readonly y: number;
}

const FIELDS = 8;
/** No den lies nearer to the edge of its field than this share of it. */
const EDGE = 0.2;

export const DENS: readonly Den[] = Array.from({ length: FIELDS * FIELDS }, (_, number) => {
  const dice = new Dice(number, "den");
  const side = COUNTRY / FIELDS;
  const within = (field: number): number => (field + EDGE + (1 - 2 * EDGE) * dice.next()) * side;
  return { number, x: within(number % FIELDS), y: within(Math.floor(number / FIELDS)) };
});
