/**
 * Which packages of a lockfile ask for another Node than the README promises: npm would warn a newcomer of each, though everything runs.
 *
 * It reads the forms that packages use for their `engines`: `^20.12 || ^22`, `>=14`, `20 || >=22`, `*`. What it cannot read, it reports.
 */

/** @typedef {{ version?: string, optional?: boolean, engines?: { node?: string } }} LockEntry */

/** @param {string} text @returns {[number, number, number]} what is missing is 0, as is "x" */
function numbers(text) {
  const [major = 0, minor = 0, patch = 0] = text.split(".").map((part) => Number(part) || 0);
  return [major, minor, patch];
}

/** @param {readonly number[]} a @param {readonly number[]} b */
function isAtLeast(a, b) {
  const index = a.findIndex((value, i) => value !== b[i]);
  return index < 0 || (a[index] ?? 0) > (b[index] ?? 0);
}

/**
 * Whether a release of Node is in a range.
 *
 * @param {string} version @param {string} range @returns {boolean | undefined} undefined: the range cannot be read
 */
export function satisfies(version, range) {
  const node = numbers(version);
  const answers = range.split("||").map((part) => {
    if (part.trim() === "*") return true;
    const [, sign, wanted] = /^\s*(\^|>=|)\s*v?(\d+(?:\.(?:\d+|x)){0,2})\s*$/.exec(part) ?? [];
    if (wanted === undefined) return undefined;
    const lowest = numbers(wanted);
    if (sign === "" && !version.startsWith(`${wanted.replace(/\.x/g, "")}.`)) return version === wanted;
    return isAtLeast(node, lowest) && (sign === ">=" || node[0] === lowest[0]);
  });
  return answers.includes(undefined) ? undefined : answers.includes(true);
}

/**
 * @param {string} lockPath
 * @param {{ packages?: Record<string, LockEntry> }} lockfile
 * @param {readonly string[]} versions of Node
 * @returns {string[]} findings
 */
export function refusedNodes(lockPath, { packages = {} }, versions) {
  return Object.entries(packages).flatMap(([path, { version, optional, engines }]) => {
    const range = engines?.node;
    if (range === undefined || optional || !path.includes("node_modules/")) return [];
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const refused = versions.filter((node) => satisfies(node, range) !== true);
    if (refused.length === 0) return [];
    return [`${lockPath}: ${name} ${version} asks for Node "${range}", which leaves out ${refused.join(", ")}`];
  });
}
