/** What the title tells of the server: its levels, and how many are playing. */

import { escapeText, find, tellPeople } from "@nearfield/kit/browser";
import { LEVELS, MATCH_LEVELS } from "../levels.ts";

export function showFacts(root: HTMLElement): void {
  const names = MATCH_LEVELS.map((level) => {
    const { title, width, height } = LEVELS[level];
    return `<b>${escapeText(title)}</b> ${width} × ${height}`;
  });
  find("#levels", root).innerHTML = `Matches take turns on ${names.join(", ")}.`;
  void tellPeople(find("#people", root), "arena");
}
