/** The map's colours: one for each type, one for each zone, and a ramp for heat. */

const TYPE_COLOURS = ["#58b7ff", "#ffd53d", "#ff6b81", "#5cf2c2", "#c77dff", "#ff9f5c", "#9ee06a", "#ff7dc0"] as const;
const ZONE_COLOURS = ["#5cf2c2", "#58b7ff", "#8a7dff", "#c77dff", "#ff7dc0", "#ff9f5c"] as const;

export function typeColour(index: number): string {
  return TYPE_COLOURS[index % TYPE_COLOURS.length]!;
}

/** Zones beyond the last colour share it. */
export function zoneColour(zone: number): string {
  return ZONE_COLOURS[Math.min(zone, ZONE_COLOURS.length - 1)]!;
}

/** From nothing over blue and violet to yellow, as `[red, green, blue, alpha]` of 0–255. */
const RAMP: readonly (readonly [number, number, number, number])[] = [
  [20, 40, 120, 0],
  [40, 70, 190, 110],
  [138, 70, 220, 170],
  [255, 90, 120, 205],
  [255, 213, 61, 230],
];

/** @param share 0–1 */
export function heatColour(share: number): readonly [number, number, number, number] {
  const at = Math.min(1, Math.max(0, share)) * (RAMP.length - 1);
  const index = Math.min(RAMP.length - 2, Math.floor(at));
  const [from, to] = [RAMP[index]!, RAMP[index + 1]!];
  const mix = (channel: 0 | 1 | 2 | 3): number =>
    Math.round(from[channel] + (to[channel] - from[channel]) * (at - index));
  return [mix(0), mix(1), mix(2), mix(3)];
}
