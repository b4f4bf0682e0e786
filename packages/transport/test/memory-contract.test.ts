import { memoryLinks } from "@nearfield/transport/internal";
import { describeLinkContract } from "./link-contract.ts";

describeLinkContract({
  name: "MemoryLink over ImmediatePipe",
  lossBlocks: "its pipe loses nothing; the same link is tried over a ConditionedPipe",
  async open(limits) {
    const [client, server] = memoryLinks({ limits: limits ?? {} });
    return {
      client,
      server,
      turn: async () => {
        client.flush();
        server.flush();
      },
      sever: () => client.vanish(),
      dispose: async () => undefined,
    };
  },
});
