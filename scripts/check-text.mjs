/**
 * Checks text files for what a formatter does not see.
 *
 * No unnumbered notes to self, no paths of one machine, no registry address in the lockfile, no dead link between
 * documents, no stray white space, no oversized source, a head comment on every module, no citation of a paper that docs/sources.md does
 * not explain.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, normalize } from "node:path";
import { listedCitations, unlistedCitations } from "./lib/citations.mjs";
import { report, repositoryFiles } from "./lib/files.mjs";
import { root, runMain } from "./lib/process.mjs";

const textFile = /\.(ts|mjs|cjs|js|json|jsonc|md|html|css|svg|sh|yml|yaml)$|(^|\/)(\.[a-z]+|LICENSE|run)$/;
const licence = /^LICENSE$/;
const moduleSource =
  /^(packages|games|apps)\/[^/]+\/(src|web|kernel)\/.*\.ts$|^bench\/(colyseus\/)?src\/.*\.ts$|^scripts\/.*\.m?[jt]s$/;
const longestSource = 1000;
const sources = "docs/sources.md";
/** Whether a file is read for citations: sources and documents, but not those that are about citations themselves. */
const mayCite = (/** @type {string} */ path) =>
  /\.(ts|mjs|md)$/.test(path) && path !== sources && !path.startsWith("scripts/lib/citations.");

/** Written in pieces so that this file does not find itself. */
const noteToSelf = new RegExp(
  `\\b(${["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"].join("|")})\\b(?!\\(#\\d+\\))`,
);
const machinePath = new RegExp(
  `(?<![\\w.@:/-])/(${["home", "root", "work", "tmp", "Users", "mnt"].join("|")})/[\\w.-]`,
);
const markdownLink = /\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g;

/** @param {string} path @param {string} text */
function checkText(path, text) {
  /** @type {string[]} */
  const found = [];
  const lines = text.split("\n");
  lines.forEach((line, index) => {
    const at = `${path}:${index + 1}:`;
    if (noteToSelf.test(line)) found.push(`${at} a note to self without an issue number, as in NAME(#12)`);
    if (machinePath.test(line)) found.push(`${at} the path of one machine`);
    if (line.includes("\r")) found.push(`${at} a carriage return`);
    if (/[ \t]$/.test(line)) found.push(`${at} white space at the end of the line`);
  });
  if (text !== "" && !text.endsWith("\n")) found.push(`${path}:${lines.length}: no newline at the end of the file`);
  return found;
}

/** @param {string} path @param {string} text */
function checkModule(path, text) {
  const found = [];
  const lineCount = text.split("\n").length - 1;
  if (lineCount > longestSource) found.push(`${path}:1: ${lineCount} lines; split it (at most ${longestSource})`);
  const exempt = path.endsWith(".test.ts") || path.endsWith("/index.ts");
  if (!exempt && !/^(#!.*\n)?\/(\*\*|\/)/.test(text))
    found.push(`${path}:1: no head comment (what it is, where it stands)`);
  return found;
}

/** @param {string} path @param {string} text */
function checkLinks(path, text) {
  return [...text.matchAll(markdownLink)]
    .map((match) => match[1] ?? "")
    .filter((target) => !existsSync(join(root, normalize(join(dirname(path), decodeURIComponent(target))))))
    .map((target) => `${path}: link to ${target}, which does not exist`);
}

/** @param {string} path @param {string} text */
function checkLockfile(path, text) {
  return /"resolved": "https?:/.test(text)
    ? [`${path}: holds registry addresses; npm install with the .npmrc beside it writes it without`]
    : [];
}

await runMain(async () => {
  const listed = listedCitations(readFileSync(join(root, sources), "utf8"));
  return report(
    repositoryFiles().flatMap((path) => {
      if (!textFile.test(path) || licence.test(path)) return [];
      const text = readFileSync(join(root, path), "utf8");
      if (basename(path) === "package-lock.json") return checkLockfile(path, text);
      return [
        ...checkText(path, text),
        ...(moduleSource.test(path) ? checkModule(path, text) : []),
        ...(extname(path) === ".md" ? checkLinks(path, text) : []),
        ...(mayCite(path) ? unlistedCitations(path, text, listed) : []),
      ];
    }),
  );
});
