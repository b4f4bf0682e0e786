/** What bots are called, by side. */

const NAMES = ["Ada", "Brahe", "Curie", "Dirac", "Euler", "Fermi", "Gauss", "Hopper"] as const;

export function botName(side: number): string {
  return NAMES[side % NAMES.length]!;
}
