/** @nearfield/transport/node: WebSocket links in Node. */

export { type ConnectOptions, connectWebSocket } from "./connect-websocket.ts";
export { nodeTimers, type Timers } from "./timers.ts";
export { type AttachOptions, type ListenOptions, WebSocketListener } from "./websocket-listener.ts";
