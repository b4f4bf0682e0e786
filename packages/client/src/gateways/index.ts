/** @nearfield/client/gateways: a client of a cluster, which any of its servers can take in. */

export { roam } from "./roam.ts";
