/**
 * Citations of the five source papers, as docs/sources.md explains them: `V §3.3`, `V fig. 10`, `F tab. 5.5, 5.6`, `F chapter 5` name a
 * place in a paper, `N7` names a row of that page's tables.
 *
 * A citation is written `V §3.3` in the sets below, one place each.
 */

const numbers = "\\d+(?:\\.\\d+)*";
const place = `(?:§ ?|fig\\. |tab\\. |chapter )${numbers}`;
/** A place, then more places of the same paper; a later one may leave out its kind if its number has a dot ("tab. 5.5 and 5.6"). */
const places = new RegExp(`\\b([VFRNH])(?:'s)? (${place}(?:(?:, | and )(?:${place}|\\d+\\.\\d+(?:\\.\\d+)*))*)`, "g");
const onePlace = new RegExp(`(?:(§|fig\\.|tab\\.|chapter) ?)?(${numbers})`, "g");
/** `V8` is the JavaScript engine. */
const ownNumber = /\b(?!V8\b)[VFRNH]\d{1,2}\b/g;
const otherPlace = /RFC \d+(?:,? (?:§ ?|and §)[\d.]+)+/g;

/** @param {string} paper @param {string} list as in "§2.7, §3.3" */
function placesIn(paper, list) {
  let kind = "§";
  return [...list.matchAll(onePlace)].map(([, named, number]) => {
    kind = named ?? kind;
    return `${paper} ${kind}${kind === "§" ? "" : " "}${number}`;
  });
}

/** What docs/sources.md lists: the first two cells of each row, below a heading such as `## V: …`. @param {string} text */
export function listedCitations(text) {
  /** @type {Set<string>} */
  const listed = new Set();
  let paper = "";
  for (const line of text.split("\n")) {
    paper = /^## ([VFRNH]):/.exec(line)?.[1] ?? paper;
    const [, number = "", where = ""] = line.startsWith("|") ? line.split("|").map((cell) => cell.trim()) : [];
    for (const [own] of number.matchAll(/\b[VFRNH]\d{1,2}\b/g)) listed.add(own);
    if (/§|fig\.|tab\.|chapter/.test(where)) for (const cited of placesIn(paper, where)) listed.add(cited);
  }
  return listed;
}

/** The part of a source line that is comment; all of it where it is no source. @param {string} path @param {string} line */
function prose(path, line) {
  if (path.endsWith(".md")) return line.replaceAll(/`[^`]*`/g, "");
  if (/^\s*(\/?\*|\/\/)/.test(line)) return line;
  const at = line.search(/\/\*|\s\/\/ /);
  return at < 0 ? "" : line.slice(at);
}

/**
 * Citations that `listed` lacks, and sections of no paper.
 *
 * @param {string} path @param {string} text @param {ReadonlySet<string>} listed
 * @returns {string[]} as `path:line: message`
 */
export function unlistedCitations(path, text, listed) {
  let isCode = false;
  return text.split("\n").flatMap((line, index) => {
    if (path.endsWith(".md") && line.trimStart().startsWith("```")) isCode = !isCode;
    const cited = [...line.matchAll(places)].flatMap(([, paper = "", list = ""]) => placesIn(paper, list));
    if (!isCode) cited.push(...[...prose(path, line).matchAll(ownNumber)].map(([own]) => own));
    const found = cited
      .filter((citation) => !listed.has(citation))
      .map((citation) => `cites ${citation}, which docs/sources.md does not list`);
    if (line.replaceAll(places, "").replaceAll(otherPlace, "").includes("§"))
      found.push("a section without its paper, as in V §3.3 (docs/sources.md) or RFC 6455 §5.2");
    return found.map((message) => `${path}:${index + 1}: ${message}`);
  });
}
