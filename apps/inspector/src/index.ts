/** The inspector's page, to be mounted by `serveInspector` of @nearfield/inspector/node, or served by any web server. */

import { fileURLToPath } from "node:url";

/** The folder of the built page. */
export const pageFolder: string = fileURLToPath(new URL("../dist/page/", import.meta.url));
