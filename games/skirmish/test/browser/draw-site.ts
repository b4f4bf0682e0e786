/** Builds the drawing lab and serves it, for the browser tests that look at what is drawn. */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { build, defaultClientConditions } from "vite";

const LAB = join(import.meta.dirname, "draw-lab");
const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/** With these a Chromium that has no graphics card draws WebGL on the processor. */
export const WEBGL_FLAGS: readonly string[] = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

export interface DrawSite {
  readonly url: string;
  close(): Promise<void>;
}

export async function openDrawSite(): Promise<DrawSite> {
  const folder = await mkdtemp(join(tmpdir(), "skirmish-draw-"));
  await build({
    configFile: false,
    root: LAB,
    base: "./",
    logLevel: "warn",
    resolve: { conditions: ["nearfield:source", ...defaultClientConditions] },
    build: { outDir: folder, emptyOutDir: true, target: "es2023", chunkSizeWarningLimit: 4000 },
  });
  const http = createServer((request, response) => {
    const name = request.url === "/" ? "index.html" : (request.url ?? "");
    readFile(join(folder, name)).then(
      (content) => response.setHeader("Content-Type", TYPES[extname(name)] ?? "application/octet-stream").end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    close: async () => {
      http.close();
      http.closeAllConnections();
      await rm(folder, { recursive: true });
    },
  };
}
