/**
 * The order of keys in every store: that of their UTF-8 bytes. JavaScript compares strings by UTF-16 units, which puts
 * characters beyond U+FFFF before U+E000; databases compare bytes.
 */

/** Below 0 when `a` comes first, above 0 when `b` does. */
export function compareKeys(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const one = a.charCodeAt(i);
    const other = b.charCodeAt(i);
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

/** Surrogates stand for characters beyond U+FFFF, so they come last. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** The number of UTF-8 bytes of a text without lone surrogates. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A surrogate pair is two units and four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}
