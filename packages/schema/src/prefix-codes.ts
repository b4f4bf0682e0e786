/**
 * Canonical prefix codes, given by the lengths of their symbols' codes, one table after another. Shorter codes come first, then lower symbols;
 * the first bit on the wire is the highest of the code. A length of 0: the table has no such symbol.
 */

export interface PrefixCodes {
  /** By table and symbol. */
  readonly lengths: Uint8Array;
  /** By table and symbol: the code, its first bit lowest. */
  readonly codes: Uint16Array;
  /** By table and the next `lookBits` bits: symbol × 16 + length. So a table has at most 16 symbols, and codes of at most 15 bits. */
  readonly lookup: Uint8Array;
}

/** @param lookBits the length of the longest code, and so the bits that a reader looks at together. */
export function prefixCodes(tables: readonly (readonly number[])[], lookBits: number): PrefixCodes {
  const symbols = tables[0]!.length;
  const lengths = Uint8Array.from(tables.flat());
  const codes = new Uint16Array(lengths.length);
  const lookup = new Uint8Array(tables.length << lookBits);
  for (let table = 0; table < tables.length; table++) {
    let code = 0;
    for (let length = 1; length <= lookBits; length++) {
      for (let symbol = 0; symbol < symbols; symbol++) {
        const at = table * symbols + symbol;
        if (lengths[at] !== length) continue;
        const reversed = reverse(code, length);
        codes[at] = reversed;
        for (let rest = 0; rest < 1 << (lookBits - length); rest++) {
          lookup[(table << lookBits) | (rest << length) | reversed] = (symbol << 4) | length;
        }
        code += 1;
      }
      code *= 2;
    }
  }
  return { lengths, codes, lookup };
}

function reverse(code: number, length: number): number {
  let reversed = 0;
  for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
  return reversed;
}
