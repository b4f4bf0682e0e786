/** @nearfield/outpost/server: the game on a web server, and bots as clients of any server. */

export { type Deeds, joinBots } from "./join-bots.ts";
export {
  type OutpostOptions,
  type OutpostStatus,
  pageFolder,
  type RunningOutpost,
  startOutpost,
} from "./start-outpost.ts";
