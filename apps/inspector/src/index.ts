/** The inspector's page, to be mounted by `operate` of @nearfield/server/node, or served by any web server. */

import { fileURLToPath } from "node:url";

/** The folder of the built page. */
export const pageFolder: string = fileURLToPath(new URL("../dist/page/", import.meta.url));
