/**
 * How large the script of the README's page is, as vite bundles it without any settings: what a browser loads before the game runs, and what it
 * loads later, when something is used. In bytes after gzip.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, defaultClientConditions, type Plugin, type Rollup } from "vite";

const ROOT: string = join(import.meta.dirname, "../../..");
const BLOCK = /^```ts (\S+)\n([\s\S]*?)^```$/gm;

export interface PageSize {
  /** The page's script and everything that it imports at once. */
  readonly firstBytes: number;
  /** Files that are loaded when they are needed, by the name of the module that they begin with. */
  readonly laterBytes: ReadonlyMap<string, number>;
  /** Characters before minification, by package, of what is loaded first. */
  readonly firstByPackage: ReadonlyMap<string, number>;
}

export async function measurePage(): Promise<PageSize> {
  const text = readFileSync(join(ROOT, "README.md"), "utf8");
  const chunks = await bundle(new Map([...text.matchAll(BLOCK)].map(([, name, code]) => [name!, code!])), "client.ts");
  const first = withImports(
    chunks.find(({ isEntry }) => isEntry)!,
    new Map(chunks.map((chunk) => [chunk.fileName, chunk])),
  );
  const later = chunks.filter((chunk) => !first.has(chunk));
  return {
    firstBytes: [...first].reduce((sum, chunk) => sum + packed(chunk), 0),
    laterBytes: new Map(later.map((chunk) => [chunk.name, packed(chunk)])),
    firstByPackage: byPackage(first),
  };
}

/** What `vite build` makes of these files, as if they stood beside the README: a production build. */
export async function bundle(files: ReadonlyMap<string, string>, input: string): Promise<Rollup.OutputChunk[]> {
  const before = process.env["NODE_ENV"];
  // As it is where nobody has set it. Under vitest it is "test", and vite would make a development build.
  process.env["NODE_ENV"] = "production";
  try {
    const { output } = (await build({
      root: ROOT,
      configFile: false,
      logLevel: "silent",
      plugins: [written(files)],
      resolve: { conditions: ["nearfield:source", ...defaultClientConditions] },
      build: { write: false, rolldownOptions: { input } },
    })) as Rollup.RollupOutput;
    return output.filter((file) => file.type === "chunk");
  } finally {
    if (before === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = before;
  }
}

function written(given: ReadonlyMap<string, string>): Plugin {
  const files = new Map([...given].map(([name, code]) => [join(ROOT, name), code]));
  return {
    name: "written",
    enforce: "pre",
    resolveId: (id, importer) => {
      const path = join(ROOT, id);
      return files.has(path) && (importer === undefined || files.has(importer)) ? path : undefined;
    },
    load: (id) => files.get(id),
  };
}

function withImports(entry: Rollup.OutputChunk, all: ReadonlyMap<string, Rollup.OutputChunk>): Set<Rollup.OutputChunk> {
  const found = new Set([entry]);
  for (const { imports } of found) {
    for (const name of imports) {
      const chunk = all.get(name);
      if (chunk !== undefined) found.add(chunk);
    }
  }
  return found;
}

function packed({ code }: Rollup.OutputChunk): number {
  return gzipSync(code, { level: 9 }).length;
}

function byPackage(chunks: Iterable<Rollup.OutputChunk>): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { modules } of chunks) {
    for (const [path, { renderedLength }] of Object.entries(modules)) {
      const name = /\/packages\/(\w+)\//.exec(path)?.[1] ?? "the game, and vite's loader";
      sizes.set(name, (sizes.get(name) ?? 0) + renderedLength);
    }
  }
  return sizes;
}
