/** @nearfield/cluster/node: the bus over NATS, and servers of a cluster. */

export { NatsBus, type NatsBusOptions } from "./nats-bus.ts";
export { type ClusterServer, type ClusterSettings, type ServeClusterOptions, serveCluster } from "./serve-cluster.ts";
