/** @nearfield/cluster/node: the bus over NATS, and servers of a cluster. */

export {};
