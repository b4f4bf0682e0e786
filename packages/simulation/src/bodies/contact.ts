/**
 * Tests exactly whether two bodies overlap, and in which direction and how far the second would have to move to part them. Circles and boxes in 2D,
 * spheres and boxes in 3D; boxes are parallel to the axes. Bodies that only touch do not overlap.
 *
 * It uses only + − × ÷ and `Math.sqrt`, so that every machine gets the same result. In 2D all z are 0 and `axes` is 2.
 */

/** What a body is: a radius, or half of its size along each axis. */
export type BodyShape =
  | { readonly kind: "circle"; readonly radius: number }
  | { readonly kind: "box"; readonly halfX: number; readonly halfY: number; readonly halfZ?: number };

/** Numbers of a body in `Bodies.numbers`: centre, then half sizes. A circle's radius stands in all three. */
export const BODY_SIZE = 6;

/** Bodies in columns. */
export interface Bodies {
  readonly numbers: Float64Array;
  /** 1 where a body is a circle or sphere. */
  readonly round: Uint8Array;
}

/** How two bodies overlap: unit normal from the first to the second, and depth. */
export interface Contact {
  normalX: number;
  normalY: number;
  normalZ: number;
  depth: number;
}

/** Fills `out` and returns true where bodies `first` and `second` overlap. */
export function findContact(bodies: Bodies, first: number, second: number, axes: 2 | 3, out: Contact): boolean {
  const { round } = bodies;
  if (round[first] === 1) {
    if (round[second] === 1) return circles(bodies, first, second, out);
    return circleAndBox(bodies, first, second, axes, out);
  }
  if (round[second] === 0) return boxes(bodies, first, second, axes, out);
  if (!circleAndBox(bodies, second, first, axes, out)) return false;
  return setNormal(out, -out.normalX, -out.normalY, -out.normalZ, out.depth);
}

function circles({ numbers }: Bodies, first: number, second: number, out: Contact): boolean {
  const a = first * BODY_SIZE;
  const b = second * BODY_SIZE;
  const reach = numbers[a + 3]! + numbers[b + 3]!;
  return push(
    out,
    numbers[b]! - numbers[a]!,
    numbers[b + 1]! - numbers[a + 1]!,
    numbers[b + 2]! - numbers[a + 2]!,
    reach,
  );
}

/** Two points that keep closer than `reach`: the normal leads from one to the other, or along x where they are one. */
function push(out: Contact, dx: number, dy: number, dz: number, reach: number): boolean {
  const square = dx * dx + dy * dy + dz * dz;
  if (!(square < reach * reach)) return false;
  const distance = Math.sqrt(square);
  if (distance === 0) return setNormal(out, 1, 0, 0, reach);
  return setNormal(out, dx / distance, dy / distance, dz / distance, reach - distance);
}

/** The axis along which they overlap least is the way out; of equal ones the first. */
function boxes({ numbers }: Bodies, first: number, second: number, axes: number, out: Contact): boolean {
  const a = first * BODY_SIZE;
  const b = second * BODY_SIZE;
  let depth = Number.POSITIVE_INFINITY;
  let shortest = 0;
  let sign = 1;
  for (let axis = 0; axis < axes; axis++) {
    const way = numbers[b + axis]! - numbers[a + axis]!;
    const overlap = numbers[a + 3 + axis]! + numbers[b + 3 + axis]! - Math.abs(way);
    if (!(overlap > 0)) return false;
    if (overlap >= depth) continue;
    depth = overlap;
    shortest = axis;
    sign = way < 0 ? -1 : 1;
  }
  return alongAxis(out, shortest, sign, depth);
}

function circleAndBox(bodies: Bodies, circle: number, box: number, axes: number, out: Contact): boolean {
  const { numbers } = bodies;
  const c = circle * BODY_SIZE;
  const b = box * BODY_SIZE;
  const dx = outside(numbers, c, b, 0);
  const dy = outside(numbers, c, b, 1);
  const dz = axes === 3 ? outside(numbers, c, b, 2) : 0;
  if (dx !== 0 || dy !== 0 || dz !== 0) return push(out, dx, dy, dz, numbers[c + 3]!);
  return fromWithin(numbers, c, b, axes, out);
}

/** The way along one axis from the circle's centre to the box; 0 where the centre lies within it. */
function outside(numbers: Float64Array, circle: number, box: number, axis: number): number {
  const way = numbers[box + axis]! - numbers[circle + axis]!;
  const half = numbers[box + 3 + axis]!;
  if (way > half) return way - half;
  return way < -half ? way + half : 0;
}

/** The centre lies in the box: out by the nearest side. */
function fromWithin(numbers: Float64Array, circle: number, box: number, axes: number, out: Contact): boolean {
  let depth = Number.POSITIVE_INFINITY;
  let shortest = 0;
  let sign = 1;
  for (let axis = 0; axis < axes; axis++) {
    const way = numbers[box + axis]! - numbers[circle + axis]!;
    const left = numbers[box + 3 + axis]! - Math.abs(way) + numbers[circle + 3]!;
    if (left >= depth) continue;
    depth = left;
    shortest = axis;
    sign = way < 0 ? -1 : 1;
  }
  return depth > 0 && alongAxis(out, shortest, sign, depth);
}

function alongAxis(out: Contact, axis: number, sign: number, depth: number): boolean {
  return setNormal(out, axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0, depth);
}

function setNormal(out: Contact, x: number, y: number, z: number, depth: number): boolean {
  out.normalX = x;
  out.normalY = y;
  out.normalZ = z;
  out.depth = depth;
  return true;
}
