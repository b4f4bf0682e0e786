/** What the player wants: keys and mouse, or two thumbs. */

import { type StickIntent, TwinSticks } from "@nearfield/kit/browser";
import { FULL_STICK } from "../rules.ts";
import type { Wish } from "./network.ts";

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  KeyW: [0, -1],
  ArrowUp: [0, -1],
  KeyS: [0, 1],
  ArrowDown: [0, 1],
  KeyA: [-1, 0],
  ArrowLeft: [-1, 0],
  KeyD: [1, 0],
  ArrowRight: [1, 0],
};

export class Input {
  readonly #held = new Set<string>();
  readonly #sticks: TwinSticks;
  readonly #canvas: HTMLCanvasElement;
  #mouseX = 1;
  #mouseY = 0;
  #fires = false;

  /** @param act called when a key of these is pressed outside of a field */
  constructor(root: HTMLElement, canvas: HTMLCanvasElement, act: (what: "chat" | "cairn") => void) {
    this.#canvas = canvas;
    this.#sticks = new TwinSticks({ use: () => {} }, root, canvas);
    addEventListener("keydown", (event) => {
      if (isTyping(event)) return;
      if (event.code === "Enter") act("chat");
      else if (event.code === "KeyC" && !event.repeat) act("cairn");
      else if (event.code === "Space") this.#fires = true;
      else if (event.code in KEYS) this.#held.add(event.code);
      else return;
      event.preventDefault();
    });
    addEventListener("keyup", (event) => {
      this.#held.delete(event.code);
      if (event.code === "Space") this.#fires = false;
    });
    addEventListener("blur", () => this.rest());
    canvas.addEventListener("pointermove", (event) => this.#look(event));
    canvas.addEventListener("pointerdown", (event) => {
      this.#look(event);
      if (event.pointerType !== "touch" && event.button === 0) this.#fires = true;
    });
    addEventListener("pointerup", () => {
      this.#fires = false;
    });
  }

  /** Nothing is held any more. */
  rest(): void {
    this.#held.clear();
    this.#fires = false;
  }

  read(): Wish {
    const [aimX, aimY] = [this.#mouseX, this.#mouseY];
    const intent: StickIntent = { moveX: 0, moveY: 0, aim: "pointer", aimX, aimY, fires: this.#fires };
    for (const code of this.#held) {
      intent.moveX += KEYS[code]![0];
      intent.moveY += KEYS[code]![1];
    }
    this.#sticks.read(intent);
    const length = Math.max(1, Math.hypot(intent.moveX, intent.moveY));
    return {
      moveX: Math.round((intent.moveX / length) * FULL_STICK),
      moveY: Math.round((intent.moveY / length) * FULL_STICK),
      heading: Math.atan2(intent.aimY, intent.aimX),
      fires: intent.fires,
    };
  }

  #look(event: PointerEvent): void {
    if (event.pointerType === "touch") return;
    this.#mouseX = event.offsetX - this.#canvas.clientWidth / 2;
    this.#mouseY = event.offsetY - this.#canvas.clientHeight / 2;
  }
}

function isTyping({ target }: Event): boolean {
  return target instanceof HTMLInputElement;
}
