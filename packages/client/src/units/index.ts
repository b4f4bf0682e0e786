/** @nearfield/client/units: a client says which of its own objects belong together. */

export { group, ungroup } from "./group.ts";
