/**
 * The repository as pages, below `/source/`: documents rendered, sources with line numbers, folders as lists. The way from a game that somebody plays to
 * the code behind it. Paths are those of the repository, so links between documents and to sources work as they are written.
 *
 * A request can only name what a walk through the repository found: no symbolic link is followed, and nothing that was built or installed, and
 * nothing whose name begins with a dot, is listed. Pages run no scripts.
 */
import { type Dirent, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { Marked } from "marked";

/** Where the pages are, with the slash that ends it. */
export const SOURCE_PREFIX = "/source/";

const HIDDEN: ReadonlySet<string> = new Set(["node_modules", "dist", "artefacts"]);
const PICTURES: Readonly<Record<string, string>> = {
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".svg": "image/svg+xml; charset=utf-8",
};
const HEADERS = {
  "Content-Security-Policy": "default-src 'none'; img-src 'self' data:; style-src 'self'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-cache",
};
/** Shown below the list of the top folder. */
const FRONT_PAGE = "README.md";

type Entry = { readonly kind: "file" } | { readonly kind: "folder"; readonly names: readonly string[] };

export class ReadingRoom {
  readonly #root: string;
  readonly #stylesheet: string;
  /** By path in the repository; a folder's ends in a slash, the repository's own is "". Made at the first request. */
  #entries: Map<string, Entry> | undefined;
  readonly #markdown = new Marked({ renderer: { heading: renderHeading, code: renderCode } });

  /**
   * @param root folder of the repository
   * @param stylesheet address of the style of all its pages
   */
  constructor(root: string, stylesheet: string) {
    this.#root = root;
    this.#stylesheet = stylesheet;
  }

  /** @param address decoded; begins with `SOURCE_PREFIX` */
  serve(request: IncomingMessage, response: ServerResponse, address: string): void {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return answer(request, response, 405, "", { Allow: "GET, HEAD" });
    }
    this.#entries ??= entriesOf(this.#root);
    const path = address.slice(SOURCE_PREFIX.length);
    const entry = this.#entries.get(path);
    const picture = PICTURES[extname(path).toLowerCase()];
    if (entry === undefined && this.#entries.has(`${path}/`)) {
      answer(request, response, 308, "", { Location: `${encodeURI(`${SOURCE_PREFIX}${path}`)}/` });
    } else if (entry === undefined) {
      const page = this.#page("Not here", path, "<p>There is no such file in this repository.</p>");
      answer(request, response, 404, page);
    } else if (entry.kind === "folder") {
      answer(request, response, 200, this.#page(path || "The repository", path, this.#folder(path, entry.names)));
    } else if (picture !== undefined) {
      answer(request, response, 200, this.#read(path), { "Content-Type": picture });
    } else {
      answer(request, response, 200, this.#page(path, path, this.#file(path)));
    }
  }

  #read(path: string): Buffer {
    return readFileSync(join(this.#root, path));
  }

  #folder(path: string, names: readonly string[]): string {
    const items = names.map((name) => `<li><a href="${encodeURI(name)}">${escapeText(name)}</a></li>`).join("");
    const front = names.find((name) => name === FRONT_PAGE);
    return `<ul class="folder">${items}</ul>${front === undefined ? "" : this.#file(`${path}${front}`)}`;
  }

  #file(path: string): string {
    const text = this.#read(path).toString("utf8");
    if (extname(path) === ".md") return `<article>${this.#markdown.parse(text) as string}</article>`;
    const lines = text.replace(/\n$/, "").split("\n");
    return `<pre class="source">${lines.map((line, at) => `<span id="L${at + 1}">${escapeText(line)}\n</span>`).join("")}</pre>`;
  }

  #page(title: string, path: string, body: string): string {
    const parts = path.split("/").filter((part) => part !== "");
    const isFolder = path === "" || path.endsWith("/");
    const crumbs = parts.map((part, at) => {
      const isLast = at === parts.length - 1;
      const end = isLast && !isFolder ? "" : "/";
      return `<a href="${encodeURI(`${SOURCE_PREFIX}${parts.slice(0, at + 1).join("/")}${end}`)}">${escapeText(part)}</a>`;
    });
    return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)} — Nearfield</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${this.#stylesheet}">
<header class="bar">
<a class="brand" href="/">Nearfield</a>
<nav aria-label="Path"><a href="${SOURCE_PREFIX}">repository</a>${crumbs.map((crumb) => ` / ${crumb}`).join("")}</nav>
<nav aria-label="Places"><a href="/">Playground</a> <a href="${SOURCE_PREFIX}docs/guide/getting-started.md">Getting started</a> <a href="${SOURCE_PREFIX}README.md">Documents</a></nav>
</header>
<main>${body}</main>
</html>
`;
  }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  content: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  const length = Buffer.byteLength(content);
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    ...HEADERS,
    ...headers,
    "Content-Length": length,
  });
  response.end(request.method === "HEAD" ? undefined : content);
}

function entriesOf(root: string): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  const walk = (path: string): void => {
    const shown = readdirSync(join(root, path), { withFileTypes: true }).filter(isShown).sort(byName);
    entries.set(path, { kind: "folder", names: shown.map((entry) => entry.name + (entry.isDirectory() ? "/" : "")) });
    for (const entry of shown) {
      if (entry.isDirectory()) walk(`${path}${entry.name}/`);
      else entries.set(path + entry.name, { kind: "file" });
    }
  };
  walk("");
  return entries;
}

function isShown(entry: Dirent): boolean {
  if (entry.name.startsWith(".") || HIDDEN.has(entry.name)) return false;
  return entry.isDirectory() || entry.isFile();
}

/** Folders first. */
function byName(a: Dirent, b: Dirent): number {
  return Number(b.isDirectory()) - Number(a.isDirectory()) || a.name.localeCompare(b.name);
}

/** Headings have the names by which documents refer to them. */
function renderHeading(
  this: { parser: { parseInline(tokens: never): string } },
  { tokens, depth, text }: { tokens: unknown; depth: number; text: string },
): string {
  const id = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
  return `<h${depth} id="${escapeText(id)}">${this.parser.parseInline(tokens as never)}</h${depth}>\n`;
}

/** A block that is a file says which: "```ts server.ts". */
function renderCode({ text, lang = "" }: { text: string; lang?: string | undefined }): string {
  const [language = "", file] = lang.split(" ");
  const name = file === undefined ? "" : `<p class="file">${escapeText(file)}</p>\n`;
  return `${name}<pre><code class="language-${escapeText(language)}">${escapeText(text)}\n</code></pre>\n`;
}

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
