/**
 * Reads the settings file of a room (R §4.5): what each player sees and how exactly, without a change of code. The inspector writes the same
 * file; `watchSettings` follows it while the server runs.
 */

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { ServerError } from "@nearfield/server";
import { parseSettings, type RoomSettings } from "@nearfield/server/internal";

/**
 * Reads a settings file; spread it into the options: `serve({ …, ...(await loadView("nearfield.jsonc")) })`. Rejects with
 * `ServerError("bad-settings")`, naming the file and the place in it.
 */
export async function loadView(path: string): Promise<RoomSettings> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new ServerError("bad-settings", `${path} cannot be read: ${(error as Error).message}`);
  }
  return parseSettings(text, basename(path));
}
