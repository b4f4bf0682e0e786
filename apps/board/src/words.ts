/** The words on a note: what is left of what somebody typed, and how much fits. */

import { NOTE_BYTES } from "./shared.ts";

/** Line ends and tabs become one kind each; other control characters, and those that turn the direction of text, are taken out. */
export function cleanWords(typed: string): string {
  return typed
    .replace(/\r\n?/g, "\n")
    .replace(/\t/g, "  ")
    .replace(/[^\P{C}\n\u200d]/gu, "");
}

/** Bytes of UTF-8. */
export function bytesOf(words: string): number {
  let bytes = 0;
  for (const character of words) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** As much of the words, from the beginning, as fits on a note. */
export function fitting(words: string): string {
  let bytes = 0;
  let end = 0;
  for (const character of words) {
    bytes += bytesOf(character);
    if (bytes > NOTE_BYTES) return words.slice(0, end);
    end += character.length;
  }
  return words;
}
