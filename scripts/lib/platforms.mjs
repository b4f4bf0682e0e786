/**
 * Which binaries a lockfile lacks.
 *
 * A tool with a binary part names one optional package per platform. npm leaves those which the registry lacks out of the lockfile and says
 * nothing; `npm ci` then refuses the lockfile, and on the platform left out the tool does not start. What a package left out is for can only
 * be told by its name, as in `@rolldown/binding-win32-arm64-msvc`.
 */

/** @typedef {{ version?: string, optionalDependencies?: Record<string, string> }} LockEntry */
/** @typedef {{ packages?: Record<string, LockEntry> }} Lockfile */

const required = ["darwin", "linux", "win32"].flatMap((os) => ["x64", "arm64"].map((cpu) => `${os}-${cpu}`));

/** Words in a package's name that say it is for something else. */
const elsewhere = new Set([
  ...["aix", "android", "freebsd", "netbsd", "openbsd", "openharmony", "sunos", "wasi", "wasm32"],
  ...["arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x"],
]);

/** Packages that run without a binary part, only slower: a platform for which they offer none is no fault. */
const runWithout = new Set(["msgpackr-extract"]);

/** @param {string} name @returns {string | undefined} one of the required platforms, "other", or undefined: the name does not say */
function platformOf(name) {
  const words = name.split(/[^a-z0-9]+/);
  if (words.some((word) => elsewhere.has(word))) return "other";
  return required.find((platform) => platform.split("-").every((word) => words.includes(word)));
}

/** What Node would find for `name` in the package at `path`. @param {Record<string, LockEntry>} packages @param {string} path @param {string} name */
function lookUp(packages, path, name) {
  for (let from = path; ; from = from.slice(0, Math.max(0, from.lastIndexOf("/")))) {
    const found = packages[from === "" ? `node_modules/${name}` : `${from}/node_modules/${name}`];
    if (found !== undefined || from === "") return found;
  }
}

/**
 * What a lockfile lacks so that everything starts on macOS, Linux and Windows, on x64 and arm64.
 *
 * @param {string} lockPath
 * @param {Lockfile} lockfile
 * @returns {string[]} findings
 */
export function missingBinaries(lockPath, { packages = {} }) {
  return Object.entries(packages).flatMap(([path, { version, optionalDependencies = {} }]) => {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const options = Object.entries(optionalDependencies);
    const absent = options
      .filter(([option, wanted]) => platformOf(option) !== "other" && !isThere(lookUp(packages, path, option), wanted))
      .map(([option, wanted]) => `${lockPath}: ${name} ${version} has ${option} ${wanted}, which the lockfile lacks`);
    const offered = new Set(options.map(([option]) => platformOf(option)).filter((platform) => platform !== "other"));
    offered.delete(undefined);
    const unoffered = required
      .filter((platform) => offered.size > 0 && !offered.has(platform) && !runWithout.has(name))
      .map((platform) => `${lockPath}: ${name} ${version} has no package for ${platform}`);
    return [...absent, ...unoffered];
  });
}

/** @param {LockEntry | undefined} found @param {string} wanted */
function isThere(found, wanted) {
  const isExact = /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(wanted);
  return found !== undefined && (!isExact || found.version === wanted);
}
