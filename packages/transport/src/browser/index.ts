/** @nearfield/transport/browser: WebSocket links in a page, with a WebRTC data channel beside them where it works. */

export { type ConnectOptions, connectWebSocket, type UdpConnectOptions } from "./connect-websocket.ts";
export { openBrowserPeer } from "./open-peer.ts";
