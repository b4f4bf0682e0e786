/** @nearfield/transport/browser: WebSocket links in a page. */

export { type ConnectOptions, connectWebSocket } from "./connect-websocket.ts";
