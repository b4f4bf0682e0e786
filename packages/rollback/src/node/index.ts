/** @nearfield/rollback/node: data channels between players in Node, by `node-datachannel`. */

/** Resolves to the option `peers` of `enterSpace` in Node; to undefined where `node-datachannel` is missing: then all goes over the server. */
export { openNodePeers as nodePeers } from "@nearfield/transport/node";
