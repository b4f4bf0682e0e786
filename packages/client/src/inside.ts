/**
 * What the functions that take a client reach of it (`predict`, `setPivots`, `lock`). They are functions, not methods, because a bundler leaves out
 * a function that nobody calls. What such a function needs further, it makes when it is first called.
 */

import type { ClientError } from "./errors.ts";
import type { KnownView } from "./known-view.ts";
import type { News } from "./news.ts";
import type { Predictions } from "./predictions.ts";
import type { ReplicaStore } from "./replica-store.ts";
import type { Requests } from "./requests.ts";
import type { Session } from "./session.ts";
import type { Wishes } from "./wishes.ts";

export interface Inside {
  readonly session: Session;
  readonly store: ReplicaStore;
  readonly news: News;
  /** The client's own clock, ms. */
  readonly now: () => number;
  /** Whether the server applies commands at all. */
  readonly isRoomActive: () => boolean;
  /** What waits for an answer of the server. It fails when the client ends. */
  readonly asked: { rejectAll(error: ClientError): void }[];
  /** Called after each frame that was merged. */
  readonly merged: (() => void)[];
  /** Each of these is undefined until it is needed. */
  predictions: Predictions | undefined;
  view: KnownView | undefined;
  wishes: Wishes | undefined;
  groupings: Requests<number, void> | undefined;
}
