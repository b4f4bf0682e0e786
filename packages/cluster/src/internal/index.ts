/** @nearfield/cluster/internal: one world over many servers. */

export {};
