/**
 * Draws both timelines over the last steps. Each player has a lane: solid up to what is final (the conservative tail), pale up to where its inputs are known, red
 * where the head guesses. A white notch shows how far this peer has our own inputs. Below the lanes: the tail, the head, how far a spread correction has come, and a tick for
 * every rollback, at the step at which it began.
 */

/** Steps that the picture shows. */
const SHOWN = 40;
/** Canvas pixels: there are two for each CSS pixel. */
const LEFT = 168;
const RIGHT = 178;
const LANE = { most: 34, least: 23 } as const;
/** Lanes share so much height, if they need not be smaller than `LANE.least`. */
const HEIGHT = 300;
const FOOT = 46;

const INK = {
  text: "#dfe5ff",
  dim: "#9aa6c8",
  final: "#7be0a0",
  now: "#ffffff",
  wrong: "#ff6f91",
  amends: "#ffd24a",
  alone: "#6fd8ff",
};

export interface Lane {
  readonly name: string;
  readonly colour: string;
  /** The first step whose input is not known. */
  readonly through: number;
  readonly words: string;
  readonly isWaitedFor?: boolean;
  /** The first of our own steps whose input this peer lacks; undefined for ourselves. */
  readonly ackedTo?: number;
}

export interface Timelines {
  readonly lanes: readonly Lane[];
  readonly head: number;
  readonly tail: number;
  /** Undefined: no correction is under way. */
  readonly correctedTo: number | undefined;
  /** Since the beginning. */
  readonly rollbacks: number;
  readonly patches: number;
}

interface Tick {
  readonly step: number;
  readonly colour: string;
}

export class TimelinePicture {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  #ticks: Tick[] = [];
  #rollbacks = 0;
  #patches = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d")!;
  }

  /** There is no fight: nothing is shown. */
  clear(): void {
    this.#canvas.hidden = true;
    this.#ticks = [];
  }

  draw(timelines: Timelines): void {
    const { lanes, head, tail, correctedTo } = timelines;
    this.#note(timelines);
    this.#canvas.hidden = false;
    const lane = Math.max(LANE.least, Math.min(LANE.most, HEIGHT / lanes.length));
    const height = Math.ceil(lanes.length * lane) + FOOT;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    const { width } = this.#canvas;
    const context = this.#context;
    context.clearRect(0, 0, width, height);
    context.textBaseline = "middle";
    const first = head - SHOWN;
    const at = (step: number): number => LEFT + ((Math.max(first, step) - first) / SHOWN) * (width - LEFT - RIGHT);
    lanes.forEach((one, index) => {
      this.#drawLane(one, index * lane, lane, at, head, tail);
    });
    const bottom = lanes.length * lane;
    for (const { step, colour } of this.#ticks) this.#line(at(step), bottom + 4, 9, colour, 3);
    if (correctedTo !== undefined) {
      context.fillStyle = "rgb(255 210 74 / 0.22)";
      context.fillRect(at(correctedTo), 0, at(head) - at(correctedTo), bottom);
      this.#line(at(correctedTo), 0, bottom + 4, INK.amends, 2);
    }
    this.#line(at(tail), 0, bottom + 16, INK.final, 3);
    this.#line(at(head), 0, bottom + 16, INK.now, 3);
    context.font = "19px ui-sans-serif, system-ui, sans-serif";
    context.textAlign = "right";
    this.#text("final", at(tail) - 3, bottom + 30, INK.final);
    context.textAlign = "left";
    this.#text("now", at(head) + 3, bottom + 30, INK.now);
  }

  /** Rollbacks that have begun since the last frame, at the step that is now. */
  #note({ head, rollbacks, patches }: Timelines): void {
    if (rollbacks < this.#rollbacks || patches < this.#patches) this.#ticks = [];
    else {
      if (patches > this.#patches) this.#ticks.push({ step: head, colour: INK.alone });
      if (rollbacks > this.#rollbacks) this.#ticks.push({ step: head, colour: INK.wrong });
    }
    this.#rollbacks = rollbacks;
    this.#patches = patches;
    this.#ticks = this.#ticks.filter(({ step }) => step > head - SHOWN);
  }

  #drawLane(lane: Lane, y: number, height: number, at: (step: number) => number, head: number, tail: number): void {
    const { name, colour, through, words, isWaitedFor = false, ackedTo } = lane;
    const context = this.#context;
    const { width } = this.#canvas;
    const middle = y + height / 2;
    context.font = `${Math.min(21, height - 5)}px ui-sans-serif, system-ui, sans-serif`;
    context.textAlign = "left";
    this.#text(name.slice(0, 14), 10, middle, isWaitedFor ? INK.wrong : INK.text);
    this.#text(words, width - RIGHT + 14, middle, isWaitedFor ? INK.wrong : INK.dim);
    const bar = (from: number, to: number, fill: string, alpha: number): void => {
      context.globalAlpha = alpha;
      context.fillStyle = fill;
      context.fillRect(at(from), y + 4, Math.max(0, at(to) - at(from)), height - 8);
      context.globalAlpha = 1;
    };
    bar(head - SHOWN, head, "#ffffff", 0.06);
    bar(head - SHOWN, Math.min(through, head), colour, 0.45);
    bar(head - SHOWN, tail, colour, 1);
    bar(Math.max(through, tail), head, INK.wrong, 0.5);
    if (ackedTo !== undefined) this.#line(at(Math.min(ackedTo, head)), y + 2, height - 4, INK.now, 3);
  }

  #line(x: number, y: number, length: number, colour: string, width: number): void {
    this.#context.fillStyle = colour;
    this.#context.fillRect(x - width / 2, y, width, length);
  }

  #text(words: string, x: number, y: number, colour: string): void {
    this.#context.fillStyle = colour;
    this.#context.fillText(words, x, y);
  }
}
