/** The built page over HTTP: its files, read once, and nothing else of the machine. */

import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Answers requests for the files of a folder, each at its path; `/` is index.html. */
export function pageAnswerer(folder: string): (request: IncomingMessage, response: ServerResponse) => void {
  const files = new Map<string, { readonly type: string; readonly content: Buffer }>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length).replaceAll("\\", "/").replace(/^\/?/, "/"), {
      type,
      content: readFileSync(path),
    });
  }
  return (request, response) => {
    const path = (request.url ?? "/").split(/[?#]/, 1)[0]!;
    const file = files.get(path === "/" ? "/index.html" : path);
    const head = { "X-Content-Type-Options": "nosniff", "Cache-Control": "no-cache" };
    if (file === undefined) {
      response.writeHead(404, { ...head, "Content-Type": "text/plain; charset=utf-8" }).end("Not found.\n");
      return;
    }
    response.writeHead(200, { ...head, "Content-Type": file.type, "Content-Length": file.content.length });
    response.end(request.method === "HEAD" ? undefined : file.content);
  };
}
