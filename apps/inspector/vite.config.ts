import { defineConfig } from "vite";
import { pageConfig } from "../../scripts/page-config.ts";

/** Relative addresses: any Nearfield server may mount the page under any path. */
export default defineConfig(pageConfig(import.meta.dirname));
