/** The page: title, joining, and the frame loop around `Play`. */

import { type LinkStatus, statusWords } from "@nearfield/kit";
import { fillWays, find, onPresses, Sheets, StageSize } from "@nearfield/kit/browser";
import { Input } from "./input/input.ts";
import type { Action } from "./input/intent.ts";
import { LevelShelf } from "./level-shelf.ts";
import { Play } from "./play.ts";
import { Sound } from "./sound.ts";
import { Title } from "./title.ts";
import { showFacts } from "./title-facts.ts";

const root = document.querySelector<HTMLElement>("#app")!;
const canvas = find<HTMLCanvasElement>("#stage", root);
const sound = new Sound(localStorage);
const shelf = new LevelShelf();
const size = new StageSize(canvas, (width, height, ratio) => {
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
});
const title = new Title(canvas, size, shelf);
let play: Play | undefined;
let name = "";
let role: "player" | "spectator" = "player";

const screens = new Sheets(
  root,
  localStorage,
  { game: "arena", words: (status: LinkStatus) => statusWords(status, "arena") },
  {
    play: (chosen) => start(chosen, "player"),
    watch: (chosen) => start(chosen, "spectator"),
    retry: () => start(name, role),
    toTitle: () => toTitle(),
  },
);

const input = new Input(
  { act, wake: () => sound.wake(), isPlaying: () => play !== undefined || screens.showing === "help" },
  root,
  canvas,
);

onPresses(root, () => sound.wake(), {
  mute: () => act("mute"),
  net: () => act("net"),
  "help-open": () => act("help"),
  previous: () => play?.watch(-1),
  next: () => play?.watch(1),
  "death-watch": () => play?.watch(1),
  fight: () => start(name, "player"),
  leave: () => toTitle(),
  top: () => play?.toggleBoard(),
});

function act(action: Action): void {
  if (action === "mute") sound.toggleMute();
  else if (action === "help") screens.toggleHelp();
  else play?.act(action);
}

function start(chosen: string, as: "player" | "spectator"): void {
  sound.wake();
  play?.close();
  name = chosen;
  role = as;
  const url = new URL("ws", location.href.replace(/^http/, "ws")).href;
  play = new Play({ url, name, role, canvas, size, root, screens, sound, input, shelf });
}

function toTitle(): void {
  play?.close();
  play = undefined;
  screens.show("title");
}

function frame(nowMs: number): void {
  requestAnimationFrame(frame);
  if (play) play.frame(nowMs);
  else title.draw(nowMs);
}

window.__arena = { report: () => play?.report() };
showFacts(root);
fillWays(root);
screens.show("title");
requestAnimationFrame(frame);
