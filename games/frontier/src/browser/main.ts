/** The page: title, joining, and the frame loop. */

import { statusWords } from "@nearfield/kit";
import { find, make, setText } from "@nearfield/kit/browser";
import { HERO_HEALTH } from "../rules.ts";
import { COUNTRY } from "../shared.ts";
import { Gateways } from "./gateways.ts";
import { Input } from "./input.ts";
import { type HeroReplica, Network } from "./network.ts";
import type { PlayReport, SeenReport } from "./report.ts";
import { Scene } from "./scene.ts";
import { Speech } from "./speech.ts";

const root = find("#app");
const canvas = find<HTMLCanvasElement>("#stage");
const map = find<HTMLCanvasElement>("#map").getContext("2d")!;
const words = find<HTMLInputElement>("#words");
const scene = new Scene(canvas);
const input = new Input(root, canvas, (what) => {
  if (what === "chat") words.focus();
  else network?.raise(cairns++);
});
let cairns = 0;
const gateways = new Gateways();
let speech = new Speech();
let network: Network | undefined;

find("#join").addEventListener("submit", (event) => {
  event.preventDefault();
  setOut();
});
find("#again").addEventListener("click", () => setOut());
find("#chat").addEventListener("submit", (event) => {
  event.preventDefault();
  const said = words.value.trim();
  if (said !== "") network?.say(said);
  words.value = "";
  words.blur();
});
words.addEventListener("focus", () => input.rest());
words.addEventListener("keydown", (event) => {
  if (event.key === "Escape") words.blur();
});

function setOut(): void {
  network?.close();
  speech = new Speech();
  const nickname = find<HTMLInputElement>("#nickname").value.trim() || "wanderer";
  network = new Network(gateways.own, nickname, () => gateways.next());
  find<HTMLElement>("#title").hidden = true;
}

function frame(nowMs: number): void {
  requestAnimationFrame(frame);
  if (network !== undefined) {
    const { own } = network;
    if (own !== undefined && document.activeElement !== words) network.go(input.read());
    speech.listen(network.heroes, nowMs);
    show(network, own);
  }
  scene.draw(network, speech, nowMs);
}

function show({ status, client }: Network, own: HeroReplica | undefined): void {
  const isPlaying = own !== undefined;
  for (const id of ["#hud", "#heard", "#chat", "#map"]) find<HTMLElement>(id).hidden = !isPlaying;
  find<HTMLElement>("#status").hidden = status.kind === "playing" || (isPlaying && status.kind !== "ended");
  const { title, text } = statusWords(status, "country");
  setText(find("#status-title"), title);
  setText(find("#status-text"), text);
  find<HTMLElement>("#again").hidden = status.kind !== "ended";
  setText(find("#link"), status.kind === "playing" ? `${Math.max(0, Math.round(client?.roundTripMs ?? 0))} ms` : title);
  find("#link").dataset["state"] = status.kind === "playing" ? "good" : "bad";
  if (own === undefined) return;
  setText(find("#health"), own.down > 0 ? `up again in ${Math.ceil(own.down / 20)} s` : `${own.health}`);
  find("#health-bar").style.transform = `scaleX(${own.health / HERO_HEALTH})`;
  setText(find("#gold"), `${own.gold}`);
  setText(find("#where"), `${Math.round(own.x)} east, ${Math.round(own.y)} south`);
  showHeard();
  drawMap(own);
}

function showHeard(): void {
  const list = find("#heard");
  const key = JSON.stringify(speech.lines);
  if (list.dataset["lines"] === key) return;
  list.dataset["lines"] = key;
  list.replaceChildren(...speech.lines.map((line) => make("li", {}, make("b", {}, `${line.name}: `), line.words)));
}

function drawMap(own: HeroReplica): void {
  const { width, height } = map.canvas;
  const at = (value: number): number => (value / COUNTRY) * width;
  map.clearRect(0, 0, width, height);
  map.fillStyle = "#7f9a4e";
  for (const hero of network?.heroes ?? []) map.fillRect(at(hero.x) - 1, at(hero.y) - 1, 3, 3);
  map.fillStyle = "#f2c14e";
  map.beginPath();
  map.arc(at(own.x), at(own.y), 4, 0, 2 * Math.PI);
  map.fill();
}

function report(): PlayReport {
  const seen = (thing: { id: number; shown: { x: number; y: number } }): SeenReport => {
    return { id: thing.id, x: thing.shown.x, y: thing.shown.y };
  };
  const own = network?.own;
  return {
    status: network?.status.kind ?? "title",
    own: own && { ...seen(own), health: own.health, gold: own.gold, down: own.down, said: own.said },
    heroes: [...(network?.heroes ?? [])].map((hero) => ({ ...seen(hero), name: hero.name })),
    beasts: [...(network?.beasts ?? [])].map(seen),
    bolts: [...(network?.bolts ?? [])].length,
    heard: [...speech.lines],
  };
}

window.__frontier = { report };
requestAnimationFrame(frame);
