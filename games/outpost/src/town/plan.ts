/** The town: where houses, trees, water and the places to use stand. Server and page agree on it; places and sizes are world units. */

export const TOWN_WIDTH = 1080;
export const TOWN_HEIGHT = 760;

export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export interface House {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Colour of its roof. */
  readonly roof: number;
}

export const PLACES = ["gate", "board", "market", "stash", "merchant"] as const;
export type Place = (typeof PLACES)[number];

/** What can be used, from how near, and what it is called. */
export const PLACE_SPOTS: Readonly<Record<Place, Circle & { readonly name: string }>> = {
  gate: { x: 540, y: 112, radius: 64, name: "The gate" },
  board: { x: 372, y: 300, radius: 46, name: "Party board" },
  market: { x: 724, y: 312, radius: 52, name: "Market" },
  stash: { x: 388, y: 512, radius: 44, name: "Your stash" },
  merchant: { x: 716, y: 470, radius: 48, name: "Merchant" },
};

export const PLAZA: Circle = { x: 540, y: 400, radius: 176 };
export const FOUNTAIN: Circle = { x: 540, y: 400, radius: 34 };
export const ARRIVAL = { x: 540, y: 520 } as const;

export const HOUSES: readonly House[] = [
  { x: 120, y: 120, width: 150, height: 104, roof: 0x9a4f3f },
  { x: 800, y: 96, width: 168, height: 112, roof: 0x4f6f8a },
  { x: 96, y: 360, width: 132, height: 118, roof: 0x6d7f4a },
  { x: 856, y: 372, width: 140, height: 120, roof: 0x8a5a70 },
  { x: 180, y: 588, width: 156, height: 96, roof: 0x4f7f78 },
  { x: 744, y: 592, width: 172, height: 98, roof: 0x9a7a3f },
];

export const TREES: readonly Circle[] = [
  { x: 320, y: 96, radius: 17 },
  { x: 60, y: 290, radius: 20 },
  { x: 292, y: 520, radius: 15 },
  { x: 70, y: 540, radius: 19 },
  { x: 420, y: 690, radius: 18 },
  { x: 660, y: 690, radius: 16 },
  { x: 1010, y: 290, radius: 20 },
  { x: 1016, y: 560, radius: 17 },
  { x: 740, y: 160, radius: 15 },
  { x: 350, y: 196, radius: 14 },
  { x: 706, y: 524, radius: 14 },
  { x: 960, y: 680, radius: 20 },
  { x: 110, y: 690, radius: 16 },
  { x: 640, y: 60, radius: 15 },
  { x: 440, y: 60, radius: 16 },
];

export const LANTERNS: readonly { readonly x: number; readonly y: number }[] = [
  { x: 450, y: 262 },
  { x: 630, y: 262 },
  { x: 396, y: 420 },
  { x: 684, y: 420 },
  { x: 470, y: 552 },
  { x: 612, y: 552 },
  { x: 480, y: 168 },
  { x: 600, y: 168 },
];

/** What stands in the way, besides houses: trunks, the fountain, stall, cart, board, chest and pillars of the gate. */
export const ROUND_WALLS: readonly Circle[] = [
  FOUNTAIN,
  ...TREES.map(({ x, y, radius }) => ({ x, y, radius: radius * 0.45 })),
  { x: PLACE_SPOTS.board.x, y: PLACE_SPOTS.board.y - 4, radius: 13 },
  { x: PLACE_SPOTS.market.x - 16, y: PLACE_SPOTS.market.y - 6, radius: 17 },
  { x: PLACE_SPOTS.market.x + 16, y: PLACE_SPOTS.market.y - 6, radius: 17 },
  { x: PLACE_SPOTS.stash.x, y: PLACE_SPOTS.stash.y, radius: 14 },
  { x: PLACE_SPOTS.merchant.x - 14, y: PLACE_SPOTS.merchant.y - 8, radius: 15 },
  { x: PLACE_SPOTS.merchant.x + 14, y: PLACE_SPOTS.merchant.y - 8, radius: 15 },
  { x: PLACE_SPOTS.gate.x - 44, y: PLACE_SPOTS.gate.y - 30, radius: 16 },
  { x: PLACE_SPOTS.gate.x + 44, y: PLACE_SPOTS.gate.y - 30, radius: 16 },
];

/** The place within reach of a spot, the nearest if there are several. */
export function placeAt(x: number, y: number): Place | undefined {
  let best: Place | undefined;
  let bestSquare = Number.POSITIVE_INFINITY;
  for (const place of PLACES) {
    const { x: atX, y: atY, radius } = PLACE_SPOTS[place];
    const square = (x - atX) * (x - atX) + (y - atY) * (y - atY);
    if (square > radius * radius || square >= bestSquare) continue;
    best = place;
    bestSquare = square;
  }
  return best;
}
