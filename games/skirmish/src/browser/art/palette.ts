/** Every colour of the stage. Sides have the kit's player colours; the rest is dark and cool, so that sides, fire and ore stand out. */

/** Beyond the map, and what was never seen. */
export const VOID = 0x05070d;
/** Bare metal of units and buildings where the light falls on it. */
export const METAL = 0xb9c6da;
export const ORE = 0xffa23e;

export const SHOT = 0xfff0b8;
export const FIRE = 0xff9b3d;
export const EMBER = 0xff6a2b;
export const SMOKE = 0x272c35;
export const STEAM = 0x9aa9bd;

/** What is selected, and what an order that was taken looks like. */
export const ACCENT = 0x4df0c0;
export const DANGER = 0xff4d5e;
export const WARNING = 0xffb347;
export const PALE = 0xeef3ff;

/** Zones of a view by how exact they are: cool and bright in the camera, warm and dim far from it. */
export const ZONES: readonly number[] = [0x4df0c0, 0x4aa8ff, 0xa56bff, 0xff5f8f];

/** A colour as the layers keep it: red in the lowest byte, opacity in the highest. */
export function tint(colour: number, opacity = 1): number {
  const alpha = opacity <= 0 ? 0 : opacity >= 1 ? 255 : (opacity * 255) | 0;
  return ((colour >> 16) & 255) | (colour & 0xff00) | ((colour & 255) << 16) | (alpha << 24);
}

/** A colour mixed with another; `share` 0 leaves it, 1 is the other one. */
export function mix(colour: number, other: number, share: number): number {
  const part = (shift: number): number =>
    Math.round(((colour >> shift) & 255) * (1 - share) + ((other >> shift) & 255) * share);
  return (part(16) << 16) | (part(8) << 8) | part(0);
}

/** Red, green and blue from 0 to 1. */
export function parts(colour: number): [number, number, number] {
  return [((colour >> 16) & 255) / 255, ((colour >> 8) & 255) / 255, (colour & 255) / 255];
}

/** Numbers from 0 to 1 that look like dice and are the same every time: for grain, phases and scatter. */
export function grain(x: number, y: number, salt = 0): number {
  let hash = Math.imul(x | 0, 374761393) + Math.imul(y | 0, 668265263) + Math.imul(salt, 2147483647);
  hash = Math.imul(hash ^ (hash >>> 13), 1274126177);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}
