/** Breaks words into lines: on paper as large as they fit, in plain text at the size that was chosen. In units, so that a zoom changes nothing. */

import { FONT, NOTE_SIDES, TEXT_SIZES, TEXT_WRAP } from "../palette.ts";

export interface Lines {
  readonly lines: readonly string[];
  readonly fontSize: number;
  readonly lineHeight: number;
  readonly width: number;
  readonly height: number;
}

/** Between the edge of the paper and the words, as a share of its side. */
export const PADDING = 0.09;
export const LINE = 1.3;
/** Letters on paper: as shares of its side, from the largest to the smallest. */
const LETTERS = [0.125, 0.11, 0.095, 0.08, 0.068, 0.058, 0.05];
/** Plain text that is empty can still be seen and touched. */
const LEAST_WIDTH = 40;

const context = document.createElement("canvas").getContext("2d")!;

export function fontOf(size: number, weight = 500): string {
  return `${weight} ${size}px ${FONT}`;
}

export function layOut(words: string, size: number): Lines {
  const side = NOTE_SIDES[size] ?? NOTE_SIDES[1];
  const room = side * (1 - 2 * PADDING);
  for (const letters of LETTERS) {
    const laid = breakAt(words, letters * side, room);
    if (laid.height <= room && laid.width <= room) return laid;
  }
  const laid = breakAt(words, LETTERS.at(-1)! * side, room);
  const fit = Math.floor(room / laid.lineHeight);
  const lines = laid.lines.slice(0, fit);
  if (fit < laid.lines.length) lines[fit - 1] = `${lines[fit - 1]!.slice(0, -1)}…`;
  return { ...laid, lines };
}

export function layOutPlain(words: string, size: number): Lines {
  const letters = TEXT_SIZES[size] ?? TEXT_SIZES[1];
  const laid = breakAt(words, letters, letters * TEXT_WRAP);
  return { ...laid, width: Math.max(LEAST_WIDTH, laid.width) };
}

function breakAt(words: string, fontSize: number, room: number): Lines {
  context.font = fontOf(fontSize);
  const widthOf = (text: string): number => context.measureText(text).width;
  const lines: string[] = [];
  let width = 0;
  for (const paragraph of words.split("\n")) {
    let line = "";
    for (const word of paragraph.split(/(?<= )/)) {
      const longer = line + word;
      if (line === "" || widthOf(longer.trimEnd()) <= room) line = longer;
      else {
        lines.push(line.trimEnd());
        line = word;
      }
      // A word that is wider than the paper is cut wherever it must be.
      while (widthOf(line.trimEnd()) > room && line.length > 1) {
        let fit = line.length - 1;
        while (fit > 1 && widthOf(line.slice(0, fit)) > room) fit--;
        lines.push(line.slice(0, fit));
        line = line.slice(fit);
      }
    }
    lines.push(line.trimEnd());
  }
  for (const line of lines) width = Math.max(width, widthOf(line));
  const lineHeight = fontSize * LINE;
  return { lines, fontSize, lineHeight, width, height: lines.length * lineHeight };
}
