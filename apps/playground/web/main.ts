/**
 * The landing page's script: keeps the cards in step with `/status.json` and runs the illustration.
 *
 * A hidden tab asks nothing. If the server does not answer, the page says so and asks again.
 */
import { drawZones } from "./zones.ts";

/** As the playground's server writes it. */
interface Status {
  readonly upSeconds: number;
  readonly games: Readonly<Record<string, { readonly people: number; readonly bots: number }>>;
}

const askEveryMs = 1000;

function element<T extends Element>(selector: string, within: ParentNode = document): T {
  const found = within.querySelector<T>(selector);
  if (found === null) throw new Error(`The page has no ${selector}`);
  return found;
}

function count(amount: number, one: string, many: string): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

function show(target: HTMLElement, live: boolean, text: string): void {
  target.dataset["live"] = live ? "yes" : "no";
  target.textContent = text;
}

function present(status: Status | undefined): void {
  for (const card of document.querySelectorAll<HTMLElement>("[data-game]")) {
    const game = status?.games[card.dataset["game"] ?? ""];
    const bots = game && game.bots > 0 ? `, ${count(game.bots, "bot", "bots")}` : "";
    const playing = game && `Running · ${count(game.people, "person", "people")}${bots}`;
    show(element("[data-state]", card), game !== undefined, playing ?? "Not running on this server");
    element<HTMLElement>("[data-play]", card).hidden = game === undefined;
  }
  const server = element<HTMLElement>("#server");
  if (status === undefined) {
    show(server, false, "The server does not answer");
    return;
  }
  const running = Object.values(status.games);
  const people = running.reduce((sum, game) => sum + game.people, 0);
  const words = [
    `Up for ${duration(status.upSeconds)}`,
    `${count(running.length, "game", "games")} running`,
    `${count(people, "person", "people")} playing`,
  ];
  show(server, true, words.join(" · "));
}

async function ask(): Promise<void> {
  try {
    const response = await fetch("/status.json");
    present(response.ok ? ((await response.json()) as Status) : undefined);
  } catch {
    present(undefined);
  }
}

async function keepAsking(): Promise<void> {
  if (!document.hidden) await ask();
  setTimeout(() => void keepAsking(), askEveryMs);
}

drawZones(element<HTMLCanvasElement>("#zones"));
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void ask();
});
void keepAsking();
