/** Gamma codes: a whole number from 1 on, in about twice as many bits as it has itself. */

import { IS_DEVELOPMENT } from "#development";
import type { BitReader } from "./bit-reader.ts";
import type { BitWriter } from "./bit-writer.ts";
import { WireError } from "./errors.ts";

/** Gamma codes up to this length are looked at in one piece. */
const GAMMA_LOOK_BITS = 23;

/** A number from 1 on: as many zeros as it has bits below its highest, then a one, then those bits, the lowest first. */
export function writeGamma(writer: BitWriter, value: number): void {
  const below = 31 - Math.clz32(value);
  if (below < 16) {
    writer.writeBits((1 << below) | ((value - (1 << below)) << (below + 1)), 2 * below + 1);
    return;
  }
  writer.writeBits(0, below);
  writer.writeBits(1, 1);
  writer.writeBits(value - 2 ** below, below);
}

/** Reads a number from 1 to 2³² − 1. */
export function readGamma(reader: BitReader): number {
  const ahead = reader.peekBits(GAMMA_LOOK_BITS);
  const zeros = 31 - Math.clz32(ahead & -ahead);
  if (ahead !== 0 && 2 * zeros < GAMMA_LOOK_BITS) {
    reader.skipBits(2 * zeros + 1);
    return (1 << zeros) | ((ahead >> (zeros + 1)) & ((1 << zeros) - 1));
  }
  return readLongGamma(reader);
}

function readLongGamma(reader: BitReader): number {
  let below = 0;
  while (reader.readBits(1) === 0) {
    below += 1;
    if (below > 31) throw new WireError("range", IS_DEVELOPMENT && "a gamma code of more than 32 bits");
  }
  return 2 ** below + reader.readBits(below);
}

/** In bits. */
export function measureGamma(value: number): number {
  return 2 * (31 - Math.clz32(value)) + 1;
}
