/** What the title tells of the server: its levels, and how many are playing, as the playground's `/status.json` says. Elsewhere that line stays empty. */

import { escapeText, find } from "@nearfield/kit/browser";
import type { LevelInfo } from "../levels.ts";

interface Status {
  readonly games?: Readonly<Record<string, { readonly people: number; readonly bots: number }>>;
}

export function showPeople(root: HTMLElement, levels: Readonly<Record<string, LevelInfo>>): void {
  const names = Object.values(levels).map(
    ({ title, width, height }) => `<b>${escapeText(title)}</b> ${width} × ${height}`,
  );
  find("#levels", root).innerHTML = `Matches take turns on ${names.join(", ")}.`;
  void ask(find("#people", root));
}

async function ask(line: HTMLElement): Promise<void> {
  try {
    const answer = await fetch("/status.json");
    const game = answer.ok ? ((await answer.json()) as Status).games?.["arena"] : undefined;
    if (game)
      line.textContent = `${game.people} ${game.people === 1 ? "person" : "people"} and ${game.bots} bots are in there now`;
  } catch {
    // No playground around this page: then nobody knows.
  }
}
