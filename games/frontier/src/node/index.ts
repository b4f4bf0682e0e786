/** The frontier on Node: the game on a web server, alone or in a cluster; bots as clients of any server. */

export { type Deeds, joinBots } from "./join-bots.ts";
export {
  type FrontierOptions,
  type FrontierStatus,
  pageFolder,
  type RunningFrontier,
  startFrontier,
} from "./start-frontier.ts";
