/** In which cell of a view something lies: the table of the paper, read back. */

import { describe, expect, it } from "vitest";
import { cellAt } from "./view-art.ts";

const pivot = { x: 1000, y: 1000, heading: 0, zoomed: false };

describe("the cell of a point", () => {
  it("is the strictest near and in front, looser beside, behind and far", () => {
    expect(cellAt(pivot, 1200, 1000).timeMs).toBe(30);
    expect(cellAt(pivot, 1500, 1000).timeMs).toBe(60);
    expect(cellAt(pivot, 1900, 1000).timeMs).toBe(90);
    expect(cellAt(pivot, 1100, 1180)).toMatchObject({ zone: 0, sector: 1, timeMs: 60 });
    expect(cellAt(pivot, 900, 1000)).toMatchObject({ zone: 0, sector: 2, timeMs: 90 });
    expect(cellAt(pivot, 100, 1000).timeMs).toBe(300);
  });

  it("turns with the view, and narrows and stretches with the scope", () => {
    expect(cellAt({ ...pivot, heading: Math.PI }, 900, 1000).timeMs).toBe(30);
    expect(cellAt({ ...pivot, zoomed: true }, 1500, 1000)).toMatchObject({ zone: 0, sector: 0 });
    expect(cellAt({ ...pivot, zoomed: true }, 1200, 1100)).toMatchObject({ zone: 0, sector: 1 });
  });
});
