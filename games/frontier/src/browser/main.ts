/** The page: title, joining, and the frame loop around the network, the input and the scene. */

import { type LinkStatus, statusWords } from "@nearfield/kit";
import {
  AccountRefusal,
  fillWays,
  find,
  onPresses,
  PageAccount,
  Sheets,
  StageSize,
  tellPeople,
} from "@nearfield/kit/browser";
import { Gateways, socketOf } from "./gateways.ts";
import { Hud } from "./hud.ts";
import { type Action, Input } from "./input.ts";
import { type Goal, type HeroReplica, Network } from "./network.ts";
import type { OwnReport, PlayReport, SeenReport } from "./report.ts";
import { Scene } from "./scene.ts";
import { Speech } from "./speech.ts";
import { Yards } from "./yards.ts";

/** The playground serves this page at `/frontier/`. Elsewhere there is nothing around it: no list of games, no documents. */
const isInPlayground = location.pathname.startsWith("/frontier/");

const root = find("#app");
const canvas = find<HTMLCanvasElement>("#stage");
const words = find<HTMLInputElement>("#words");
const scene = new Scene(canvas);
const size = new StageSize(canvas, (...size) => scene.resize(...size));
const hud = new Hud(root);
const gateways = new Gateways(!isInPlayground);
let speech = new Speech();
const account = new PageAccount("frontier", new URL("accounts", new URL(".", location.href)).href, localStorage);
let network: Network | undefined;
let name = "";
let cairns = 0;
/** Counts where the player went: who is on the way somewhere else by then does not arrive. */
let trips = 0;
let isAtYards = false;

const yards = new Yards(root, {
  enter: ({ id, name }, page) =>
    void go({ url: page === undefined ? gateways.own : socketOf(page), yard: { id, name } }),
  back: () => setOut(name),
});

const sheets = new Sheets(
  root,
  localStorage,
  { game: "frontier", words: (status: LinkStatus) => statusWords(status, "country") },
  { play: (chosen) => setOut(chosen), retry: () => setOut(name), toTitle: () => toTitle() },
);
const isPlaying = (): boolean => network !== undefined && ["", "help", "yards"].includes(sheets.showing);
const input = new Input({ act, wake: () => {}, isPlaying }, root, canvas);

onPresses(root, () => {}, {
  "help-open": () => act("help"),
  "yards-open": () => act("yards"),
  "yards-close": () => act("yards"),
  "touch-cairn": () => act("cairn"),
  leave: () => toTitle(),
});
// Not with the others: they would take the focus back.
find("#touch-chat").addEventListener("click", () => act("chat"));
find("#chat-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const said = words.value.trim();
  if (said !== "") network?.say(said);
  words.value = "";
  words.blur();
});

function act(action: Action): void {
  if (action === "help" && isAtYards) isAtYards = false;
  else if (action === "help") sheets.toggleHelp();
  else if (action === "yards") isAtYards = !isAtYards && sheets.showing === "";
  else if (sheets.showing !== "") return;
  else if (action === "chat") words.focus();
  else network?.raise(cairns++);
}

function setOut(chosen: string): void {
  name = chosen;
  void go({ url: gateways.own, elsewhere: () => gateways.next() });
}

async function go(goal: Goal): Promise<void> {
  trips += 1;
  const trip = trips;
  isAtYards = false;
  yards.leave();
  // Without an account one walks about all the same.
  const token = await account.token().catch((error: unknown) => {
    yards.leave(error instanceof AccountRefusal ? error.message : "The server cannot be asked for one.");
    return "";
  });
  if (trip !== trips) return;
  network?.close();
  speech = new Speech();
  network = new Network(goal, name, token, (social) => yards.hear(social));
}

function toTitle(): void {
  trips += 1;
  yards.leave();
  network?.close();
  network = undefined;
  sheets.show("title");
}

function frame(nowMs: number): void {
  requestAnimationFrame(frame);
  size.fit();
  if (network !== undefined) play(network, nowMs);
  scene.draw(network, speech, nowMs);
}

/** While a lost connection is taken up again, the country stays in sight. */
function play(network: Network, nowMs: number): void {
  const { own, status } = network;
  if (own === undefined || status.kind === "ended") sheets.showStatus(status);
  else sheets.show(isAtYards ? "yards" : "");
  yards.show(isAtYards, network.goal.yard);
  if (own === undefined) return;
  if (sheets.showing === "") network.go(input.read());
  speech.listen(network.heroes, nowMs);
  hud.show(network, own, speech.lines);
}

function report(): PlayReport {
  const seen = (thing: { id: number; shown: { x: number; y: number } }): SeenReport => {
    return { id: thing.id, x: thing.shown.x, y: thing.shown.y };
  };
  const own = network?.own;
  return {
    status: network?.status.kind ?? "title",
    yard: network?.goal.yard?.id,
    server: network === undefined ? "" : new URL(network.goal.url).host,
    round: network?.round ?? -1,
    own: own && ownReport(own, seen(own)),
    heroes: [...(network?.heroes ?? [])].map((hero) => ({ ...seen(hero), name: hero.name })),
    beasts: [...(network?.beasts ?? [])].map(seen),
    bolts: [...(network?.bolts ?? [])].length,
    heard: [...speech.lines],
  };
}

function ownReport({ x, y, health, gold, down, said }: HeroReplica, seen: SeenReport): OwnReport {
  return { ...seen, known: { x, y }, health, gold, down, said };
}

window.__frontier = { report };
if (isInPlayground) {
  fillWays(root);
  for (const nav of root.querySelectorAll<HTMLElement>(".ways")) nav.hidden = false;
  void tellPeople(find("#people"), "frontier");
}
sheets.show("title");
requestAnimationFrame(frame);
