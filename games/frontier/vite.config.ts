import { defineConfig } from "vite";
import { pageConfig } from "../../scripts/page-config.ts";

export default defineConfig(pageConfig(import.meta.dirname));
