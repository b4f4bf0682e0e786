/**
 * Two projects: `unit` (everything that needs no browser, in parallel) and `browser` (headless Chromium, one file at a
 * time). Tests run on the sources: the `nearfield:source` export condition skips the build of packages. Pages are the
 * exception, browser tests open them as built.
 */
import { defineConfig } from "vitest/config";

const nightly = process.env["NEARFIELD_NIGHTLY"] === "1";
const seconds = 1000;
/** Limits only end what hangs. What is measured stands in the tests; here is room for a machine that does other things too. */
const patience = { poll: { timeout: 60 * seconds } };

const fromSources = {
  resolve: { conditions: ["nearfield:source"] },
  ssr: { resolve: { conditions: ["nearfield:source"], externalConditions: ["nearfield:source"] } },
};

export default defineConfig({
  test: {
    passWithNoTests: true,
    projects: [
      {
        ...fromSources,
        test: {
          name: "unit",
          include: [
            "{packages,games,apps}/*/src/**/*.test.ts",
            "{packages,games}/*/test/**/*.test.ts",
            "apps/board/test/**/*.test.ts",
            "bench/{src,test}/**/*.test.ts",
            "scripts/**/*.test.ts",
          ],
          exclude: ["**/test/browser/**", "**/node_modules/**"],
          setupFiles: ["test/seeds.ts"],
          expect: patience,
          testTimeout: (nightly ? 1800 : 240) * seconds,
          hookTimeout: 60 * seconds,
        },
      },
      {
        ...fromSources,
        test: {
          name: "browser",
          include: [
            "{packages,games,apps}/*/test/browser/**/*.test.ts",
            "apps/{inspector,playground}/test/**/*.test.ts",
          ],
          fileParallelism: false,
          expect: patience,
          testTimeout: 240 * seconds,
          hookTimeout: 240 * seconds,
        },
      },
    ],
  },
});
