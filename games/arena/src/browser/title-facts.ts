/** What the title tells of the server: its levels, and how many are playing. */

import { escapeText, find, tellPeople } from "@nearfield/kit/browser";
import type { LevelInfo } from "../levels.ts";

export function showPeople(root: HTMLElement, levels: Readonly<Record<string, LevelInfo>>): void {
  const names = Object.values(levels).map(
    ({ title, width, height }) => `<b>${escapeText(title)}</b> ${width} × ${height}`,
  );
  find("#levels", root).innerHTML = `Matches take turns on ${names.join(", ")}.`;
  void tellPeople(find("#people", root), "arena");
}
