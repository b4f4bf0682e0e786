/** The colours of the game: night blue, slate and warm lamplight. All pictures take theirs from here, so that they belong together. */

export const NIGHT = 0x070b16;

export const INK = {
  rock: "#11141f",
  rockTop: "#2c3550",
  rockRim: "#6d7ca4",
  brick: "#5c6788",
  brickDark: "#2b3248",
  floor: "#5a6480",
  floorLight: "#7c88a8",
  floorDark: "#4a536c",
  moss: "#4f7a63",
  grass: "#2f4a3a",
  grassLight: "#3f6048",
  grassDark: "#22372d",
  cobble: "#5a5f70",
  cobbleLight: "#747a8c",
  cobbleDark: "#3c4152",
  path: "#6a5f52",
  wood: "#7a5638",
  woodDark: "#4a3424",
  gold: "#ffc94d",
  amber: "#ff9a3d",
  ruby: "#ff4d6d",
  relic: "#7df3ff",
  heart: "#ff6f91",
  venom: "#9dff5a",
  portal: "#8f7bff",
} as const;

export const LAMP = 0xffb968;
export const TORCH = 0xff9440;
export const PORTAL = 0x9a86ff;
export const VENOM = 0x9dff5a;
export const BOLT = 0xbff4ff;

export const LOOT_TINTS: Readonly<Record<string, number>> = {
  gold: 0xffc94d,
  amber: 0xff9a3d,
  ruby: 0xff4d6d,
  relic: 0x7df3ff,
  heart: 0xff6f91,
  lantern: 0xffe2a8,
};

/** A number from 0 to 1 for a place; the same place gives the same number. For pictures only. */
export function grain(x: number, y: number, salt = 0): number {
  let hash = Math.imul(x | 0, 0x27d4eb2f) ^ Math.imul(y | 0, 0x165667b1) ^ Math.imul(salt + 1, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 13), 0x297a2d39);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}

/** A CSS colour between two of them. */
export function mixed(one: string, other: string, share: number): string {
  const a = Number.parseInt(one.slice(1), 16);
  const b = Number.parseInt(other.slice(1), 16);
  const part = (shift: number): number => {
    const from = (a >> shift) & 255;
    return Math.round(from + (((b >> shift) & 255) - from) * share);
  };
  return `rgb(${part(16)} ${part(8)} ${part(0)})`;
}

export function css(colour: number): string {
  return `#${colour.toString(16).padStart(6, "0")}`;
}
