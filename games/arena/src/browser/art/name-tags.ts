/** Names above avatars, painted once per name, and bars of health below them. */

import { playerColour } from "@nearfield/kit";
import { finished, newPicture, type Picture } from "./picture.ts";

const FINENESS = 2;
const HEIGHT = 18;
const MOST = 160;

export class NameTags {
  /** By colour and name. */
  readonly #tags = new Map<number, Map<string, Picture>>();
  #count = 0;

  /** The context has CSS pixels; `x`, `y` is the avatar's middle. */
  draw(
    context: CanvasRenderingContext2D,
    name: string,
    colour: number,
    health: number,
    x: number,
    y: number,
    lift: number,
  ): void {
    const tag = this.#tag(name, colour);
    const width = tag.width / FINENESS;
    const height = tag.height / FINENESS;
    context.drawImage(tag, Math.round(x - width / 2), Math.round(y - lift - height), width, height);
    if (health >= 100 || health <= 0) return;
    const bar = 30;
    context.fillStyle = "rgb(0 0 0 / 0.65)";
    context.fillRect(x - bar / 2 - 1, y - lift, bar + 2, 5);
    context.fillStyle = health > 50 ? "#6dff9a" : health > 25 ? "#ffd24a" : "#ff4d5e";
    context.fillRect(x - bar / 2, y - lift + 1, (bar * health) / 100, 3);
  }

  #tag(name: string, colour: number): Picture {
    const ready = this.#tags.get(colour)?.get(name);
    if (ready) return ready;
    if (this.#count >= MOST) {
      this.#tags.clear();
      this.#count = 0;
    }
    const font = `600 ${11 * FINENESS}px ui-sans-serif, system-ui, 'DejaVu Sans', sans-serif`;
    const measure = newPicture(1);
    measure.font = font;
    const context = newPicture(measure.measureText(name).width + 12 * FINENESS, HEIGHT * FINENESS);
    context.font = font;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3 * FINENESS;
    context.strokeStyle = "rgb(3 5 10 / 0.85)";
    const [x, y] = [context.canvas.width / 2, context.canvas.height / 2];
    context.strokeText(name, x, y);
    context.fillStyle = playerColour(colour);
    context.fillText(name, x, y);
    const tag = finished(context);
    const ofColour = this.#tags.get(colour) ?? new Map<string, Picture>();
    this.#tags.set(colour, ofColour.set(name, tag));
    this.#count++;
    return tag;
  }
}
