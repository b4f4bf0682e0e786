/**
 * Finds programs that tests need and npm does not bring, and installs Debian's when it may.
 *
 * Only root on a machine with apt-get installs anything: a developer's machine is never changed silently, there the
 * message says what to do.
 */
import { accessSync, constants, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run, ScriptError, say } from "./process.mjs";

/**
 * @typedef {object} Program
 * @property {() => string | undefined} find its path; undefined when it is not here
 * @property {string} title as messages call it
 * @property {string} debian the name of Debian's package
 * @property {string} forWhat which tests need it
 * @property {string} [elsewhere] what to do on other systems
 */

/** @param {string} path */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The first of these programs on PATH, or in one of the further folders. @param {readonly string[]} names @param {readonly string[]} [folders] */
export function findProgram(names, folders = []) {
  const all = [...(process.env.PATH ?? "").split(delimiter), ...folders];
  return names.flatMap((name) => all.map((folder) => join(folder, name))).find(isProgram);
}

/** PostgreSQL's server. Debian keeps it off PATH, each release in a folder of its own; the newest is taken. @type {Program} */
export const postgres = {
  find() {
    const root = "/usr/lib/postgresql";
    /** @type {string[]} */
    let releases = [];
    try {
      releases = readdirSync(root).sort((a, b) => Number(b) - Number(a));
    } catch {}
    return (
      process.env.NEARFIELD_POSTGRES ??
      findProgram(
        ["postgres"],
        releases.map((name) => join(root, name, "bin")),
      )
    );
  },
  title: "PostgreSQL",
  debian: "postgresql",
  forWhat: "the tests of stores",
  elsewhere: "install PostgreSQL 13 or newer, or set NEARFIELD_POSTGRES to the path of its program postgres",
};

/** @type {Program} */
export const natsServer = {
  find: () => process.env.NEARFIELD_NATS ?? findProgram(["nats-server"], ["/usr/sbin"]),
  title: "the NATS server",
  debian: "nats-server",
  forWhat: "the tests of worlds on many servers",
  elsewhere: "install nats-server, or set NEARFIELD_NATS to its path",
};

/** @type {Program} */
export const coturn = {
  find: () => process.env.NEARFIELD_COTURN ?? findProgram(["turnserver"], ["/usr/sbin"]),
  title: "the TURN server coturn",
  debian: "coturn",
  forWhat: "the tests of players behind closed paths",
  elsewhere: "install coturn, or set NEARFIELD_COTURN to the path of its program turnserver",
};

/** Returns the program's path, installing Debian's package if it is missing and this process may. @param {Program} program */
export async function ensureProgram(program) {
  const found = program.find();
  if (found !== undefined) return found;
  if (await mayInstall()) {
    say(`Installing ${program.title} for ${program.forWhat} (apt-get install ${program.debian}) …`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const update = await run("apt-get", ["update", "-q"], { env, output: "stderr" });
    if (update.code === 0) await run("apt-get", ["install", "-y", "-q", program.debian], { env, output: "stderr" });
    const installed = program.find();
    if (installed !== undefined) return installed;
    say("apt-get could not install it; its message is above.");
  }
  throw new ScriptError(
    `${capital(program.forWhat)} need ${program.title}, and it is not here.\n` +
      `  Debian, Ubuntu:  sudo apt-get update && sudo apt-get install ${program.debian}\n` +
      (program.elsewhere === undefined ? "" : `  elsewhere:       ${program.elsewhere}\n`) +
      "The other tests run with: npm test -- PATH, e.g. npm test -- packages/schema",
  );
}

async function mayInstall() {
  if (process.getuid?.() !== 0) return false;
  return await run("apt-get", ["--version"], { output: "collect" }).then(
    () => true,
    () => false,
  );
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
