/** The figures around the country: health, gold, where one is, how good the connection is, and what is said near by. */

import { statusWords } from "@nearfield/kit";
import { escapeText, find, Writer } from "@nearfield/kit/browser";
import { HERO_HEALTH } from "../rules.ts";
import { COUNTRY, ROUND_MS } from "../shared.ts";
import type { HeroReplica, Network } from "./network.ts";
import type { Line } from "./speech.ts";

/** A round trip longer than this is felt, ms. */
const SLOW_MS = 200;

export class Hud {
  readonly #write: Writer;
  readonly #map: CanvasRenderingContext2D;

  constructor(root: HTMLElement) {
    this.#write = new Writer(root);
    this.#map = find<HTMLCanvasElement>("#map", root).getContext("2d")!;
  }

  show({ status, roundTripMs, heroes }: Network, own: HeroReplica, heard: readonly Line[]): void {
    const write = this.#write;
    const upAgainS = Math.ceil((own.down * ROUND_MS) / 1000);
    write.text("health", own.down > 0 ? `up again in ${upAgainS} s` : `${own.health}`);
    write.variable("health-bar", "--share", `${own.health / HERO_HEALTH}`);
    write.text("gold", `${own.gold}`);
    write.text("where", `${Math.round(own.x)} east, ${Math.round(own.y)} south`);
    const isPlaying = status.kind === "playing";
    const trip = roundTripMs < 0 ? "…" : `${Math.round(roundTripMs)} ms`;
    write.text("ping", isPlaying ? trip : statusWords(status).title);
    write.data("connection", "state", isPlaying ? (roundTripMs > SLOW_MS ? "slow" : "good") : "bad");
    const lines = heard.map((line) => `<li><b>${escapeText(line.name)}:</b> ${escapeText(line.words)}</li>`);
    write.markup("heard", lines.join(""));
    this.#drawMap(own, heroes);
  }

  #drawMap(own: HeroReplica, heroes: Iterable<HeroReplica>): void {
    const map = this.#map;
    const { width, height } = map.canvas;
    const at = (value: number): number => (value / COUNTRY) * width;
    map.clearRect(0, 0, width, height);
    map.fillStyle = "#9fbb6a";
    for (const hero of heroes) map.fillRect(at(hero.x) - 2, at(hero.y) - 2, 5, 5);
    map.fillStyle = "#f2c14e";
    map.beginPath();
    map.arc(at(own.x), at(own.y), 7, 0, 2 * Math.PI);
    map.fill();
  }
}
