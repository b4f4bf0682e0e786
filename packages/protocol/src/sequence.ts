/**
 * Numbers that wrap. Each side counts packets, rounds and reliable messages without end; only the low 16 bits travel. Comparing two such
 * short numbers is right as long as the true numbers are less than 32,768 apart.
 */

/** How many short numbers there are. */
export const SHORT_RANGE = 0x1_0000;

/** The part of a number that travels. */
export function short(number: number): number {
  return number % SHORT_RANGE;
}

/** Whether short number `a` comes after `b`. Two numbers that are exactly 32,768 apart are not newer than each other. */
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
