/**
 * The parts of a double: x = m × 2^e with m in [1, 2). Multiplying by a power of two is exact as long as the result has no fewer bits than the
 * number, so the functions of this folder take a number apart here, work near 1, and put the result together here.
 */

/** A `DataView`, since the halves of a double in a `Uint32Array` stand in the order of the machine. */
const scratch: DataView = new DataView(new ArrayBuffer(8));
const EXPONENT_BIAS = 1023;
/** Lifts the smallest doubles, which have no exponent of their own, to where all bits are there. */
const LIFT = 54;

/** The e of x, which is finite and not 0. */
export function exponentOf(x: number): number {
  scratch.setFloat64(0, x);
  const biased = (scratch.getUint32(0) >>> 20) & 0x7ff;
  return biased === 0 ? exponentOf(x * powerOfTwo(LIFT)) - LIFT : biased - EXPONENT_BIAS;
}

/** x × 2^exponent, rounded once. The exponent is a whole number from −2000 to 2000. */
export function scaled(x: number, exponent: number): number {
  // In two steps: 2^1074, which the smallest double needs, is no double.
  const half = exponent >> 1;
  return x * powerOfTwo(half) * powerOfTwo(exponent - half);
}

/** For whole numbers from −1022 to 1023. */
function powerOfTwo(exponent: number): number {
  scratch.setUint32(0, (exponent + EXPONENT_BIAS) << 20);
  scratch.setUint32(4, 0);
  return scratch.getFloat64(0);
}
