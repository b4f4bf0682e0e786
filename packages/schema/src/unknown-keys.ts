/**
 * Finds a misspelt key where options are given as plain objects: `tme` where `time` was meant. Every package checks the objects that a
 * game hands it at the call, so that a mistake is told where it was made and names the key that was probably meant.
 *
 * `refuseUnknownKeys` throws by itself. A package with error classes of its own takes the sentence from `unknownKeyProblem` instead.
 */

import { show } from "./errors.ts";

export class OptionsError extends Error {
  override readonly name: string = "OptionsError";
  readonly code = "unknown-key" as const;
  /** The key that nobody knows. */
  readonly key: string;

  constructor(what: string, key: string, problem: string) {
    super(`${what}: ${problem}`);
    this.key = key;
  }
}

/** Throws `OptionsError` if `value` has a key that is not allowed; `what` says whose keys they are: `serve()`, `join() options.limits`. */
export function refuseUnknownKeys(value: object, allowedKeys: readonly string[], what: string): void {
  const key = unknownKeyOf(value, allowedKeys);
  if (key !== undefined) throw new OptionsError(what, key, unknownKeyProblem(key, allowedKeys));
}

/** The first key of `value` that is not allowed; undefined if there is none. A key whose value is undefined counts as well. */
export function unknownKeyOf(value: object, allowedKeys: readonly string[]): string | undefined {
  return Object.keys(value).find((key) => !allowedKeys.includes(key));
}

/**
 * What is wrong with that key, as a sentence: `unknown key "tme"; did you mean "time"? Known: time, sequence, value`.
 *
 * @param otherNames names that other libraries use for the same thing, in lower case, and its name here. Comparing letters would not find it.
 */
export function unknownKeyProblem(
  key: string,
  allowedKeys: readonly string[],
  otherNames: Readonly<Record<string, string>> = {},
): string {
  const meant = Object.hasOwn(otherNames, key.toLowerCase()) ? otherNames[key.toLowerCase()]! : undefined;
  if (meant === undefined) return `unknown key ${show(key)}; ${suggestion(key, allowedKeys)}`;
  return `unknown key ${show(key)}; did you mean ${meant}? Known: ${allowedKeys.join(", ")}`;
}

/** `did you mean "time"? Known: time, sequence, value`, or only the second half where nothing known is near. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const list = `known: ${known.join(", ")}`;
  return nearest === undefined ? list : `did you mean ${show(nearest)}? K${list.slice(1)}`;
}

/** The known name with the fewest wrong letters; undefined if more than a third of the letters would be wrong. Case does not count. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const most = Math.max(1, Math.ceil(candidate.length / 3));
    if (Math.abs(candidate.length - name.length) > most) continue;
    const wrong = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (wrong > most || wrong >= fewest) continue;
    nearest = candidate;
    fewest = wrong;
  }
  return nearest;
}

/** Letters to add, leave out, change or swap with their neighbour to get from one name to the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      let least = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwapped) least = Math.min(least, beforeLast[column - 2]! + 1);
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length]!;
}
