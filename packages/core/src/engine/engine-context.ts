/** What all parts of one engine use: the world, what the engine knows of every object, the caps, and the account. */

import type { Account } from "../account.ts";
import type { MetricRegistry } from "../metrics.ts";
import type { ModelOptions } from "../model.ts";
import type { World } from "../world.ts";
import type { Spans } from "./judges/spans.ts";
import type { Bodies } from "./objects/bodies.ts";
import type { FieldValues } from "./objects/field-values.ts";
import type { UpdateLog } from "./objects/update-log.ts";
import type { Observers } from "./pairs/observers.ts";
import type { UnseenWaits } from "./pairs/unseen-waits.ts";
import type { SpeedCaps } from "./plans/motion.ts";
import type { UpdateCaps } from "./plans/update-caps.ts";
import type { VisibilityRule } from "./visibility/rule.ts";

export interface EngineContext {
  readonly world: World;
  readonly options: ModelOptions;
  readonly metrics: MetricRegistry;
  readonly account: Account;
  readonly unseen: UnseenWaits;
  readonly bodies: Bodies;
  readonly fields: FieldValues;
  readonly observers: Observers;
  readonly log: UpdateLog;
  readonly speeds: SpeedCaps;
  /** The same for how far an object departs in a round from where its velocity would bring it. */
  readonly drifts: SpeedCaps;
  readonly updates: UpdateCaps;
  readonly spans: Spans;
  /** Says which objects views may know of; `undefined`: of all. */
  visibility: VisibilityRule | undefined;
}
