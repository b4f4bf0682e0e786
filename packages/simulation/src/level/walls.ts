/**
 * Walls: rectangles that do not move, and casts against them. Solid tiles are merged into few rectangles. A grid finds the walls near a cast;
 * an exact test finds the point where a ray, or a circle that moves in a straight line, first touches a wall.
 *
 * Bounds: a wall has an entry in each grid cell it touches, at most `MOST_ENTRIES` in all. Casts allocate nothing.
 */

/** Smallest and largest x and y of each wall, one after another. */
const WALL_SIZE = 4;
const MOST_ENTRIES: number = 2 ** 23;

export interface GridSize {
  /** Cells in x and y. */
  readonly columns: number;
  readonly rows: number;
  /** Size of a cell, world units. */
  readonly cellX: number;
  readonly cellY: number;
}

/** Where something touched a wall. */
export interface WallHit {
  /** How far it came, world units. */
  distance: number;
  /** Unit normal of the wall there; 0, 0 where it began within it. */
  normalX: number;
  normalY: number;
  /** Which wall: its number in `Walls`. */
  wall: number;
}

/**
 * Covers the solid tiles with rectangles: runs along x, and runs of the same columns in the rows below joined to them. Each tile is
 * covered once. Returns smallest and largest x and y in tiles.
 */
export function mergeTiles(solid: Uint8Array, columns: number, rows: number): number[] {
  const merged: number[] = [];
  /** By first column: where the rectangle that ends in the row above stands in `merged`, or −1. */
  const open = new Int32Array(columns).fill(-1);
  for (let row = 0; row < rows; row++) {
    for (let from = 0; from < columns; ) {
      if (solid[row * columns + from] === 0) {
        open[from++] = -1;
        continue;
      }
      let to = from + 1;
      while (to < columns && solid[row * columns + to] === 1) open[to++] = -1;
      const above = open[from]!;
      if (above >= 0 && merged[above + 2] === to && merged[above + 3] === row) merged[above + 3] = row + 1;
      else {
        open[from] = merged.length;
        merged.push(from, row, to, row + 1);
      }
      from = to;
    }
  }
  return merged;
}

export class Walls {
  readonly #grid: GridSize;
  readonly #walls: Float64Array;
  /** Which walls touch cell i: `#entries[#starts[i] … #starts[i + 1] − 1]`. */
  readonly #starts: Int32Array;
  readonly #entries: Int32Array;
  /** The cast in which a wall was last tried. */
  readonly #tried: Uint32Array;
  #cast = 0;

  /** @param walls smallest and largest x and y of each, world units. Throws `RangeError` if they lie over too many cells. */
  constructor(grid: GridSize, walls: readonly number[]) {
    this.#grid = grid;
    this.#walls = Float64Array.from(walls);
    this.#tried = new Uint32Array(walls.length / WALL_SIZE);
    const counts = new Int32Array(grid.columns * grid.rows + 1);
    let entries = 0;
    for (let wall = 0; wall < this.count; wall++) {
      this.#eachCellOf(wall, (cell) => {
        counts[cell + 1] = counts[cell + 1]! + 1;
        entries += 1;
      });
      if (entries > MOST_ENTRIES) throw new RangeError(`walls lie over more than ${MOST_ENTRIES} cells`);
    }
    for (let cell = 1; cell < counts.length; cell++) counts[cell] = counts[cell]! + counts[cell - 1]!;
    this.#starts = counts;
    this.#entries = new Int32Array(entries);
    const next = counts.slice();
    for (let wall = 0; wall < this.count; wall++) {
      this.#eachCellOf(wall, (cell) => {
        this.#entries[next[cell]!] = wall;
        next[cell] = next[cell]! + 1;
      });
    }
  }

  get count(): number {
    return this.#walls.length / WALL_SIZE;
  }

  /** Smallest x and y, largest x and y of a wall. */
  boundsOf(wall: number): readonly [number, number, number, number] {
    const at = wall * WALL_SIZE;
    return [this.#walls[at]!, this.#walls[at + 1]!, this.#walls[at + 2]!, this.#walls[at + 3]!];
  }

  /**
   * Pushes a circle (radius 0: a point) along a unit direction, at most `reach` far, and writes into `out` where it first touches a wall.
   * False where it touches none. Of several that it touches at once, the first counts.
   */
  cast(x: number, y: number, radius: number, dx: number, dy: number, reach: number, out: WallHit): boolean {
    const { columns, rows, cellX, cellY } = this.#grid;
    const end = Math.min(reach, wayThrough(x, dx, radius, columns * cellX), wayThrough(y, dy, radius, rows * cellY));
    out.distance = Number.POSITIVE_INFINITY;
    this.#beginCast();
    const step = Math.min(cellX, cellY);
    for (let from = 0; from <= end; from += step) {
      const to = Math.min(end, from + step);
      this.#tryAround(x, y, radius, dx, dy, from, to, out);
      if (out.distance <= to) break;
    }
    return out.distance < Number.POSITIVE_INFINITY && out.distance <= reach;
  }

  /** The walls near the way from `from` to `to`. */
  #tryAround(
    x: number,
    y: number,
    radius: number,
    dx: number,
    dy: number,
    from: number,
    to: number,
    out: WallHit,
  ): void {
    const { columns, rows, cellX, cellY } = this.#grid;
    const lowX = cellIn((Math.min(x + dx * from, x + dx * to) - radius) / cellX, columns);
    const highX = cellIn((Math.max(x + dx * from, x + dx * to) + radius) / cellX, columns);
    const lowY = cellIn((Math.min(y + dy * from, y + dy * to) - radius) / cellY, rows);
    const highY = cellIn((Math.max(y + dy * from, y + dy * to) + radius) / cellY, rows);
    for (let row = lowY; row <= highY; row++) {
      for (let column = lowX; column <= highX; column++) {
        const cell = row * columns + column;
        for (let entry = this.#starts[cell]!; entry < this.#starts[cell + 1]!; entry++) {
          const wall = this.#entries[entry]!;
          if (this.#tried[wall] === this.#cast) continue;
          this.#tried[wall] = this.#cast;
          this.#try(wall, x, y, radius, dx, dy, out);
        }
      }
    }
  }

  /** Where the way enters the wall grown by the radius: its sides are moved out, its corners are quarters of circles. */
  #try(wall: number, x: number, y: number, radius: number, dx: number, dy: number, out: WallHit): void {
    const at = wall * WALL_SIZE;
    const minX = this.#walls[at]!;
    const minY = this.#walls[at + 1]!;
    const maxX = this.#walls[at + 2]!;
    const maxY = this.#walls[at + 3]!;
    const enterX = dx > 0 ? (minX - radius - x) / dx : dx < 0 ? (maxX + radius - x) / dx : Number.NEGATIVE_INFINITY;
    const enterY = dy > 0 ? (minY - radius - y) / dy : dy < 0 ? (maxY + radius - y) / dy : Number.NEGATIVE_INFINITY;
    const leaveX = dx > 0 ? (maxX + radius - x) / dx : dx < 0 ? (minX - radius - x) / dx : Number.POSITIVE_INFINITY;
    const leaveY = dy > 0 ? (maxY + radius - y) / dy : dy < 0 ? (minY - radius - y) / dy : Number.POSITIVE_INFINITY;
    if (dx === 0 && !(x > minX - radius && x < maxX + radius)) return;
    if (dy === 0 && !(y > minY - radius && y < maxY + radius)) return;
    const enter = Math.max(enterX, enterY, 0);
    if (enter >= Math.min(leaveX, leaveY)) return;
    const atX = x + dx * enter;
    const atY = y + dy * enter;
    const cornerX = atX < minX ? minX : maxX;
    const cornerY = atY < minY ? minY : maxY;
    const isAtCorner = (atX < minX || atX > maxX) && (atY < minY || atY > maxY);
    if (isAtCorner) {
      this.#tryCorner(wall, x - cornerX, y - cornerY, radius, dx, dy, out);
      return;
    }
    if (enter >= out.distance) return;
    const begins = enter === 0 && Math.max(enterX, enterY) < 0;
    set(
      out,
      enter,
      begins ? 0 : enterX > enterY ? -Math.sign(dx) : 0,
      begins ? 0 : enterX > enterY ? 0 : -Math.sign(dy),
      wall,
    );
  }

  /** Where the way, told from the corner, enters the circle around it. */
  #tryCorner(wall: number, x: number, y: number, radius: number, dx: number, dy: number, out: WallHit): void {
    const along = -(x * dx + y * dy);
    const outside = x * x + y * y - radius * radius;
    if (outside < 0) return void (out.distance > 0 && set(out, 0, 0, 0, wall));
    const inside = along * along - outside;
    if (along <= 0 || inside <= 0) return;
    const distance = along - Math.sqrt(inside);
    if (distance >= out.distance) return;
    set(out, distance, (x + dx * distance) / radius, (y + dy * distance) / radius, wall);
  }

  #beginCast(): void {
    this.#cast = (this.#cast + 1) >>> 0;
    if (this.#cast !== 0) return;
    this.#tried.fill(0);
    this.#cast = 1;
  }

  #eachCellOf(wall: number, visit: (cell: number) => void): void {
    const { columns, rows, cellX, cellY } = this.#grid;
    const [minX, minY, maxX, maxY] = this.boundsOf(wall);
    const [fromX, toX] = [cellIn(minX / cellX, columns), lastCell(maxX / cellX, columns)];
    const [fromY, toY] = [cellIn(minY / cellY, rows), lastCell(maxY / cellY, rows)];
    for (let row = fromY; row <= toY; row++)
      for (let column = fromX; column <= toX; column++) visit(row * columns + column);
  }
}

/** How far a cast can go along one axis until it has left the grid; it may begin outside. */
function wayThrough(from: number, direction: number, radius: number, size: number): number {
  if (direction > 0) return (size + radius - from) / direction;
  if (direction < 0) return (-radius - from) / direction;
  return from > -radius && from < size + radius ? Number.POSITIVE_INFINITY : -1;
}

function cellIn(cells: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor(cells)));
}

/** The last cell that something which ends there touches. */
function lastCell(cells: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.ceil(cells) - 1));
}

function set(out: WallHit, distance: number, normalX: number, normalY: number, wall: number): void {
  out.distance = distance;
  out.normalX = normalX;
  out.normalY = normalY;
  out.wall = wall;
}
