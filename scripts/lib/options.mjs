/**
 * Reads the command line of a script, and says what is wrong with it in words that help: which option there is not, and which there are.
 *
 * It runs before anything is installed or built, so that `--help` and a mistake are answered at once.
 */
import { parseArgs } from "node:util";
import { ScriptError } from "./process.mjs";

/** The command line is wrong; the process ends with code 2. */
export class UsageError extends ScriptError {
  /** @override */
  exitCode = 2;
}

/** @typedef {{ type: "string" | "boolean", short?: string, example?: string }} Option example: of a value, for the message when there is none */
/** @typedef {{ values: Record<string, string | true>, names: string[] }} Read values: of the options given, by name; names: what is no option */

/**
 * @param {readonly string[]} argv
 * @param {Readonly<Record<string, Option>>} options `--help` and `-h` are always among them
 * @param {{ command: string, takesNames?: boolean }} settings command: as people type it, for messages; takesNames: whether words that are no options
 *   are allowed, default false
 * @returns {Read}
 */
export function readOptions(argv, options, { command, takesNames = false }) {
  /** @type {Record<string, Option>} */
  const known = { ...options, help: { type: "boolean", short: "h" } };
  const flags = Object.keys(known).map((name) => `--${name}`);
  const wrong = (/** @type {string} */ message) => new UsageError(`${message}\n${command} -- --help says more.`);
  const { tokens } = parseArgs({ args: [...argv], options: known, strict: false, tokens: true });
  /** @type {Read} */
  const read = { values: {}, names: [] };
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      if (!takesNames) throw wrong(`"${token.value}" is not expected here; there are ${flags.join(", ")}.`);
      read.names.push(token.value);
      continue;
    }
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (option === undefined) {
      const near = nearest(token.rawName, flags);
      const guess = near === undefined ? "." : `; did you mean ${near}?`;
      throw wrong(`There is no option ${token.rawName}${guess} There are ${flags.join(", ")}.`);
    }
    if (option.type === "boolean") {
      if (token.value !== undefined) throw wrong(`${token.rawName} takes no value.`);
      read.values[token.name] = true;
    } else {
      // Unless it stands behind "=", what begins with a dash is the next option.
      if (token.value === undefined || token.value === "" || (!token.inlineValue && token.value.startsWith("-")))
        throw wrong(`${token.rawName} needs a value, as in ${token.rawName} ${option.example ?? "VALUE"}.`);
      read.values[token.name] = token.value;
    }
  }
  return read;
}

/** The candidate that `word` may have been meant for: one slip of the finger away, two in a long word. @param {string} word @param {readonly string[]} candidates */
export function nearest(word, candidates) {
  const slips = word.replace(/^-+/, "").length >= 6 ? 2 : 1;
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ distance }) => distance <= slips)
    .sort((a, b) => a.distance - b.distance);
  return best?.candidate;
}

/** How many letters must be added, removed, changed or swapped with the next. @param {string} a @param {string} b */
function editDistance(a, b) {
  /** @type {number[][]} */
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (/** @type {number} */ i, /** @type {number} */ j) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const change = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, change, swap));
    }
  }
  return at(a.length, b.length);
}
