/** The configuration file of a room's view on disk, for the inspector's view editor. `loadView` of @nearfield/server/node reads the same file. */

import { readFile, rename, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import type { ViewFileHook } from "@nearfield/inspector/internal";

/** The one file that the inspector may read and write. Written whole or not at all. */
export function viewFileAt(path: string): ViewFileHook {
  return {
    name: basename(path),
    read: () => readFile(path, "utf8"),
    write: async (text) => {
      const fresh = `${path}.new`;
      await writeFile(fresh, text);
      await rename(fresh, path);
    },
  };
}
