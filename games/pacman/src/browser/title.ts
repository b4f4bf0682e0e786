/** The parade on the title screen: a player with a row of ghosts behind him, and on the way back the other way round. */

import { playerColour } from "@nearfield/kit";
import { GHOST_KINDS } from "../state.ts";
import { DOT_SIZE, dotPicture, drawGhost, drawPac, drawPellet, Glow } from "./sprites.ts";

/** Seconds for one crossing. */
const CROSSING = 6.5;

export class Title {
  readonly #canvas: HTMLCanvasElement;
  readonly #glow = new Glow();
  readonly #dot = dotPicture(16);

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  draw(nowMs: number): void {
    const ratio = Math.min(2, devicePixelRatio);
    const [width, height] = [this.#canvas.clientWidth, this.#canvas.clientHeight];
    if (this.#canvas.width !== Math.round(width * ratio)) {
      this.#canvas.width = Math.round(width * ratio);
      this.#canvas.height = Math.round(height * ratio);
    }
    const context = this.#canvas.getContext("2d")!;
    const tile = height / 1.7;
    const tiles = width / tile;
    const beat = nowMs / 1000;
    const back = Math.floor(beat / CROSSING) % 2 === 1;
    const progress = (beat % CROSSING) / CROSSING;
    const lead = back ? tiles + 7 - progress * (tiles + 15) : progress * (tiles + 15) - 1;
    context.setTransform(ratio * tile, 0, 0, ratio * tile, 0, (height / 2) * ratio);
    context.clearRect(0, -1, tiles, 2);
    if (!back) {
      for (let x = 0.5; x < tiles - 1; x++) {
        if (x > lead) context.drawImage(this.#dot, x - DOT_SIZE / 2, -DOT_SIZE / 2, DOT_SIZE, DOT_SIZE);
      }
      if (lead < tiles - 1) drawPellet(context, tiles - 0.8, 0, beat, this.#glow);
    }
    at(context, lead, () => {
      const mouth = Math.abs(Math.sin(beat * 9));
      drawPac(context, { colour: playerColour(0), heading: back ? 3 : 1, mouth, powered: back, beat }, this.#glow);
    });
    GHOST_KINDS.forEach((kind, place) => {
      at(context, lead - 2.4 - place * 1.3, () => {
        drawGhost(
          context,
          {
            kind,
            mood: back ? "frightened" : "calm",
            heading: back ? 3 : 1,
            beat: beat + place * 0.2,
          },
          this.#glow,
        );
      });
    });
  }
}

function at(context: CanvasRenderingContext2D, x: number, draw: () => void): void {
  context.save();
  context.translate(x, 0);
  draw();
  context.restore();
}
