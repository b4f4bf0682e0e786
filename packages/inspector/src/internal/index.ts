/** @nearfield/inspector/internal: for packages of this repository. It may change with any version. */

// The inspector

export { Inspector, type InspectorOptions, type ViewFileHook } from "../inspector.ts";
export type { InspectorPage, PageLink } from "../inspector-page.ts";
export type { Process } from "../report-maker.ts";

// What it and its page say to each other

export { MOST_ASK_LENGTH } from "../ask-reader.ts";
export { FEED_VERSION } from "../feed/asks.ts";
export type * as Feed from "../feed/index.ts";
export { FeedReader } from "../feed-reader.ts";
export { type RecordedPlace, recordedCell, recordedDistance, recordedLoosened } from "../recorded-cell.ts";

// Counters for other systems

export { type MetricLabels, type MetricSink, MetricSource, type MetricsOptions } from "../metrics.ts";
