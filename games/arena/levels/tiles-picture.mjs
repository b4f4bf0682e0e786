// @ts-check
/** The picture of a level's tiles, for the editor: six plain squares as a PNG. The game draws its own. */

import { deflateSync } from "node:zlib";

/** Floor, wall, crate, pillar, street, plaza. */
const COLOURS = [0x2b313c, 0x8b95a5, 0xa5784a, 0xc2c9d4, 0x23282f, 0x39455a];
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** @param {number} size of a tile, pixels */
export function tilesPicture(size) {
  const width = size * COLOURS.length;
  const line = [
    0,
    ...COLOURS.flatMap((colour) =>
      Array.from({ length: size }, () => [colour >> 16, (colour >> 8) & 255, colour & 255]).flat(),
    ),
  ];
  const pixels = Buffer.from(Array.from({ length: size }, () => line).flat());
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** @param {string} name @param {Buffer} data */
function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

/** The checksum of PNG. @param {Buffer} bytes */
function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
