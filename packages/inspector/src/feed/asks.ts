/**
 * What a page of the inspector may ask of a server, as JSON texts over one WebSocket. This file has only types; `ask-reader.ts` checks
 * input. An ask may carry an `id`; its answer carries the same. A watched topic is sent again and again until `unwatch`.
 */

import type { ViewSettings } from "@nearfield/core";

/** Raised when an old page could misread what it is told. */
export const FEED_VERSION = 3;

export type Ask =
  | HelloAsk
  | WatchAsk
  | { ask: "unwatch"; id?: number; topic: Topic }
  | { ask: "view"; id?: number; room: string; player: number }
  | SetViewAsk
  | { ask: "saveView"; id?: number; room: string; sets: JsonSets }
  | { ask: "loadView"; id?: number; room: string }
  | ReadViewAsk
  | RecordAsk
  | { ask: "frames"; id?: number; room: string; from: number; count: number }
  | { ask: "conditions"; id?: number; room: string; player: number; preset: string }
  | { ask: "clearHeat"; id?: number; room: string };

/** Must be the first ask. No other ask is answered before it. */
export interface HelloAsk {
  ask: "hello";
  id?: number;
  token: string;
  version: number;
}

export type Topic = "report" | "map" | "heat" | "why" | "preview" | "cluster";

/** Watching a topic again replaces what was watched of it before. */
export type WatchAsk =
  | ReportAsk
  | { ask: "watch"; id?: number; topic: "map"; room: string; everyMs?: number; players?: number[] }
  | { ask: "watch"; id?: number; topic: "heat"; room: string; everyMs?: number; type?: string }
  | { ask: "watch"; id?: number; topic: "why"; room: string; everyMs?: number; player: number; object: number }
  | { ask: "watch"; id?: number; topic: "cluster"; room: string; everyMs?: number }
  | PreviewAsk;

export interface ReportAsk {
  ask: "watch";
  id?: number;
  topic: "report";
  room: string;
  everyMs?: number;
  /** How often the rows of clients are told; at once when somebody joins or leaves. Default: every second. */
  clientsMs?: number;
}

/** Judges a view for a player beside the player's own, without sending anything, to find out what it would cost. */
export interface PreviewAsk {
  ask: "watch";
  id?: number;
  topic: "preview";
  room: string;
  player: number;
  sets: JsonSets;
  /** Zoom of the view's pivots. Default: unchanged. */
  scale?: number;
  /** Without the room's limits, as `setView` with `unlimited` would. */
  unlimited?: boolean;
  everyMs?: number;
}

/** Changes players' views. Each player keeps its pivots. The settings are checked like a client's proposal. */
export interface SetViewAsk {
  ask: "setView";
  id?: number;
  room: string;
  /** "all": everybody now in the room, and those who join later. */
  players: number[] | "all";
  sets: JsonSets;
  /** Zoom of their pivots. Default: unchanged. */
  scale?: number;
  /** With the game's authority: the settings are checked, but not clamped to what clients may ask for. */
  unlimited?: boolean;
}

/** Reads the text of a settings file that the page has, as the server reads its own. Answered like `loadView`; nothing changes. */
export interface ReadViewAsk {
  ask: "readView";
  id?: number;
  room: string;
  name: string;
  text: string;
}

export type RecordAsk =
  | { ask: "record"; id?: number; room: string; on: true; everyMs?: number; seconds?: number }
  | { ask: "record"; id?: number; room: string; on: false };

/** `ViewSettings["sets"]` as JSON: a dimension, range or edge without limit is left out or `null`. */
export type JsonSets = ViewSettings["sets"];
