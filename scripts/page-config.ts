/**
 * The vite configuration shared by every page: one call in a workspace's `vite.config.ts`.
 *
 * A page lives in the workspace's `web/` folder (every `*.html` there is an entry) and is built into `dist/page`.
 * It is bundled from the packages' sources, so source maps lead to what was written. Addresses inside it are relative
 * unless `base` says otherwise, so a game's page works under any path.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { defaultClientConditions, type UserConfig } from "vite";

export function pageConfig(workspaceFolder: string, options: { base?: string } = {}): UserConfig {
  const webFolder = join(workspaceFolder, "web");
  return {
    root: webFolder,
    base: options.base ?? "./",
    resolve: { conditions: ["nearfield:source", ...defaultClientConditions] },
    build: {
      outDir: join(workspaceFolder, "dist/page"),
      emptyOutDir: true,
      target: "es2023",
      sourcemap: true,
      rolldownOptions: {
        input: readdirSync(webFolder)
          .filter((name) => name.endsWith(".html"))
          .map((name) => join(webFolder, name)),
      },
    },
  };
}
