/** Base64 without a host's help: the layers of maps come in it. */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Bytes that a text of this length and ending stands for. */
export function base64Bytes(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/** The bytes of a text; undefined where it is not base64 with its padding. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const bytes = new Uint8Array(base64Bytes(text));
  const digits = text.endsWith("==") ? text.length - 2 : text.endsWith("=") ? text.length - 1 : text.length;
  let bits = 0;
  let held = 0;
  let next = 0;
  for (let i = 0; i < digits; i++) {
    const digit = ALPHABET.indexOf(text[i]!);
    if (digit < 0) return undefined;
    held = ((held << 6) | digit) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[next++] = (held >>> bits) & 0xff;
  }
  return next === bytes.length ? bytes : undefined;
}
