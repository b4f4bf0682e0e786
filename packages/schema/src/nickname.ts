/**
 * Cleans nicknames, and other lines that strangers write. A nickname comes from a stranger and is shown to everybody, so both sides clean it with this function:
 * forms that look alike become one form (Unicode NFKC), characters that are invisible or change the direction of
 * text are removed, and a long name is cut between two characters.
 *
 * Invariant: a cleaned nickname is at most `NICKNAME_BYTES` long in UTF-8, so `text(NICKNAME_BYTES)` holds every one.
 */

import { utf8Length, wellFormed } from "./utf8.ts";

/** The longest nickname, bytes of UTF-8: 32 characters of most scripts, 24 emoji. A suffix of the server's counts. */
export const NICKNAME_BYTES = 96;
/** The longest nickname, characters. */
export const NICKNAME_CHARACTERS = 32;
/** Only this much of a text is read, in UTF-16 units. */
const LONGEST_WANTED = 1024;
/** Marks that may stand on one character; further ones would climb over the lines above and below. */
const MOST_MARKS = 2;

/** Control and private characters, half pairs, and all that Unicode draws as nothing: zero-width and bidi characters among them. */
const INVISIBLE = /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const BLANKS = /[\p{Zs}\p{Zl}\p{Zp}\t\n\r]+/gu;
const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, "gu");

/**
 * The nickname that `wanted` comes to; "" where nothing of it can be seen. With a `suffix`, the name before it is cut so that both fit.
 *
 * ```ts
 * cleanNickname("  ann\u202e\u200b ") // "ann"
 * cleanNickname("ann", "-2") // "ann-2"
 * ```
 */
export function cleanNickname(wanted: string, suffix = ""): string {
  return cleanLine(wanted, NICKNAME_CHARACTERS - [...suffix].length, NICKNAME_BYTES - utf8Length(suffix)) + suffix;
}

/** One line of text, cleaned as a nickname is and cut to so many characters and bytes; "" where nothing of it can be seen. */
export function cleanLine(wanted: string, characters: number, bytes: number): string {
  const seen = wellFormed(wanted)
    .slice(0, LONGEST_WANTED)
    .replace(BLANKS, " ")
    .replace(INVISIBLE, "")
    .normalize("NFKC")
    .replace(BLANKS, " ")
    .replace(TOO_MANY_MARKS, "$1")
    .replace(/^[ \p{M}]+/u, "");
  return cut(seen, characters, bytes).trim();
}

/** As many whole characters as fit. */
function cut(name: string, characters: number, bytes: number): string {
  let kept = "";
  let count = 0;
  let length = 0;
  for (const character of name) {
    count += 1;
    length += utf8Length(character);
    if (count > characters || length > bytes) return kept;
    kept += character;
  }
  return kept;
}
