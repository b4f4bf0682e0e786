/** @nearfield/social/peer: action spaces, the members' half, for pages and Node. The server's is in `@nearfield/social/spaces`. */

export type { PeerView, SpaceStatus, WayView } from "@nearfield/rollback/mesh";
export type { PaidForm, PaidRules } from "../paid/rules.ts";
export { SpaceError } from "../spaces/errors.ts";
export { spaceCommands, spaceEvents } from "../spaces/messages.ts";
export {
  enterSpace,
  type ObserveOptions,
  type ObservePaidOptions,
  observePaid,
  observeSpace,
  type SpaceOptions,
  watchSpace,
} from "./enter.ts";
export { type Invitation, onInvitation, tellKey } from "./invitation.ts";
export { ObservedSpace } from "./observed-space.ts";
export { Space } from "./space.ts";
export type { PaidMember } from "./testimony.ts";
export { WatchedSpace } from "./watched-space.ts";
