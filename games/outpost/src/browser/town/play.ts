/** One frame of the town: the player walks, others are drawn where they are shown, and what is near can be used. */

import { playerColour } from "@nearfield/kit";
import { PLACE_SPOTS, PLACES, type Place, placeAt, TOWN_HEIGHT, TOWN_WIDTH } from "../../town/plan.ts";
import { FULL_STICK } from "../../town/walking.ts";
import { Particles } from "../art/particles.ts";
import type { Label } from "../hud/labels.ts";
import type { Intent } from "../input/intent.ts";
import type { AvatarReplica } from "../network.ts";
import type { PlayParts } from "../play-parts.ts";
import { TownScene, type Townsman } from "./scene.ts";

const PROMPTS: Readonly<Record<Place, string>> = {
  gate: "E — go down",
  board: "E — party board",
  market: "E — trade",
  stash: "E — your stash",
  merchant: "E — buy and sell",
};
/** World units over a head at which its name stands. */
const NAME_ABOVE = 16;

export class TownPlay {
  readonly #parts: PlayParts;
  readonly #scene: TownScene;
  #people: Townsman[] = [];
  #heading = 0;
  /** What is within reach. */
  place: Place | undefined;

  constructor(parts: PlayParts) {
    this.#parts = parts;
    this.#scene = new TownScene(parts.pictures, new Particles());
  }

  enter(): void {
    this.#scene.enter(this.#parts.stage);
    this.#parts.camera.cut();
  }

  frame(intent: Intent, elapsedMs: number, nowMs: number): void {
    const { network, stage, camera } = this.#parts;
    const own = network.own;
    if (own) this.#walk(own, intent);
    const place = network.predicted ?? own?.shown;
    this.place = place && placeAt(place.x, place.y);
    if (place) camera.follow(place.x, place.y, 0, 0, stage, elapsedMs);
    camera.keepWithin(TOWN_WIDTH, TOWN_HEIGHT, stage);
    this.#read(own);
    stage.begin(camera.view());
    this.#scene.draw(stage, this.#people, nowMs);
    stage.end();
    this.#label(nowMs);
    this.#parts.hud.minimap.drawTown(
      this.#people.map(({ x, y, colour, isOwn }) => ({
        x,
        y,
        colour: `#${colour.toString(16).padStart(6, "0")}`,
        size: isOwn ? 5 : 3.4,
      })),
    );
    this.#parts.hud.prompt(this.place === undefined ? "" : PROMPTS[this.place]);
  }

  #walk(own: AvatarReplica, { moveX, moveY }: Intent): void {
    if (moveX !== 0 || moveY !== 0) this.#heading = Math.atan2(moveY, moveX);
    this.#parts.network.walk(own, {
      moveX: Math.round(moveX * FULL_STICK),
      moveY: Math.round(moveY * FULL_STICK),
      heading: this.#heading,
    });
  }

  #read(own: AvatarReplica | undefined): void {
    const { network } = this.#parts;
    this.#people = [];
    for (const avatar of network.avatars()) {
      const isOwn = avatar.id === own?.id;
      const { x, y, vx, vy, heading } = (isOwn ? network.predicted : undefined) ?? avatar.shown;
      this.#people.push({
        id: avatar.id,
        x,
        y,
        vx,
        vy,
        heading,
        colour: tintOf(avatar.colour),
        isOwn,
        hasLantern: avatar.lantern,
      });
    }
  }

  #label(nowMs: number): void {
    const { network, stage, hud } = this.#parts;
    const labels: Label[] = PLACES.map((place) => ({
      id: place,
      name: PLACE_SPOTS[place].name,
      kind: "place",
      x: stage.screenX(PLACE_SPOTS[place].x),
      y: stage.screenY(PLACE_SPOTS[place].y - (place === "gate" ? 74 : 44)),
    }));
    const drawn = new Map(this.#people.map((person) => [person.id, person]));
    for (const { id, name, account, colour } of network.avatars()) {
      const person = drawn.get(id);
      if (person === undefined) continue;
      labels.push({
        id: String(id),
        name,
        words: hud.chat.wordsOf(account, nowMs),
        colour: playerColour(colour),
        x: stage.screenX(person.x),
        y: stage.screenY(person.y - NAME_ABOVE),
      });
    }
    hud.labels.show(labels);
  }
}

export function tintOf(colour: number): number {
  return Number.parseInt(playerColour(colour).slice(1), 16);
}
