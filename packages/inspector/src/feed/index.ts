/** The messages between the inspector's page and a server (docs/guide/operating.md). Only types, so a page may import them. */

export type * from "./asks.ts";
export type * from "./cluster.ts";
export type * from "./map.ts";
export type * from "./recording.ts";
export type * from "./report.ts";
export type * from "./tells.ts";
export type * from "./why.ts";
