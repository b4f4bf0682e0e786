/** The page: title, joining, and the frame loop around `Play`. */

import { type LinkStatus, statusWords } from "@nearfield/kit";
import { fillWays, find, onPresses, Sheets, StageSize, tellPeople } from "@nearfield/kit/browser";
import type { Action, StageHandlers } from "./input/intent.ts";
import { Keys } from "./input/keys.ts";
import { Mouse } from "./input/mouse.ts";
import { Steering } from "./input/steering.ts";
import { Touch } from "./input/touch.ts";
import { Play } from "./play.ts";
import { Scene } from "./scene.ts";
import { Sound } from "./sound.ts";
import { Title } from "./title.ts";

const root = document.querySelector<HTMLElement>("#app")!;
const canvas = find<HTMLCanvasElement>("#stage", root);
const sound = new Sound(localStorage);
let play: Play | undefined;
let name = "";
let role: "player" | "spectator" = "player";

fillWays(root);
void tellPeople(find("#people", root), "skirmish");
const scene = await Scene.create(canvas);
scene.onShot = (name, x, y) => {
  if (play) sound.play(name, x, y);
};
const size = new StageSize(canvas, (...size) => scene.resize(...size));
const title = new Title(scene, size);
const sheets = new Sheets(
  root,
  localStorage,
  { game: "skirmish", words: (status: LinkStatus) => statusWords(status, "battle") },
  {
    play: (chosen) => start(chosen, "player"),
    watch: (chosen) => start(chosen, "spectator"),
    retry: () => start(name, role),
    toTitle: () => toTitle(),
  },
);
sheets.show("title");
find<HTMLFieldSetElement>("#join fieldset", root).disabled = false;
/** Keys are for the game while the stage is free, and for the help sheet. */
const isPlaying = (): boolean => play !== undefined && ["", "help", "outcome", "lobby"].includes(sheets.showing);
const steering = new Steering(localStorage, isPlaying);

// The hand of the play that is on, if one is.
const stage: StageHandlers = {
  point: (x, y) => play?.hand.point(x, y),
  leave: () => play?.hand.leave(),
  click: (...press) => play?.hand.click(...press),
  order: (...press) => play?.hand.order(...press),
  tap: (...press) => play?.hand.tap(...press),
  drawBox: (box) => play?.hand.drawBox(box),
  takeBox: (box, adds) => play?.hand.takeBox(box, adds),
  drag: (dx, dy) => play?.hand.drag(dx, dy),
  zoom: (x, y, factor) => play?.hand.zoom(x, y, factor),
  turn: (radians) => play?.hand.turn(radians),
  wake: () => sound.wake(),
};
new Mouse(stage, canvas);
new Touch(stage, root, canvas);
new Keys({
  act,
  card: (key, many) => sheets.showing === "" && (play?.card(key, many) ?? false),
  group: (digit, how) => play?.group(digit, how),
  wake: () => sound.wake(),
  isPlaying,
});

onPresses(root, () => sound.wake(), {
  mute: () => act("mute", false),
  net: () => act("net", false),
  "help-open": () => act("help", false),
  leave: () => toTitle(),
  idle: () => act("idle", false),
  army: () => act("army", false),
  alarm: () => act("alarm", false),
  drop: () => play?.clearSelection(),
  edges: () => act("edges", false),
  "look-on": () => play?.lookOn(),
  "outcome-leave": () => toTitle(),
  "lobby-leave": () => toTitle(),
  fight: () => start(name, "player"),
});

function act(action: Action, queued: boolean): void {
  if (action === "mute") sound.toggleMute();
  else if (action === "edges") steering.toggleEdges();
  else if (action === "help" || (action === "escape" && sheets.showing === "help")) sheets.toggleHelp();
  else if (action === "escape" && sheets.showing === "outcome") play?.lookOn();
  else if (sheets.showing === "") play?.act(action, queued);
}

function start(chosen: string, as: "player" | "spectator"): void {
  sound.wake();
  play?.close();
  name = chosen;
  role = as;
  root.dataset["role"] = role;
  const url = new URL("ws", location.href.replace(/^http/, "ws")).href;
  play = new Play({ url, name, role, root, sheets, scene, size, sound, steering });
}

function toTitle(): void {
  play?.close();
  play = undefined;
  sheets.show("title");
  title.enter();
}

function frame(nowMs: number): void {
  requestAnimationFrame(frame);
  if (play) play.frame(nowMs);
  else title.draw(nowMs);
}

window.__skirmish = { report: () => play?.report() };
requestAnimationFrame(frame);
