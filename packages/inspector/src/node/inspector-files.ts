/**
 * Serves the inspector's built page from memory: a request can only name files that were read at the start. The headers keep foreign
 * scripts and frames out, since the page holds the operator's token.
 */

import { readdirSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { ServerError } from "@nearfield/server";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self' ws: wss:",
  "frame-ancestors 'none'",
].join("; ");

/** Headers for every response of the inspector, whoever serves it. */
export const INSPECTOR_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": POLICY,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

export class InspectorFiles {
  readonly #files = new Map<string, Buffer>();

  /** @param folder the built page; `undefined`: a line of text is served instead. */
  constructor(folder: string | undefined) {
    if (folder === undefined) return;
    for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      this.#files.set(relative(folder, path).split(sep).join("/"), readFileSync(path));
    }
    if (this.#files.has("index.html")) return;
    throw new ServerError("bad-option", `there is no index.html in ${folder}: build the inspector's page first`);
  }

  /** @param name path below the page's own address; "" is its index. */
  serve(response: ServerResponse, name: string, isHead: boolean): void {
    const file = name === "" ? "index.html" : name;
    const content = this.#files.get(file);
    if (content !== undefined) {
      const isHashed = file.startsWith("assets/");
      answer(response, 200, content, isHead, {
        "Content-Type": TYPES[extname(file).toLowerCase()] ?? "application/octet-stream",
        "Cache-Control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
      });
    } else if (name === "" && this.#files.size === 0) {
      const text = "The feed is here, the page is not: give the option page a folder (docs/guide/operating.md).\n";
      answerText(response, 200, text, isHead);
    } else {
      answerText(response, 404, "Nothing is served at this address.\n", isHead);
    }
  }
}

export function answerText(
  response: ServerResponse,
  status: number,
  text: string,
  isHead: boolean,
  headers = {},
): void {
  answer(response, status, Buffer.from(text), isHead, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    ...headers,
  });
}

function answer(
  response: ServerResponse,
  status: number,
  content: Buffer,
  isHead: boolean,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { ...INSPECTOR_HEADERS, ...headers, "Content-Length": content.byteLength });
  response.end(isHead ? undefined : content);
}
