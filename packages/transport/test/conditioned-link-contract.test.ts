/** The link contract on wrapped links: untouched, with conditions, and over a link with two carriers. On virtual time. */

import { ConditionedLink, Dice } from "@nearfield/netlab";
import type { PathConditions } from "@nearfield/netlab/internal";
import { VirtualClock } from "@nearfield/netlab/internal";
import { memoryLinks } from "@nearfield/transport/internal";
import { FakeNetwork } from "./fake-webrtc.ts";
import { describeLinkContract, type LinkHarness } from "./link-contract.ts";

const CONDITIONS = { latencyMs: 30, jitterMs: 10, bandwidthBytesPerSecond: 1_000_000, queueBytes: 100_000 };

function overMemory(name: string, conditions: PathConditions | undefined): LinkHarness {
  return {
    name,
    ...(conditions === undefined && { lossBlocks: "without conditions nothing gets lost" }),
    async open(limits = {}) {
      const clock = new VirtualClock();
      const ends = memoryLinks({ limits });
      const [client, server] = ends.map((end, index) => {
        const link = new ConditionedLink(end, clock, new Dice(index), { limits });
        link.change(conditions);
        return link;
      }) as [ConditionedLink, ConditionedLink];
      return {
        client,
        server,
        turn: async () => {
          clock.advance(10);
          for (const end of ends) end.flush();
        },
        sever: () => ends[0].vanish(),
        loseNext: (channel) => void client.path.down.dropNext((packet) => packet.channel === channel),
        dispose: async () => undefined,
      };
    },
  };
}

describeLinkContract(overMemory("ConditionedLink without conditions", undefined));
describeLinkContract(overMemory("ConditionedLink", CONDITIONS));

function overTwoCarriers(name: string, carrier: "webrtc" | "websocket"): LinkHarness {
  return {
    name,
    lossBlocks: carrier === "webrtc" ? "tried over memory" : "as on TCP, whatever follows a lost packet waits for it",
    async open(limits = {}) {
      const clock = new VirtualClock();
      const { client, server } = new FakeNetwork(clock).link(limits);
      const ends = [client, server];
      while (ends.some(({ kind }) => kind !== "webrtc")) clock.advance(1);
      if (carrier === "websocket") for (const end of ends) end.leavePath();
      while (ends.some(({ kind }) => kind !== carrier)) clock.advance(1);
      const wrapped = new ConditionedLink(client, clock, new Dice("contract"), { limits });
      wrapped.change(CONDITIONS);
      return {
        client: wrapped,
        server,
        turn: async () => clock.advance(1),
        sever: () => {
          for (const end of ends) end.socketClosed(1006, "");
        },
        dispose: async () => undefined,
      };
    },
  };
}

describeLinkContract(overTwoCarriers("ConditionedLink over a data channel", "webrtc"));
describeLinkContract(overTwoCarriers("ConditionedLink over its WebSocket", "websocket"));
