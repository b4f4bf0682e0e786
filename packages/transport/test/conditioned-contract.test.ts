import { Dice } from "@nearfield/netlab";
import { conditionedLinks, VirtualClock } from "@nearfield/netlab/internal";
import { describeLinkContract } from "./link-contract.ts";

describeLinkContract({
  name: "MemoryLink over ConditionedPipe",
  async open(limits) {
    const clock = new VirtualClock();
    const conditions = { latencyMs: 30, jitterMs: 10, bandwidthBytesPerSecond: 1_000_000, queueBytes: 100_000 };
    const { client, server, up } = conditionedLinks(clock, new Dice("contract"), conditions, { limits: limits ?? {} });
    return {
      client,
      server,
      turn: async () => clock.advance(10),
      sever: () => client.vanish(),
      loseNext: (channel) => {
        up.dropNext((packet) => packet.channel === channel);
      },
      dispose: async () => undefined,
    };
  },
});
