/**
 * Angles and directions to the same bits on every machine: only + − × ÷, rounding and roots are used, since sine, cosine and arctangent
 * differ between engines in their last bits. Good to 1e-14; angles are in radians.
 */

const TURN: number = 2 * Math.PI;
const QUARTER: number = Math.PI / 2;

/** The same direction in [−π, π). */
export function foldAngle(angle: number): number {
  const folded = angle - TURN * Math.floor((angle + Math.PI) / TURN);
  return folded >= Math.PI ? folded - TURN : folded;
}

/** How far to turn from one direction to the other, the short way round: in [−π, π), positive is counter-clockwise. */
export function angleBetween(from: number, to: number): number {
  return foldAngle(to - from);
}

/** For angles within an eighth of a turn of 0. */
function shortSine(angle: number): number {
  const square = angle * angle;
  let sum = 0;
  for (let n = 8; n >= 1; n--) sum = ((1 - sum) * square) / (2 * n * (2 * n + 1));
  return angle * (1 - sum);
}

function shortCosine(angle: number): number {
  const square = angle * angle;
  let sum = 0;
  for (let n = 8; n >= 1; n--) sum = ((1 - sum) * square) / ((2 * n - 1) * (2 * n));
  return 1 - sum;
}

export function sine(angle: number): number {
  const quarters = Math.round(angle / QUARTER);
  const rest = angle - quarters * QUARTER;
  const phase = quarters - 4 * Math.floor(quarters / 4);
  if (phase === 0) return shortSine(rest);
  if (phase === 1) return shortCosine(rest);
  return phase === 2 ? -shortSine(rest) : -shortCosine(rest);
}

export function cosine(angle: number): number {
  const quarters = Math.round(angle / QUARTER);
  const rest = angle - quarters * QUARTER;
  const phase = quarters - 4 * Math.floor(quarters / 4);
  if (phase === 0) return shortCosine(rest);
  if (phase === 1) return -shortSine(rest);
  return phase === 2 ? -shortCosine(rest) : shortSine(rest);
}

/** The direction of (x, y), counter-clockwise from the x axis, in [−π, π]; 0 for (0, 0). */
export function directionOf(x: number, y: number): number {
  const length = Math.sqrt(x * x + y * y);
  if (length === 0) return 0;
  if (y === 0) return x < 0 ? Math.PI : 0;
  // Half the angle, by its tangent, taken from the side on which nothing cancels.
  const half = x >= 0 ? y / (length + x) : (length - x) / y;
  if (half >= -1 && half <= 1) return 2 * arctangent(half);
  return 2 * ((half < 0 ? -QUARTER : QUARTER) - arctangent(1 / half));
}

/** For ratios from −1 to 1: halved until the series is short. */
function arctangent(ratio: number): number {
  let small = ratio;
  let factor = 1;
  while (small > 0.1 || small < -0.1) {
    small /= 1 + Math.sqrt(1 + small * small);
    factor *= 2;
  }
  const square = small * small;
  let sum = 0;
  for (let n = 8; n >= 0; n--) sum = 1 / (2 * n + 1) - square * sum;
  return factor * small * sum;
}
