/**
 * A small live map of a running game, from what `/status.json` says about once a second.
 *
 * Marks glide from where they are drawn to where the newest status has them, over the time between two statuses; one that
 * moved further than a room between two statuses jumps.
 */

/** As the playground's server writes it; see `GameMap` there. */
export interface GameMap {
  readonly columns: number;
  readonly rows: number;
  readonly marks: readonly Mark[];
}

interface Mark {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly colour: string;
}

interface Glide {
  readonly fromX: number;
  readonly fromY: number;
  readonly to: Mark;
}

export class LiveMap {
  readonly #canvas: HTMLCanvasElement;
  readonly #glideMs: number;
  #columns = 1;
  #rows = 1;
  #glides = new Map<number, Glide>();
  #shownAtMs = 0;

  /** @param glideMs time between two calls of `show` */
  constructor(canvas: HTMLCanvasElement, glideMs: number) {
    this.#canvas = canvas;
    this.#glideMs = glideMs;
    const loop = (nowMs: number): void => {
      if (!canvas.hidden) this.#draw(nowMs);
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  show(map: GameMap): void {
    const nowMs = performance.now();
    const share = this.#share(nowMs);
    const glides = new Map<number, Glide>();
    for (const mark of map.marks) {
      const [x, y] = position(this.#glides.get(mark.id), share) ?? [mark.x, mark.y];
      const jumped = Math.abs(mark.x - x) > 1 || Math.abs(mark.y - y) > 1;
      glides.set(mark.id, { fromX: jumped ? mark.x : x, fromY: jumped ? mark.y : y, to: mark });
    }
    this.#columns = map.columns;
    this.#rows = map.rows;
    this.#glides = glides;
    this.#shownAtMs = nowMs;
  }

  #share(nowMs: number): number {
    return Math.min(1, Math.max(0, (nowMs - this.#shownAtMs) / this.#glideMs));
  }

  #draw(nowMs: number): void {
    const paint = this.#canvas.getContext("2d");
    if (paint === null) return;
    const width = Math.round(this.#canvas.clientWidth * devicePixelRatio);
    const height = Math.round(this.#canvas.clientHeight * devicePixelRatio);
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    paint.clearRect(0, 0, width, height);

    const margin = 0.06 * Math.min(width, height);
    const scale = Math.min((width - 2 * margin) / this.#columns, (height - 2 * margin) / this.#rows);
    const left = (width - scale * this.#columns) / 2;
    const top = (height - scale * this.#rows) / 2;
    this.#drawGrid(paint, left, top, scale);
    const share = this.#share(nowMs);
    for (const glide of this.#glides.values()) {
      const [x, y] = position(glide, share)!;
      paint.fillStyle = glide.to.colour;
      paint.beginPath();
      paint.arc(left + x * scale, top + y * scale, Math.max(2 * devicePixelRatio, scale * 0.16), 0, 2 * Math.PI);
      paint.fill();
    }
  }

  #drawGrid(paint: CanvasRenderingContext2D, left: number, top: number, scale: number): void {
    paint.strokeStyle = "#26357f";
    paint.lineWidth = devicePixelRatio;
    paint.beginPath();
    for (let column = 0; column <= this.#columns; column++) {
      paint.moveTo(left + column * scale, top);
      paint.lineTo(left + column * scale, top + this.#rows * scale);
    }
    for (let row = 0; row <= this.#rows; row++) {
      paint.moveTo(left, top + row * scale);
      paint.lineTo(left + this.#columns * scale, top + row * scale);
    }
    paint.stroke();
  }
}

function position(glide: Glide | undefined, share: number): readonly [number, number] | undefined {
  if (glide === undefined) return undefined;
  return [glide.fromX + (glide.to.x - glide.fromX) * share, glide.fromY + (glide.to.y - glide.fromY) * share];
}
