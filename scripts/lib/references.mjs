/**
 * Compares what sources import with what their project refers to, by entry point.
 *
 * `tsc -b PROJECT` builds a project and what it refers to. A source that imports `@nearfield/client/node` therefore needs a reference to the
 * project that compiles that entry point (`packages/client/tsconfig.node.json`): one to the package's main part builds too little. A build of
 * everything hides it, since somebody else refers to the rest. Nothing is read here: files, projects and imports are handed in.
 */
import { dirname, join, normalize } from "node:path/posix";
import { parseSync, Visitor } from "vite";

/** @typedef {{ include?: string[], exclude?: string[], references?: { path: string }[] }} TsConfig */
/** @typedef {{ name: string, exports?: Record<string, Record<string, string>> }} Manifest */
/** @typedef {{ path: string, references: string[], includes: (file: string) => boolean }} Project */

/** @param {string} path of a tsconfig, from the repository's top @param {TsConfig} config @returns {Project} */
export function projectOf(path, { include = [], exclude = [], references = [] }) {
  const folder = dirname(path);
  const matchers = (/** @type {string[]} */ patterns) => patterns.map((pattern) => matcher(join(folder, pattern)));
  const [wanted, unwanted] = [matchers(include), matchers(exclude)];
  return {
    path,
    references: references.map((reference) => {
      const target = normalize(join(folder, reference.path));
      return target.endsWith(".json") ? target : join(target, "tsconfig.json");
    }),
    includes: (file) => wanted.some((matches) => matches(file)) && !unwanted.some((matches) => matches(file)),
  };
}

/** A folder, or a pattern with * and **, as tsconfig files have them. @param {string} pattern @returns {(file: string) => boolean} */
function matcher(pattern) {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  const source = escaped.replace(/\*\*\/|\*/g, (stars) => (stars === "*" ? "[^/]*" : "(?:.*/)?"));
  const expression = new RegExp(`^${source}(?:/.*)?$`);
  return (file) => expression.test(file);
}

/**
 * The source behind each entry point of a package, e.g. `@nearfield/client/node` → `packages/client/src/node/index.ts`.
 *
 * @param {string} folder @param {Manifest} manifest @returns {[specifier: string, source: string][]}
 */
export function entryPoints(folder, { name, exports = {} }) {
  return Object.entries(exports).flatMap(([path, conditions]) => {
    const source = conditions["nearfield:source"];
    return source === undefined ? [] : [[join(name, path), join(folder, source)]];
  });
}

/** What a source imports, types included. @param {string} path @param {string} text @returns {string[]} */
export function importsOf(path, text) {
  const { program, module } = parseSync(path, text);
  /** @type {Set<string>} */
  const found = new Set();
  for (const { moduleRequest } of module.staticImports) found.add(moduleRequest.value);
  for (const { entries } of module.staticExports)
    for (const { moduleRequest } of entries) if (moduleRequest) found.add(moduleRequest.value);
  new Visitor({
    ImportExpression({ source }) {
      if (source.type === "Literal" && typeof source.value === "string") found.add(source.value);
    },
    TSImportType({ source }) {
      found.add(source.value);
    },
  }).visit(program);
  return [...found];
}

/**
 * References that are missing, and entry points that do not exist.
 *
 * @param {{ projects: readonly Project[], entries: ReadonlyMap<string, string>, names: readonly string[], sources: ReadonlyMap<string, readonly string[]> }} given
 *   entries: source by specifier; names: of all packages of the repository; sources: what each file imports
 * @returns {string[]} findings
 */
export function missingReferences({ projects, entries, names, sources }) {
  const isOurs = (/** @type {string} */ specifier) =>
    names.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  /** One finding per missing reference: the first source that needs it. @type {Map<string, string>} */
  const found = new Map();
  const add = (/** @type {string} */ key, /** @type {string} */ finding) => {
    if (!found.has(key)) found.set(key, finding);
  };
  for (const [file, specifiers] of sources) {
    for (const project of projects.filter((candidate) => candidate.includes(file))) {
      for (const specifier of specifiers) {
        const isRelative = specifier.startsWith(".");
        if (!isRelative && !isOurs(specifier)) continue;
        const target = isRelative ? join(dirname(file), specifier) : entries.get(specifier);
        if (target === undefined) add(file + specifier, `${file}: there is no entry point ${specifier}`);
        if (target === undefined || project.includes(target)) continue;
        const owners = projects.filter((candidate) => candidate.includes(target)).map(({ path }) => path);
        if (owners.length === 0 || owners.some((owner) => project.references.includes(owner))) continue;
        const lack = `${project.path} does not refer to ${owners.join(" or ")}`;
        add(lack, `${file}: imports ${specifier}, but ${lack}`);
      }
    }
  }
  return [...found.values()];
}
