/**
 * How late interpolation shows an object. Interpolation needs one send before and one after the moment that it shows, so the delay must cover
 * the time between sends. That time differs by zone: 50 ms is normal near a pivot, two seconds at the edge of the world. With one fixed delay,
 * either near objects are shown late, or far objects stop and start, since their next send has not arrived. So each object's delay follows
 * its own zone and sends.
 */

/** The delay is this many times the usual time between sends, so that one lost send leaves no gap (N §2.7.3). */
const SPARE = 2;
/** … plus this many times the usual deviation of arrivals. */
const LATE = 2;

/**
 * The delay beyond a send's own age that shows an object without a stop, ms.
 *
 * @param boundMs time bound of the object's zone: no gap between sends of a moving object is normally longer. `Infinity`: not known.
 * @param spacingMs time between its last sends; 0: not known yet.
 * @param jitterMs by how much the age of its sends varies.
 */
export function delayFor(boundMs: number, spacingMs: number, jitterMs: number): number {
  const late = LATE * jitterMs;
  if (spacingMs <= 0) return (boundMs < Number.POSITIVE_INFINITY ? boundMs : 0) + late;
  // The bound is not waited for where sends come much oftener, and no less is waited than they take: bounds are met in whole rounds.
  return Math.max(spacingMs, Math.min(boundMs, SPARE * spacingMs)) + late;
}

/** Share of its way that the picture's time gains or loses while a delay changes: at 0.25 motion looks a quarter faster or slower. */
const SLEW = 0.25;

/** A delay on its way from what it was to its goal, so long after it set out; it never jumps. */
export function slewedDelay(fromMs: number, goalMs: number, sinceMs: number): number {
  const most = SLEW * sinceMs;
  return fromMs + Math.max(-most, Math.min(most, goalMs - fromMs));
}
