/** Skirmish on Node: the game on a web server. */

export { type Deeds, joinBots } from "./join-bots.ts";
export {
  pageFolder,
  type RunningSkirmish,
  type SkirmishOptions,
  type SkirmishStatus,
  startSkirmish,
} from "./start-skirmish.ts";
