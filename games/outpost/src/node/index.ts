/** @nearfield/outpost/server: the town's server. */

export {};
