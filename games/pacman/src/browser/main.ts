/** The page: title screen, joining, and the frame loop around `Play`. */

import { fillWays, find } from "@nearfield/kit/browser";
import { Input } from "./input.ts";
import { NetworkLink } from "./network-link.ts";
import { Play } from "./play.ts";
import { Screens } from "./screens.ts";
import { Sound } from "./sound.ts";
import { Title } from "./title.ts";

const root = find("#app");
const canvas = find<HTMLCanvasElement>("#stage");
const sound = new Sound(localStorage);
const title = new Title(find<HTMLCanvasElement>("#parade"));
let play: Play | undefined;
let name = "";

const screens = new Screens(root, localStorage, {
  play: (chosen) => {
    name = chosen;
    start();
  },
  retry: () => start(),
  again: () => play?.again(),
  leave: () => leave(),
});

const input = new Input(
  {
    turn: (want) => play?.turn(want),
    wake: () => sound.wake(),
    act: (action) => {
      if (action === "mute") sound.toggleMute();
      if (action === "overlay") play?.toggleOverlay();
      if (action === "help") screens.toggleHelp();
      if (action === "confirm" && screens.showing === "over") play?.again();
    },
  },
  canvas,
  find("#pad"),
);
find("#mute").addEventListener("click", () => {
  sound.wake();
  sound.toggleMute();
});
find("#help-open").addEventListener("click", () => screens.toggleHelp());
find("#zones").addEventListener("click", () => play?.toggleOverlay());

document.addEventListener("visibilitychange", () => play?.rest(document.hidden));

function start(): void {
  sound.wake();
  play?.close();
  const link = new NetworkLink(new URL("ws", location.href.replace(/^http/, "ws")).href, name);
  play = new Play({ link, canvas, root, screens, sound });
}

function leave(): void {
  play?.close();
  play = undefined;
  screens.show("title");
}

function frame(nowMs: number): void {
  requestAnimationFrame(frame);
  if (screens.showing === "title") title.draw(nowMs);
  input.pollGamepads();
  play?.frame(nowMs);
}

window.__pacman = { report: () => play?.report() };
fillWays(root);
screens.show("title");
requestAnimationFrame(frame);
