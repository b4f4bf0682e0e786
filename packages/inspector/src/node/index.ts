/** @nearfield/inspector/node: the inspector over HTTP and WebSocket, and metrics for Prometheus. */

export { INSPECTOR_HEADERS } from "./inspector-files.ts";
export { Metrics } from "./metrics.ts";
export { type ServedInspector, type ServeInspectorOptions, serveInspector } from "./serve-inspector.ts";
