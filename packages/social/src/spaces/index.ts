/** @nearfield/social/spaces: action spaces, the server's half. Members are in `@nearfield/social/peer`. */

export {
  ActionSpace,
  type OpenSpaceOptions,
  type SpaceEndReason,
  type SpaceOutcome,
  type SpaceTimes,
} from "./action-space.ts";
export { ActionSpaces, type ActionSpacesOptions } from "./action-spaces.ts";
export { type RefusalCode, SpaceError } from "./errors.ts";
export type { SpaceLimits } from "./seats.ts";
