/**
 * Reads the configuration file of a room's view (R §4.5): what each player sees and how exactly, without a change of code. The inspector
 * writes the same file.
 */

import { readFile } from "node:fs/promises";
import { ServerError } from "@nearfield/server";
import { parseViewFile, type ViewFile } from "@nearfield/server/internal";

/**
 * Reads a configuration file; spread it into the options: `serve({ …, ...(await loadView("view.json")) })`. Rejects with
 * `ServerError("bad-view-file")`, naming the file and the place in it.
 */
export async function loadView(path: string): Promise<ViewFile> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new ServerError("bad-view-file", `${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    return parseViewFile(text);
  } catch (error) {
    if (error instanceof ServerError) throw new ServerError("bad-view-file", `${path}: ${error.message}`);
    throw error;
  }
}
