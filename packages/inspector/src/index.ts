/**
 * The inspector: what a server does, while it does it. A guest of the server's rooms, without a clock or a socket; `serveInspector` is in
 * @nearfield/inspector/node.
 */

// The inspector

export type { ConditionsHook } from "./inspector.ts";
