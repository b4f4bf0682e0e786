/** Makes the rows of the report. */

import { FIRST_BUILDING, KINDS } from "../rules/kinds.ts";
import { DOINGS } from "../state.ts";
import type { Camera, Spot } from "./camera.ts";
import type { Field } from "./field.ts";
import { type Pieces, SELECTED } from "./picture.ts";
import type { PieceReport, PlayReport } from "./report.ts";

const SEEN = 2;

export function reportField(
  field: Field | undefined,
  camera: Camera,
): Pick<PlayReport, "units" | "buildings" | "remembered" | "orePatches" | "seenCells"> {
  if (field === undefined) return { units: [], buildings: [], remembered: [], orePatches: [], seenCells: 0 };
  return {
    units: piecesOf(field.units, 0, camera),
    buildings: piecesOf(field.buildings, FIRST_BUILDING, camera),
    remembered: piecesOf(field.remembered, FIRST_BUILDING, camera),
    orePatches: piecesOf(field.ore, 0, camera).map(({ x, y, screenX, screenY }) => ({ x, y, screenX, screenY })),
    seenCells: field.fog?.cells.reduce((sum, cell) => sum + (cell === SEEN ? 1 : 0), 0) ?? 0,
  };
}

function piecesOf(pieces: Pieces, firstKind: number, camera: Camera): PieceReport[] {
  const spot: Spot = { x: 0, y: 0 };
  return Array.from({ length: pieces.count }, (_, row) => {
    const [x, y] = [pieces.x[row]!, pieces.y[row]!];
    camera.toScreen(x, y, spot);
    return {
      id: pieces.id[row]!,
      kind: KINDS[firstKind + pieces.kind[row]!]!,
      side: pieces.side[row]!,
      ...{ x, y, screenX: spot.x, screenY: spot.y },
      health: pieces.health[row]!,
      built: pieces.built[row]!,
      doing: DOINGS[pieces.doing[row]!]!,
      selected: (pieces.flags[row]! & SELECTED) !== 0,
    };
  });
}
