/** Small pictures for buttons: one path of a 24 × 24 box each, drawn as an outline in the colour of the text. */

import type { PieceKind } from "../../state.ts";

export type IconName =
  | PieceKind
  | "go"
  | "attack"
  | "patrol"
  | "stop"
  | "hold"
  | "repair"
  | "build"
  | "rally"
  | "cancel"
  | "back"
  | "clear";

const PATHS: Readonly<Record<IconName, string>> = {
  builder: "M8 21v-6l-3-3 4-6h6l4 6-3 3v6M9 6V3h6v3M12 12v5",
  scout: "M12 3l8 17-8-5-8 5z",
  trooper: "M12 8a2.5 2.5 0 1 0 0-5 2.500 2.500 0 0 0 0 5M6 21l2-9h8l2 9M16 11l5-6",
  lancer: "M11 8a2.5 2.5 0 1 0 0-5 2.500 2.500 0 0 0 0 5M6 21l1-9h8l1 9M19 3v18M16.500 6L19 2.500 21.500 6",
  tank: "M4 14h16l1 5H3zM8 14l1-4h6l1 4M15 11h7M5 22h14",
  mortar: "M4 20h16M7 20l3-5h5l2 5M12 15L20 4M16 3l5 3",
  wasp: "M12 4v16M12 8L3 5l3 7zM12 8l9-3-3 7zM12 20l-4-5h8z",
  base: "M3 21V10l9-7 9 7v11zM9 21v-6h6v6M12 3v4",
  refinery: "M3 21V11l6 3v-3l6 3V6h4l2 15zM7 18h2M12 18h2",
  barracks: "M3 21V9h18v12zM3 9l9-5 9 5M8 21v-6h8v6",
  factory: "M3 21v-9l5 3v-3l5 3v-3l5 3V4h3v17zM7 18h10",
  pad: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M9 8v8M15 8v8M9 12h6",
  tower: "M8 21l1-11h6l1 11zM6 10V4h3v2h2V4h2v2h2V4h3v6z",
  go: "M4 12h14M13 6l6 6-6 6",
  attack: "M12 21a8 8 0 1 0 0-16 8 8 0 0 0 0 16M12 2v7M12 17v5M2 13h7M15 13h7",
  patrol: "M5 9a7.500 7.500 0 0 1 13.500-1M19 4v4.500h-4.500M19 15A7.500 7.500 0 0 1 5.500 16M5 20v-4.500h4.500",
  stop: "M6 6h12v12H6z",
  hold: "M12 3l8 3v6c0 5-3.500 8-8 10-4.500-2-8-5-8-10V6z",
  repair: "M14 6a5 5 0 0 1 6-2l-3 3 1 2 2 1 3-3a5 5 0 0 1-7 6l-8 8-3-3 8-8a5 5 0 0 1 1-4",
  build: "M4 20l9-9M11 5l8 8M9 7l4-4 8 8-4 4z",
  rally: "M6 22V3l12 4-12 5",
  cancel: "M6 6l12 12M18 6L6 18",
  back: "M15 5l-7 7 7 7",
  clear: "M6 6l12 12M18 6L6 18",
};

export function icon(name: IconName): string {
  return `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;
}
