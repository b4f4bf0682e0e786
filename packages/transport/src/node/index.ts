/** @nearfield/transport/node: WebSocket links in Node, with a WebRTC data channel beside them where it works. */

export { type ConnectOptions, connectWebSocket, type UdpConnectOptions } from "./connect-websocket.ts";
export { type NodePeersOptions, openNodePeers } from "./open-peer.ts";
export { TrustedProxies } from "./peer-address.ts";
export { nodeTimers, type Timers } from "./timers.ts";
export { type UdpOptions, UdpPort } from "./udp-port.ts";
export { pathOf, refuseUpgrade, type UpgradeHandler, UpgradeRoutes } from "./upgrades.ts";
export { type AttachOptions, answerNoWebSocket, type ListenOptions, WebSocketListener } from "./websocket-listener.ts";
