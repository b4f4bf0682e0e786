import { defineConfig } from "vitest/config";

/** Tests run on the sources: the `nearfield:source` export condition skips the build. */
export default defineConfig({
  resolve: { conditions: ["nearfield:source"] },
  ssr: { resolve: { conditions: ["nearfield:source"], externalConditions: ["nearfield:source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "games/*/src/**/*.test.ts", "games/*/test/**/*.test.ts"],
    passWithNoTests: true,
  },
});
