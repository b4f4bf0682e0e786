/**
 * Ink: the points of one piece of a stroke, as bytes. Points are kept to half a unit, relative to the piece's place; each is written as the way from
 * the point before it, in one or two bytes for each direction. A pen that moves calmly costs two bytes a point.
 *
 * A piece has at most `MOST_POINTS` points, none farther than `REACH` from its place along x or y. So a piece is small, and its place tells where it
 * is to within `REACH`. `unpackInk` reads what strangers sent: bytes that break these rules are no ink.
 */

export const MOST_POINTS = 64;
export const REACH = 256;
/** Parts of a unit to which points are kept. */
const PARTS = 2;

/** x and y of each point in turn, relative to the piece's place, in units. */
export function packInk(points: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  const last = [0, 0];
  for (const [index, value] of points.entries()) {
    const now = Math.round(value * PARTS);
    const step = now - last[index & 1]!;
    last[index & 1] = now;
    const coded = step < 0 ? -2 * step - 1 : 2 * step;
    if (coded < 0x80) bytes.push(coded);
    else bytes.push((coded & 0x7f) | 0x80, coded >> 7);
  }
  return Uint8Array.from(bytes);
}

/** The points again, or undefined if these bytes are no ink. */
export function unpackInk(bytes: Uint8Array): number[] | undefined {
  const points: number[] = [];
  const last = [0, 0];
  let at = 0;
  while (at < bytes.length) {
    let coded = bytes[at++]!;
    if (coded >= 0x80) {
      const high = bytes[at++];
      // A second byte of 0 would be another way to write a small step.
      if (high === undefined || high === 0 || high >= 0x80) return undefined;
      coded = (coded & 0x7f) | (high << 7);
    }
    const axis = points.length & 1;
    const now = last[axis]! + ((coded & 1) === 1 ? -(coded + 1) / 2 : coded / 2);
    if (Math.abs(now) > REACH * PARTS) return undefined;
    last[axis] = now;
    points.push(now / PARTS);
  }
  const count = points.length / 2;
  return count >= 1 && count <= MOST_POINTS && Number.isInteger(count) ? points : undefined;
}
