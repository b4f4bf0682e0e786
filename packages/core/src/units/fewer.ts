/**
 * Joins circles until at most a given number is left: always the two whose borders are nearest, ties by their number. Of very many circles
 * those in the same square of a coarse net are joined first, so that the cost stays near that of `MOST_COMPARED` circles.
 */

const MOST_COMPARED = 128;
/** Squares of the coarse net along a side, at first. */
const SQUARES = 64;

interface Circle {
  x: number;
  y: number;
  radius: number;
  nearest: number;
  gap: number;
}

/** Returns, for each circle, the number of the first circle that it is joined with. */
export function joinNearest(
  x: readonly number[],
  y: readonly number[],
  radius: readonly number[],
  most: number,
): number[] {
  const first = x.map((_, index) => index);
  if (x.length <= most) return first;
  joinBySquares(x, y, first);
  const circles = new Map<number, Circle>();
  first.forEach((leader, index) => {
    const circle = { x: x[index]!, y: y[index]!, radius: radius[index]!, nearest: -1, gap: Number.POSITIVE_INFINITY };
    const known = circles.get(leader);
    if (known === undefined) circles.set(leader, circle);
    else enclose(known, circle);
  });
  for (const index of circles.keys()) findNearest(index, circles);
  while (circles.size > most) joinOnce(circles, first);
  return first.map((leader) => leaderOf(leader, first));
}

function joinBySquares(x: readonly number[], y: readonly number[], first: number[]): void {
  const left = x.reduce((least, place) => Math.min(least, place));
  const low = y.reduce((least, place) => Math.min(least, place));
  const right = x.reduce((most, place) => Math.max(most, place));
  const high = y.reduce((most, place) => Math.max(most, place));
  let size = Math.max(right - left, high - low, 1) / SQUARES;
  for (let count = x.length; count > MOST_COMPARED; size *= 2) {
    const leaders = new Map<number, number>();
    for (let i = 0; i < x.length; i++) {
      const square = Math.floor((x[i]! - left) / size) * 2 * SQUARES + Math.floor((y[i]! - low) / size);
      if (!leaders.has(square)) leaders.set(square, i);
      first[i] = leaders.get(square)!;
    }
    count = leaders.size;
  }
}

function joinOnce(circles: Map<number, Circle>, first: number[]): void {
  let best = -1;
  let gap = Number.POSITIVE_INFINITY;
  for (const [index, circle] of circles) {
    if (circle.gap < gap || best < 0) {
      best = index;
      gap = circle.gap;
    }
  }
  const kept = Math.min(best, circles.get(best)!.nearest);
  const gone = Math.max(best, circles.get(best)!.nearest);
  enclose(circles.get(kept)!, circles.get(gone)!);
  circles.delete(gone);
  first[gone] = kept;
  for (const [index, circle] of circles) {
    if (index === kept || circle.nearest === kept || circle.nearest === gone) findNearest(index, circles);
    else compare(circle, kept, circles.get(kept)!);
  }
}

function findNearest(index: number, circles: ReadonlyMap<number, Circle>): void {
  const circle = circles.get(index)!;
  circle.nearest = -1;
  circle.gap = Number.POSITIVE_INFINITY;
  for (const [other, candidate] of circles) if (other !== index) compare(circle, other, candidate);
}

function compare(circle: Circle, index: number, other: Circle): void {
  const dx = circle.x - other.x;
  const dy = circle.y - other.y;
  const gap = Math.sqrt(dx * dx + dy * dy) - circle.radius - other.radius;
  if (gap > circle.gap || (gap === circle.gap && index > circle.nearest && circle.nearest >= 0)) return;
  circle.gap = gap;
  circle.nearest = index;
}

/** Makes a circle the smallest one around itself and another. */
function enclose(circle: Circle, other: Circle): void {
  const dx = other.x - circle.x;
  const dy = other.y - circle.y;
  const apart = Math.sqrt(dx * dx + dy * dy);
  if (apart + other.radius <= circle.radius) return;
  if (apart + circle.radius <= other.radius) {
    circle.x = other.x;
    circle.y = other.y;
    circle.radius = other.radius;
    return;
  }
  const radius = (apart + circle.radius + other.radius) / 2;
  const share = (radius - circle.radius) / apart;
  circle.x += dx * share;
  circle.y += dy * share;
  circle.radius = radius;
}

function leaderOf(index: number, first: readonly number[]): number {
  let at = index;
  while (first[at] !== at) at = first[at]!;
  return at;
}
