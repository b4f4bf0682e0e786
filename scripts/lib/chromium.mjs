/**
 * Finds the browser that the browser tests drive, and installs Debian's when it may.
 *
 * Only root on a machine with apt-get installs anything: a developer's machine is never changed silently, there the
 * message says what to do.
 */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { run, ScriptError, say } from "./process.mjs";

const programNames = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const macPaths = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a Chromium, from NEARFIELD_CHROMIUM, PATH or the usual places; undefined when there is none. */
export function findChromium() {
  const chosen = process.env.NEARFIELD_CHROMIUM;
  if (chosen) return chosen;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return [...programNames.flatMap((name) => folders.map((folder) => join(folder, name))), ...macPaths].find(isProgram);
}

/** Returns the path of a Chromium, installing Debian's if it is missing and this process may. */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  const mayInstall =
    process.getuid?.() === 0 &&
    (await run("apt-get", ["--version"], { output: "collect" }).then(
      () => true,
      () => false,
    ));
  if (mayInstall) {
    say("Installing Chromium for the browser tests (apt-get install chromium) …");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const update = await run("apt-get", ["update", "-q"], { env, output: "stderr" });
    if (update.code === 0) await run("apt-get", ["install", "-y", "-q", "chromium"], { env, output: "stderr" });
    const installed = findChromium();
    if (installed) return installed;
    say("apt-get could not install it; its message is above.");
  }
  throw new ScriptError(
    "The browser tests need Chromium or Chrome, and there is none here.\n" +
      "  Debian, Ubuntu:  sudo apt-get update && sudo apt-get install chromium\n" +
      "  elsewhere:       install Chromium or Chrome, or set NEARFIELD_CHROMIUM to its path\n" +
      "The tests that need no browser run with: npm test -- --project unit",
  );
}
