/**
 * Built pages, served from memory.
 *
 * Each folder is read once, when the playground starts, into a table from address to content. A request can only name
 * an entry of that table, so no address, however it is written, reaches another file; and a rebuild beside a running
 * server never mixes old and new files. Files whose name carries a content hash (`assets/`) are cached for a year, all
 * others are revalidated by their tag.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { pathOf } from "@nearfield/transport/node";

const mimeTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".mp3": "audio/mpeg",
  ".ogg": "audio/ogg",
  ".png": "image/png",
  ".svg": "image/svg+xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".wav": "audio/wav",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

interface Page {
  readonly content: Buffer;
  readonly headers: Readonly<Record<string, string | number>>;
}

/** A folder from which a page should be served holds no page. */
export class PageError extends Error {
  readonly code = "page-missing";
}

export class Pages {
  readonly #pages = new Map<string, Page>();
  #notFound: Page | undefined;

  /**
   * Serves a folder's files under an address prefix.
   *
   * @param prefix begins and ends with a slash; "/pacman/" serves `index.html` there and sends "/pacman" on to it
   * @param folder the built page; files called `404.html` become the answer to unknown addresses
   * @param headers sent with each of its files
   */
  add(prefix: string, folder: string, headers: Readonly<Record<string, string>> = {}): void {
    for (const path of filesIn(folder)) {
      const name = relative(folder, path).split(sep).join("/");
      const page = readPage(path, name.startsWith("assets/"), headers);
      if (name === "404.html") this.#notFound = page;
      else this.#pages.set(prefix + (name.endsWith("index.html") ? name.slice(0, -"index.html".length) : name), page);
    }
    if (!this.#pages.has(prefix)) {
      throw new PageError(`No index.html in ${folder}, which should be served at ${prefix}: build the pages first`);
    }
  }

  /** Answers any request that nothing else answered. */
  serve(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== "GET" && request.method !== "HEAD") {
      end(request, response, 405, textPage("Only GET and HEAD are answered here.\n"), { Allow: "GET, HEAD" });
      return;
    }
    const address = pathOf(request);
    if (address === undefined) {
      end(request, response, 400, textPage("The address is not well formed.\n"));
      return;
    }
    const page = this.#pages.get(address);
    if (page === undefined) {
      if (this.#pages.has(`${address}/`)) {
        // Relative, with one segment: an address such as "//host" must not become another site.
        const last = address.slice(address.lastIndexOf("/") + 1);
        end(request, response, 308, textPage(""), { Location: `./${encodeURIComponent(last)}/` });
      } else {
        end(request, response, 404, this.#notFound ?? textPage("Nothing is served at this address.\n"));
      }
      return;
    }
    const tag = page.headers["ETag"];
    if (tag !== undefined && request.headers["if-none-match"] === tag) {
      response.writeHead(
        304,
        page.headers["Cache-Control"] ? { "Cache-Control": page.headers["Cache-Control"], ETag: tag } : {},
      );
      response.end();
      return;
    }
    end(request, response, 200, page);
  }
}

function end(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  page: Page,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { ...page.headers, ...headers });
  response.end(request.method === "HEAD" ? undefined : page.content);
}

function readPage(path: string, hashedName: boolean, headers: Readonly<Record<string, string>>): Page {
  const content = readFileSync(path);
  return {
    content,
    headers: {
      ...headers,
      "Content-Type": mimeTypes[extname(path).toLowerCase()] ?? "application/octet-stream",
      "Content-Length": content.byteLength,
      "Cache-Control": hashedName ? "public, max-age=31536000, immutable" : "no-cache",
      ETag: `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`,
      "X-Content-Type-Options": "nosniff",
    },
  };
}

function textPage(text: string): Page {
  const content = Buffer.from(text);
  return {
    content,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Length": content.byteLength,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  };
}

function filesIn(folder: string): string[] {
  let entries: ReturnType<typeof listFolder>;
  try {
    entries = listFolder(folder);
  } catch {
    throw new PageError(`${folder} cannot be read: build the pages first`);
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

function listFolder(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}
