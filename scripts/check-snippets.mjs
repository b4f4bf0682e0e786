/**
 * Checks that code in documents compiles: every TypeScript block with a file name (```ts server.ts) in README.md, the packages' READMEs, and docs/.
 *
 * The blocks of one document are written into one folder, so they may import each other, and are checked against the
 * built packages as a user sees them: blocks that import a `/browser` entry point or live in `client.ts` or `page.ts`
 * with browser types, all others with Node types. In README.md every block must have a name and at most 15 lines.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { lineAt, report, repositoryFiles } from "./lib/files.mjs";
import { root, runMain, runTool } from "./lib/process.mjs";

const outputFolder = join(root, ".cache/snippets");
const block = /^```(?:ts|typescript)(?:[ \t]+(\S+))?[^\n]*\n([\s\S]*?)^```$/gm;
const longestInReadme = 15;

/** @typedef {{ document: string, line: number, name: string | undefined, code: string }} Snippet */

/** @param {string} document @returns {Snippet[]} */
function snippetsIn(document) {
  const text = readFileSync(join(root, document), "utf8");
  return [...text.matchAll(block)].map((match) => ({
    document,
    line: lineAt(text, match.index),
    name: match[1],
    code: match[2] ?? "",
  }));
}

/** @param {Snippet} snippet */
function isForBrowser({ name = "", code }) {
  return /["']@nearfield\/[a-z]+\/browser["']/.test(code) || /^(client|page)\.ts$/.test(name);
}

/** @param {Snippet} snippet */
function checkShape({ document, line, name, code }) {
  if (document !== "README.md") return [];
  const found = [];
  if (name === undefined) found.push(`${document}:${line}: a TypeScript block without a file name is never compiled`);
  const length = code.split("\n").filter((codeLine) => codeLine.trim() !== "").length;
  if (length > longestInReadme) found.push(`${document}:${line}: ${length} lines; at most ${longestInReadme}`);
  return found;
}

/** Writes a document's blocks and one tsconfig per target. @param {string} document @param {Snippet[]} snippets */
function writeProject(document, snippets) {
  const folder = join(outputFolder, document.replace(/[^\w]+/g, "-"));
  mkdirSync(folder, { recursive: true });
  // Line numbers of an error are those of the document.
  for (const { name = "", code, line } of snippets) writeFileSync(join(folder, name), "\n".repeat(line) + code);
  return /** @type {const} */ (["node", "browser"]).flatMap((target) => {
    const files = snippets.filter((snippet) => isForBrowser(snippet) === (target === "browser"));
    if (files.length === 0) return [];
    const config = {
      extends: relative(folder, join(root, `tsconfig.${target}.json`)),
      compilerOptions: {
        noEmit: true,
        composite: false,
        isolatedDeclarations: false,
        noUnusedLocals: false,
        noUnusedParameters: false,
        allowImportingTsExtensions: true,
      },
      files: files.map(({ name }) => name),
    };
    const path = join(folder, `tsconfig.${target}.json`);
    writeFileSync(path, JSON.stringify(config));
    return [path];
  });
}

await runMain(async () => {
  rmSync(outputFolder, { recursive: true, force: true });
  mkdirSync(outputFolder, { recursive: true });
  writeFileSync(join(outputFolder, "package.json"), '{ "type": "module" }');
  const documents = repositoryFiles().filter((path) => /^(README|packages\/[^/]+\/README|docs\/.*)\.md$/.test(path));
  const findings = [];
  for (const document of documents) {
    const snippets = snippetsIn(document);
    findings.push(...snippets.flatMap(checkShape));
    const named = snippets.filter(({ name }) => name !== undefined);
    for (const project of writeProject(document, named)) {
      const { code, output } = await runTool("typescript/bin/tsc", ["-p", project, "--pretty", "false"], {
        output: "collect",
      });
      if (code !== 0) findings.push(`${document}: a block does not compile\n${output}`);
    }
  }
  return report(findings);
});
