/** @nearfield/server/internal: for packages of this repository. It may change with any version. */

export {
  addCounters,
  type ChannelCounters,
  RoomTelemetry,
  SessionTelemetry,
  TrafficSum,
} from "../telemetry/telemetry.ts";
export { formatViewFile, jsonSets, parseViewFile, readSets } from "../view-json.ts";
