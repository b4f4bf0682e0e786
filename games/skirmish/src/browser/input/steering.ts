/** What moves the camera for as long as it is held: arrow keys, Q and E, and the pointer at an edge of the window. */

import type { Camera } from "../camera.ts";

/** CSS pixels per second, and radians per second. */
const SPEED = 1100;
const TURN = 1.6;
/** The pointer is at an edge within this distance of it, CSS pixels. */
const EDGE = 6;
const EDGES_KEY = "nearfield.skirmish.edges";
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};
const TURNS: Readonly<Record<string, number>> = { KeyQ: -1, KeyE: 1 };

export class Steering {
  readonly #storage: Storage;
  readonly #held = new Set<string>();
  #edges: boolean;
  #edgeX = 0;
  #edgeY = 0;

  /** `isPlaying`: whether keys are for the game now. */
  constructor(storage: Storage, isPlaying: () => boolean) {
    this.#storage = storage;
    this.#edges = storage.getItem(EDGES_KEY) !== "off";
    addEventListener("keydown", (event) => {
      const isMine = MOVES[event.code] !== undefined || TURNS[event.code] !== undefined;
      if (!isMine || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof HTMLInputElement || !isPlaying()) return;
      event.preventDefault();
      this.#held.add(event.code);
    });
    addEventListener("keyup", ({ code }) => this.#held.delete(code));
    addEventListener("blur", () => this.#letGo());
    addEventListener("pointermove", (event) => this.#point(event));
    document.addEventListener("pointerleave", () => this.#leaveEdge());
  }

  /** Whether the edges of the window move the camera. */
  get edges(): boolean {
    return this.#edges;
  }

  toggleEdges(): void {
    this.#edges = !this.#edges;
    this.#storage.setItem(EDGES_KEY, this.#edges ? "on" : "off");
    this.#leaveEdge();
  }

  steer(camera: Camera, elapsedMs: number): void {
    let [x, y] = [this.#edgeX, this.#edgeY];
    let turn = 0;
    for (const code of this.#held) {
      x += MOVES[code]?.[0] ?? 0;
      y += MOVES[code]?.[1] ?? 0;
      turn += TURNS[code] ?? 0;
    }
    const way = (SPEED * elapsedMs) / 1000 / Math.max(1, Math.hypot(x, y));
    if (x !== 0 || y !== 0) camera.moveBy(x * way, y * way);
    if (turn !== 0) camera.turn((turn * TURN * elapsedMs) / 1000);
  }

  #letGo(): void {
    this.#held.clear();
    this.#leaveEdge();
  }

  #leaveEdge(): void {
    this.#edgeX = this.#edgeY = 0;
  }

  #point(event: PointerEvent): void {
    if (event.pointerType === "touch" || !this.#edges) return;
    this.#edgeX = side(event.clientX, innerWidth);
    this.#edgeY = side(event.clientY, innerHeight);
  }
}

function side(at: number, size: number): number {
  return at < EDGE ? -1 : at >= size - EDGE ? 1 : 0;
}
