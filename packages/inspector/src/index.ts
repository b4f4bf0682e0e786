/**
 * The inspector: shows what a server does while it does it. It is a guest of the server's rooms and has no clock and no socket;
 * `serveInspector` is in @nearfield/inspector/node.
 */

// The inspector

export type { ClusterSource } from "./feed/cluster.ts";
export type { ConditionsHook } from "./inspector.ts";
