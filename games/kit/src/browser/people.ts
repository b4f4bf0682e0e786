/** How many are in a game now, as the playground's `/status.json` says. Elsewhere the line stays empty. */

interface Status {
  readonly games?: Readonly<Record<string, { readonly people: number; readonly bots: number }>>;
}

/** @param game the game's name in addresses */
export async function tellPeople(line: HTMLElement, game: string): Promise<void> {
  try {
    const answer = await fetch("/status.json");
    const found = answer.ok ? ((await answer.json()) as Status).games?.[game] : undefined;
    if (found)
      line.textContent = `${found.people} ${found.people === 1 ? "person" : "people"} and ${found.bots} bots are in there now`;
  } catch {
    // No playground around this page: then nobody knows.
  }
}
