/** @nearfield/server/seam: how something outside this package joins a room's rounds. */

export { STAGE_NAMES } from "../room/round.ts";
export type { Arrive, Guest, Release, Stay, Stopwatch } from "./guest.ts";
export type { GuestView, GuestViewOptions } from "./guest-view.ts";
export type { Connection, ReadableModel, RoomSeam, Visit } from "./room-seam.ts";
export { type EditAnswer, rescaled, type ViewEdit } from "./view-edits.ts";
