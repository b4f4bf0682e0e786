import { join } from "node:path";
import { defineConfig, mergeConfig } from "vite";
import { pageConfig } from "../../scripts/page-config.ts";

/**
 * The landing page stands at the root of the server and its 404 page under any address, hence absolute paths. The
 * simulator has a folder of its own, and so the address /simulator/.
 */
export default defineConfig(
  mergeConfig(pageConfig(import.meta.dirname, { base: "/" }), {
    build: { rolldownOptions: { input: [join(import.meta.dirname, "web/simulator/index.html")] } },
  }),
);
