/** The page: title, joining, and the frame loop around `Play`. */

import { type LinkStatus, statusWords } from "@nearfield/kit";
import { fillWays, find, onPresses, PageAccount, Sheets, StageSize, tellPeople } from "@nearfield/kit/browser";
import { paintPictures } from "./art/pictures.ts";
import { Stage } from "./art/stage.ts";
import { Camera } from "./camera.ts";
import { Entrance } from "./entrance.ts";
import { Input } from "./input/input.ts";
import type { Action } from "./input/intent.ts";
import { Play } from "./play.ts";
import { Sound } from "./sound.ts";
import { Title } from "./title.ts";

const root = document.querySelector<HTMLElement>("#app")!;
const canvas = find<HTMLCanvasElement>("#stage", root);
const camera = new Camera();
const sound = new Sound(localStorage, camera);
const account = new PageAccount("outpost", new URL("accounts", new URL(".", location.href)).href, localStorage);
let play: Play | undefined;
let name = "";

fillWays(root);
void tellPeople(find("#people", root), "outpost");
const pictures = paintPictures();
const stage = await Stage.create(canvas, pictures.light);
const size = new StageSize(canvas, (...size) => stage.resize(...size));
size.fit();
const title = new Title({ stage, pictures, camera, sound });
const sheets = new Sheets(
  root,
  localStorage,
  { game: "outpost", words: (status: LinkStatus) => statusWords(status, "town") },
  {
    play: (chosen) => start(chosen),
    retry: () => start(name),
    toTitle: () => toTitle(),
  },
);
const entrance = new Entrance(root, account, { loggedIn: (accountName) => start(accountName) });
sheets.show("title");
find<HTMLFieldSetElement>("#join fieldset", root).disabled = false;

const input = new Input(
  {
    act,
    wake: () => sound.wake(),
    isPlaying: () => play !== undefined && ["", "help", "outcome"].includes(sheets.showing),
  },
  root,
  canvas,
);

onPresses(root, () => sound.wake(), {
  mute: () => act("mute"),
  net: () => act("net"),
  "help-open": () => act("help"),
  "stash-open": () => act("stash"),
  "board-open": () => act("board"),
  "account-open": () => act("account"),
  leave: () => leave(),
  "outcome-close": () => play?.closeOutcome(),
});

function act(action: Action): void {
  if (action === "mute") sound.toggleMute();
  else if (action === "help" || (action === "escape" && (sheets.showing === "help" || play?.hasWindow === false))) {
    if (sheets.showing === "outcome") play?.closeOutcome();
    else if (play) sheets.toggleHelp();
  } else if (sheets.showing === "outcome") play?.closeOutcome();
  else if (sheets.showing === "") play?.act(action);
}

/** Out of the dungeon, or, from the town, to the title. */
function leave(): void {
  if (!play?.leaveDungeon()) toTitle();
}

function start(chosen: string): void {
  sound.wake();
  play?.end();
  name = chosen;
  play = new Play({ root, sheets, input, stage, pictures, camera, sound, name, account, toLogin });
}

function toTitle(): void {
  play?.end();
  play = undefined;
  sheets.show("title");
  entrance.show();
  title.enter();
}

function toLogin(words = ""): void {
  toTitle();
  entrance.show(words);
}

function frame(nowMs: number): void {
  requestAnimationFrame(frame);
  size.fit();
  if (play) play.frame(nowMs);
  else title.draw(nowMs);
}

window.__outpost = { report: () => play?.report() };
requestAnimationFrame(frame);
