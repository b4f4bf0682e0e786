/** What bots are called. */

const NAMES = [
  "Alder",
  "Birch",
  "Cedar",
  "Dogwood",
  "Elm",
  "Fir",
  "Gorse",
  "Hazel",
  "Ivy",
  "Juniper",
  "Larch",
  "Maple",
  "Oak",
];

/** A client with a nickname that begins so is a bot. */
export const BOT_PREFIX = "bot ";

/** @param number the first ones have plain names, the others a number too */
export function botName(number: number): string {
  const name = NAMES[number % NAMES.length]!;
  return `${BOT_PREFIX}${number < NAMES.length ? name : `${name} ${number}`}`;
}
