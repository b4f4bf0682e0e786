/** @nearfield/cluster/node: the bus over NATS, and servers of a cluster. */

export { NatsBus, type NatsBusOptions } from "./nats-bus.ts";
