/** The browser that the browser tests drive: Chromium, or Chrome. */
import { ensureProgram, findProgram, isProgram } from "./debian.mjs";

const programNames = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const macPaths = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The path of a Chromium, from NEARFIELD_CHROMIUM, PATH or the usual places; undefined when there is none. */
export function findChromium() {
  const chosen = process.env.NEARFIELD_CHROMIUM;
  return chosen || (findProgram(programNames) ?? macPaths.find(isProgram));
}

/** Returns the path of a Chromium, installing Debian's if it is missing and this process may. */
export async function ensureChromium() {
  return await ensureProgram({
    find: findChromium,
    title: "Chromium or Chrome",
    debian: "chromium",
    forWhat: "the browser tests",
    elsewhere: "install Chromium or Chrome, or set NEARFIELD_CHROMIUM to its path",
  });
}
