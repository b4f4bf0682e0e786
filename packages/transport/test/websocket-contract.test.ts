import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Link } from "@nearfield/transport";
import { connectWebSocket as connectInBrowser } from "@nearfield/transport/browser";
import { connectWebSocket, WebSocketListener } from "@nearfield/transport/node";
import { afterAll, beforeAll, vi } from "vitest";
import { WebSocket } from "ws";
import { describeLinkContract, type LinkHarness } from "./link-contract.ts";

// The browser's entry point runs on the browser's WebSocket interface, which `ws` offers too.
beforeAll(() => {
  vi.stubGlobal("WebSocket", WebSocket);
});
afterAll(() => {
  vi.unstubAllGlobals();
});

function overLoopback(
  name: string,
  connect: (url: string, options: { limits: object }) => Promise<Link>,
  options: { clientIsServerSide?: boolean } = {},
): LinkHarness {
  return {
    name,
    lossBlocks: "all channels share one TCP stream, where whatever follows a lost segment waits for it",
    async open(limits = {}) {
      const web = createServer();
      const connections: Socket[] = [];
      web.on("connection", (connection) => connections.push(connection));
      await once(web.listen(0, "127.0.0.1"), "listening");
      const listener = WebSocketListener.attach(web, { path: "/link", limits });
      const accepted = new Promise<Link>((resolve) => listener.onLink(resolve));
      const ends = [await connect(listener.url, { limits }), await accepted] as const;
      const [client, server] = options.clientIsServerSide ? [ends[1], ends[0]] : ends;
      return {
        client,
        server,
        turn: () => nextTurn(),
        sever: () => {
          for (const connection of connections) connection.destroy();
        },
        dispose: async () => {
          await listener.close();
          web.close();
        },
      };
    },
  };
}

describeLinkContract(overLoopback("WebSocketLink, Node client to listener", connectWebSocket));
describeLinkContract(
  overLoopback("WebSocketLink, listener to Node client", connectWebSocket, { clientIsServerSide: true }),
);
describeLinkContract(overLoopback("WebSocketLink, browser client to listener", connectInBrowser));
