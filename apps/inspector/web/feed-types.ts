/** The words of the feed that this page uses: all it knows of a Nearfield server. They are types, so nothing of the server is bundled. */
import type { Feed } from "@nearfield/inspector/internal";

export type Ask = Feed.Ask;
export type WatchAsk = Feed.WatchAsk;
export type Topic = Feed.Topic;
export type Tell = Feed.Tell;
export type Welcome = Feed.Welcome;
export type Report = Feed.Report;
export type Flow = Feed.Flow;
export type WireFlows = Feed.WireFlows;
export type ClientRow = Feed.ClientRow;
export type AuditFigures = Feed.AuditFigures;
export type FaultKindRow = Feed.FaultKindRow;
export type FaultyPairRow = Feed.FaultyPairRow;
export type ShortfallRow = Feed.ShortfallRow;
export type MapTell = Feed.MapTell;
export type DrawnView = Feed.DrawnView;
export type DrawnPivot = Feed.DrawnPivot;
export type DrawnSet = Feed.DrawnSet;
export type BoundFigures = Feed.BoundFigures;
export type ClusterTell = Feed.ClusterTell;
export type ClusterPicture = Feed.ClusterPicture;
export type ClusterSlice = Feed.ClusterSlice;
export type ClusterRoomRow = Feed.ClusterRoomRow;
export type ClusterServerRow = Feed.ClusterServerRow;
export type HeatTell = Feed.HeatTell;
export type WhyTell = Feed.WhyTell;
export type LevelTell = Feed.LevelTell;
export type PreviewTell = Feed.PreviewTell;
export type PreviewFigures = Feed.PreviewFigures;
export type RecordedFrame = Feed.RecordedFrame;
export type RecordingState = Feed.RecordingState;
export type TypeSummary = Feed.TypeSummary;

/** The answer to "why?" as the page shows it: live, or of a recorded moment, of which some things are not known (`null`). */
export interface WhyShown extends Omit<WhyTell, "lastSend" | "divergence"> {
  lastSend: { round: number; agoMs: number; cause: string | null; arrived: boolean | null } | null;
  divergence: { time: number | null; sequence: number | null; value: number | null };
  /** Only for a recorded moment: whether the recording holds the last send, and after how long every moving object has been sent again. */
  recorded?: { isSendKnown: boolean; settlesMs: number | null };
}

/** A view's sets, as they are written in the configuration file. */
export type Sets = Feed.JsonSets;
export type ObjectSetSettings = Sets[number];
export type Match = ObjectSetSettings["match"];
type Rows = ObjectSetSettings["bounds"];
export type Bound = Exclude<Rows[number], readonly unknown[]>;

/** The version of the feed that this page speaks. */
export const FEED_VERSION = 3;
