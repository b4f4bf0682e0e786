/** The class of links with a data channel beside their WebSocket, for those who have both files at once: servers and clients in Node, tests. */

import { WebSocketLink } from "../websocket-link.ts";
import { type DataChannelLink as Link, overBothCarriers } from "./datachannel-link.ts";

export const DataChannelLink: ReturnType<typeof overBothCarriers> = overBothCarriers(WebSocketLink);
export type DataChannelLink = Link;
