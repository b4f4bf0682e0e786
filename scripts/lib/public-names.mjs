/**
 * The names that packages export, by entry point, compared with the list that was agreed on (packages/public-names.txt). Nothing is read here:
 * sources and the list are handed in.
 */
import { parseSync } from "vite";

/** Names at the packages' roots are fewer than this, all packages together. */
export const MOST_ROOT_NAMES = 120;

/** @typedef {Record<string, readonly string[]>} NamesByEntry entry point, e.g. `@nearfield/client/node` → names */

/** What an index file exports by name, sorted. A star without a name is refused: nobody sees what it adds. @param {string} path @param {string} text @returns {string[]} */
export function exportedNames(path, text) {
  const { program } = parseSync(path, text);
  /** @type {string[]} */
  const names = [];
  for (const node of program.body) {
    if (node.type === "ExportAllDeclaration") {
      if (node.exported === null) throw new Error(`${path}: exports everything of a file; name what it exports`);
      names.push(nameOf(node.exported));
    } else if (node.type === "ExportNamedDeclaration") {
      if (node.declaration) throw new Error(`${path}: declares what it exports; an index file only names it`);
      for (const { exported } of node.specifiers) names.push(nameOf(exported));
    }
  }
  return names.sort();
}

/** @param {{ type: string, name?: string, value?: unknown }} node */
function nameOf(node) {
  return node.type === "Identifier" ? String(node.name) : String(node.value);
}

/** @param {NamesByEntry} actual @param {NamesByEntry} agreed @returns {string[]} what is wrong */
export function differences(actual, agreed) {
  const found = [];
  for (const entry of new Set([...Object.keys(actual), ...Object.keys(agreed)])) {
    const [is, should] = [new Set(actual[entry] ?? []), new Set(agreed[entry] ?? [])];
    for (const name of is) if (!should.has(name)) found.push(`${entry}: exports ${name}, which nobody agreed on`);
    for (const name of should) if (!is.has(name)) found.push(`${entry}: no longer exports ${name}`);
  }
  const roots = rootNames(actual);
  if (roots >= MOST_ROOT_NAMES)
    found.push(`the packages' roots export ${roots} names; a game needs fewer than ${MOST_ROOT_NAMES}`);
  return found;
}

/** An entry point on a line of its own, its names below it. @param {NamesByEntry} names */
export function formatNames(names) {
  return Object.entries(names)
    .map(([entry, list]) => `${entry}\n${list.map((name) => `  ${name}\n`).join("")}`)
    .join("");
}

/** @param {string} text @returns {NamesByEntry} */
export function parseNames(text) {
  /** @type {Record<string, string[]>} */
  const names = {};
  let entry = "";
  for (const line of text.split("\n").filter((full) => full !== "")) {
    if (line.startsWith(" ")) names[entry]?.push(line.trim());
    else {
      entry = line;
      names[entry] = [];
    }
  }
  return names;
}

/** @param {NamesByEntry} names */
export function rootNames(names) {
  const roots = Object.entries(names).filter(([entry]) => entry.split("/").length === 2);
  return roots.reduce((sum, [, list]) => sum + list.length, 0);
}
