/** A program that is a market: a town on a store that lasts. `PLACE`; prints where it is. Bots and killers come from the test. */
import { openStore } from "@nearfield/store/node";
import { openTown } from "../town.ts";

const [place] = process.argv.slice(2) as [string];
const { site } = await openTown(
  {
    askRate: { burst: 1000, perSecond: 1000 },
    accountLimits: { creations: { attempts: 1000, refillMs: 1000 } },
  },
  await openStore(place),
);
process.stdout.write(`site ${site}\n`);
