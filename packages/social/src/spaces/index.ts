/** @nearfield/social/spaces: action spaces, the server's half. Members are in `@nearfield/social/peer`. */

export { ActionSpace } from "./action-space.ts";
export { ActionSpaces, type ActionSpacesOptions } from "./action-spaces.ts";
export { type RefusalCode, SpaceError } from "./errors.ts";
export type { OpenSpaceOptions, SpaceEndReason, SpaceOutcome, SpaceTimes } from "./options.ts";
export type { SpaceLimits } from "./seats.ts";
