/** How often somebody may do something, as an option. */
import { Bucket } from "../spaces/bucket.ts";

export interface RateLimit {
  /** At once. */
  readonly burst: number;
  readonly perSecond: number;
}

export function newBucket({ burst, perSecond }: RateLimit, nowMs: number): Bucket {
  return new Bucket(perSecond, burst, nowMs);
}
