import { defineConfig } from "vite";
import { pageConfig } from "../../scripts/page-config.ts";

/** The landing page stands at the root of the server and its 404 page under any address, hence absolute paths. */
export default defineConfig(pageConfig(import.meta.dirname, { base: "/" }));
