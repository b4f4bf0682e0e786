/**
 * What flies about for a moment: sparks, points that rise, rings. Places are world tiles, so that effects stay in their room. At most `MOST` live at
 * once; beyond that the oldest go first.
 */

import type { Spot } from "../state.ts";
import type { Camera } from "./camera.ts";

const MOST = 240;

interface Effect {
  readonly kind: "spark" | "text" | "ring";
  readonly text: string;
  readonly colour: string;
  readonly bornMs: number;
  readonly lifeMs: number;
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
  readonly size: number;
}

export class Effects {
  #live: Effect[] = [];

  /** Sparks in all directions, evenly spread. */
  burst(spot: Spot, colour: string, count: number, nowMs: number, reach = 1.4): void {
    for (let at = 0; at < count; at++) {
      const angle = (at / count) * 2 * Math.PI + (at % 3) * 0.4;
      const speed = reach * (0.55 + 0.45 * ((at * 7) % 5)) * 0.5;
      this.#add({
        kind: "spark",
        text: "",
        colour,
        bornMs: nowMs,
        lifeMs: 450 + ((at * 53) % 200),
        x: spot.x,
        y: spot.y,
        dx: Math.cos(angle) * speed,
        dy: Math.sin(angle) * speed,
        size: 0.09,
      });
    }
  }

  rise(spot: Spot, text: string, colour: string, nowMs: number, size = 0.62): void {
    this.#add({ kind: "text", text, colour, bornMs: nowMs, lifeMs: 1100, x: spot.x, y: spot.y, dx: 0, dy: -1.1, size });
  }

  ring(spot: Spot, colour: string, nowMs: number, size = 3): void {
    this.#add({ kind: "ring", text: "", colour, bornMs: nowMs, lifeMs: 520, x: spot.x, y: spot.y, dx: 0, dy: 0, size });
  }

  draw(context: CanvasRenderingContext2D, camera: Camera, nowMs: number): void {
    this.#live = this.#live.filter((effect) => nowMs - effect.bornMs < effect.lifeMs);
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const effect of this.#live) drawEffect(context, camera, effect, (nowMs - effect.bornMs) / effect.lifeMs);
    context.globalAlpha = 1;
  }

  #add(effect: Effect): void {
    this.#live.push(effect);
    if (this.#live.length > MOST) this.#live.splice(0, this.#live.length - MOST);
  }
}

function drawEffect(context: CanvasRenderingContext2D, camera: Camera, effect: Effect, progress: number): void {
  const eased = 1 - (1 - progress) * (1 - progress);
  const x = camera.screenX(effect.x + effect.dx * eased);
  const y = camera.screenY(effect.y + effect.dy * eased);
  context.globalAlpha = 1 - progress;
  if (effect.kind === "text") {
    context.font = `800 ${Math.max(11, camera.tile * effect.size)}px ui-rounded, system-ui, sans-serif`;
    context.lineWidth = 4;
    context.strokeStyle = "rgb(0 0 0 / 0.7)";
    context.strokeText(effect.text, x, y);
    context.fillStyle = effect.colour;
    context.fillText(effect.text, x, y);
    return;
  }
  context.beginPath();
  if (effect.kind === "ring") {
    context.strokeStyle = effect.colour;
    context.lineWidth = camera.tile * 0.14 * (1 - progress);
    context.arc(x, y, camera.tile * effect.size * eased, 0, 2 * Math.PI);
    context.stroke();
    return;
  }
  context.fillStyle = effect.colour;
  context.arc(x, y, camera.tile * effect.size * (1 - progress * 0.7), 0, 2 * Math.PI);
  context.fill();
}
