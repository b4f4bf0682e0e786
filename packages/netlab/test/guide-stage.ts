/**
 * Runs the code of a document: its TypeScript blocks and settings files are written to artefacts/guides as they stand, and only where they reach outside is
 * changed: `serve` takes any free port, `join` goes to that server whatever address it names, and a page has a stand-in that remembers
 * its listeners and what was drawn and printed.
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Client } from "@nearfield/client";
import { type JoinOptions, join } from "@nearfield/client/node";
import { type NodeServer, type ServeOptions, serve } from "@nearfield/server/node";
import { vi } from "vitest";

const ROOT = new URL("../../../", import.meta.url);
const OUTPUT = new URL("artefacts/guides/", ROOT);
const BLOCK = /^```(?:ts|jsonc)[ \t]+(\S+)\n([\s\S]*?)^```$/gm;

/** A block's exports. */
export type Exports = Record<string, unknown>;

/** The named blocks of a document. */
export function blocksOf(document: string): Map<string, string> {
  const text = readFileSync(new URL(document, ROOT), "utf8");
  return new Map([...text.matchAll(BLOCK)].map(([, name, code]) => [name!, code!]));
}

const STAND_INS: Readonly<Record<string, string>> = {
  "guide-server.ts": `export * from "@nearfield/server/node";\nexport const serve = (options) => globalThis.guide.serve(options);\n`,
  "guide-client.ts": `export const join = (url, options) => globalThis.guide.join(options);\n`,
};

export class GuideStage {
  readonly clients: Client[] = [];
  readonly printed: string[] = [];
  readonly errors: string[] = [];
  readonly listeners = new Map<string, ((event: object) => void)[]>();
  readonly page = { title: "" };
  drawn = 0;
  readonly #folder: URL;
  #server: NodeServer | undefined;
  /** The page's next frame. */
  #frame: NodeJS.Timeout | undefined;

  constructor(document: string) {
    this.#folder = new URL(`${document.replace(/\W+/g, "-")}/`, OUTPUT);
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
    const files = { ...Object.fromEntries(blocksOf(document)), ...STAND_INS };
    for (const [name, code] of Object.entries(files)) writeFileSync(new URL(name, this.#folder), standIns(name, code));
    this.#stub();
  }

  get server(): NodeServer {
    if (this.#server === undefined) throw new Error("the document has started no server");
    return this.#server;
  }

  get client(): Client {
    if (this.clients[0] === undefined) throw new Error("nobody has joined");
    return this.clients[0];
  }

  /** Runs a block, and what it imports. */
  run(name: string): Promise<Exports> {
    return import(fileURLToPath(new URL(name, this.#folder))) as Promise<Exports>;
  }

  /** Changes a file of the document. */
  edit(name: string, change: (text: string) => string): void {
    const file = new URL(name, this.#folder);
    writeFileSync(file, change(readFileSync(file, "utf8")));
  }

  async serve(options: ServeOptions): Promise<NodeServer> {
    const onError = (error: unknown, where: string): void => void this.errors.push(`${where}: ${String(error)}`);
    this.#server = await serve({ onError, ...options, port: 0, host: "127.0.0.1", udp: false });
    return this.#server;
  }

  async join(options: JoinOptions): Promise<Client> {
    const onError = (error: unknown, where: string): void => void this.errors.push(`${where}: ${String(error)}`);
    const client = await join(this.server.url, { onError, frameMs: 5, ...options, udp: false });
    this.clients.push(client);
    return client;
  }

  /** Somebody presses something on the page. */
  fire(kind: string, event: object): void {
    for (const listener of this.listeners.get(kind) ?? []) listener(event);
  }

  async close(): Promise<void> {
    clearTimeout(this.#frame);
    for (const client of this.clients) client.leave();
    await this.#server?.close();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  }

  #stub(): void {
    const draw = (): void => {
      this.drawn += 1;
    };
    const picture = new Proxy({}, { get: () => draw, set: () => true });
    vi.stubGlobal("guide", this);
    vi.stubGlobal("document", Object.assign(this.page, { querySelector: () => ({ getContext: () => picture }) }));
    vi.stubGlobal("addEventListener", (kind: string, listener: (event: object) => void) => {
      this.listeners.set(kind, [...(this.listeners.get(kind) ?? []), listener]);
    });
    vi.stubGlobal("requestAnimationFrame", (frame: () => void) => {
      this.#frame = setTimeout(frame, 5);
    });
    vi.stubGlobal("paint", draw);
    vi.spyOn(console, "log").mockImplementation((...words: unknown[]) => void this.printed.push(words.join(" ")));
  }
}

/** What reaches outside goes to the stage; the stand-ins themselves are left as they are. */
function standIns(name: string, code: string): string {
  if (name in STAND_INS) return code;
  return code
    .replaceAll('"@nearfield/server/node"', '"./guide-server.ts"')
    .replaceAll('"@nearfield/client/browser"', '"./guide-client.ts"')
    .replaceAll('"@nearfield/client/node"', '"./guide-client.ts"');
}
