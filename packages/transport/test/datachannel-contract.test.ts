/**
 * The link contract over WebRTC on loopback: carried by the data channel, and fallen back to the WebSocket after its end. The time by which links judge
 * a silence stands still once they are where the case wants them. And all on virtual time, where packets can be lost one by one.
 */

import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { VirtualClock } from "@nearfield/netlab/internal";
import type { Link } from "@nearfield/transport";
import { connectWebSocket, UdpPort, WebSocketListener } from "@nearfield/transport/node";
import { FakeNetwork } from "./fake-webrtc.ts";
import { timersOn } from "./hand-timers.ts";
import { describeLinkContract, type LinkHarness } from "./link-contract.ts";

function overLoopback(name: string, options: { fallen?: boolean; clientIsServerSide?: boolean } = {}): LinkHarness {
  return {
    name,
    lossBlocks: options.fallen
      ? "all channels share one TCP stream, where whatever follows a lost segment waits for it"
      : "loopback loses nothing; on virtual time it is checked",
    async open(limits = {}) {
      const web = createServer();
      const connections: Socket[] = [];
      web.on("connection", (connection) => connections.push(connection));
      await once(web.listen(0, "127.0.0.1"), "listening");
      const clock = new VirtualClock();
      const timers = timersOn(clock);
      const udp = await UdpPort.open({ host: "127.0.0.1", timers });
      const listener = WebSocketListener.attach(web, { path: "/link", limits, udp, timers });
      const accepted = new Promise<Link>((resolve) => listener.onLink(resolve));
      const ends = [await connectWebSocket(listener.url, { limits, udp: true, timers }), await accepted] as const;
      const until = async (kind: string): Promise<void> => {
        for (; ends.some((link) => link.kind !== kind); await pause(1)) clock.advance(1);
      };
      await until("webrtc");
      if (options.fallen) {
        udp.close();
        await until("websocket");
      }
      const [client, server] = options.clientIsServerSide ? [ends[1], ends[0]] : ends;
      return {
        client,
        server,
        turn: () => pause(1),
        sever: () => {
          for (const connection of connections) connection.destroy();
        },
        dispose: async () => {
          await listener.close();
          udp.close();
          web.close();
        },
      };
    },
  };
}

describeLinkContract(overLoopback("DataChannelLink, Node client to listener"));
describeLinkContract(overLoopback("DataChannelLink, listener to Node client", { clientIsServerSide: true }));
describeLinkContract(overLoopback("DataChannelLink, fallen back to its WebSocket", { fallen: true }));

describeLinkContract({
  name: "DataChannelLink on virtual time",
  async open(limits) {
    const clock = new VirtualClock();
    const network = new FakeNetwork(clock);
    const { client, server } = network.link(limits);
    while (client.kind !== "webrtc" || server.kind !== "webrtc") clock.advance(1);
    return {
      client,
      server,
      turn: async () => clock.advance(1),
      sever: () => {
        for (const link of [client, server]) link.socketClosed(1006, "");
      },
      loseNext: (channel) => {
        if (channel === "reliable") network.resendNext(200);
        else network.loses = onceOn(channel === "sequenced" ? 2 : 3);
      },
      dispose: async () => undefined,
    };
  },
});

/** True for the first frame that begins with this byte. */
function onceOn(firstByte: number): FakeNetwork["loses"] {
  let isDone = false;
  return (_, frame) => {
    const isIt = !isDone && frame[0] === firstByte;
    isDone ||= isIt;
    return isIt;
  };
}
