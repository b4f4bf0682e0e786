/**
 * Numbers that wrap. Packets, rounds and reliable messages are counted without end on each side; only their low 16 bits
 * travel. Comparing two of the short numbers is right as long as the true numbers are less than 32,768 apart.
 */

/** How many short numbers there are. */
export const SHORT_RANGE = 0x1_0000;

/** The part of a number that travels. */
export function short(number: number): number {
  return number % SHORT_RANGE;
}

/** Whether short number `a` comes after `b`; neither a number nor its opposite is newer than itself. */
export function isNewer(a: number, b: number): boolean {
  const ahead = (a - b) & 0xffff;
  return ahead !== 0 && ahead < 0x8000;
}

/**
 * The whole number that `low` stands for: the one nearest to `near`, which the receiver last saw. With near = 65,530 a
 * short 3 means 65,539, not 3. The result is negative when `low` can only be older than the first number.
 */
export function unwrap(low: number, near: number): number {
  const ahead = (low - near) & 0xffff;
  return ahead < 0x8000 ? near + ahead : near + ahead - SHORT_RANGE;
}
