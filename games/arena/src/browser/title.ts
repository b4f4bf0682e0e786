/** Behind the title: the level from above, a slow flight over it, and shadows of a fight. Needs no server. */

import type { StageSize } from "@nearfield/kit/browser";
import { RUN_SPEED } from "../state.ts";
import type { Terrain } from "../terrain.ts";
import { AvatarArt, type AvatarLook } from "./art/avatar-art.ts";
import { Backdrop } from "./art/backdrop.ts";
import { Ground } from "./art/ground.ts";
import { ItemArt } from "./art/item-art.ts";
import { Pen } from "./art/pen.ts";
import { Camera } from "./camera.ts";
import { Effects } from "./effects.ts";
import { muzzleAt } from "./happenings.ts";
import type { LevelShelf } from "./level-shelf.ts";

const LEVEL = "foundry";
const ACTORS = 14;

interface Actor {
  x: number;
  y: number;
  heading: number;
  way: number;
  path: number;
  firesMs: number;
  turnsMs: number;
}

export class Title {
  readonly #pen: Pen;
  readonly #size: StageSize;
  readonly #shelf: LevelShelf;
  readonly #camera = new Camera();
  readonly #effects = new Effects();
  readonly #avatars = new AvatarArt();
  readonly #items = new ItemArt();
  #stage: { readonly terrain: Terrain; readonly backdrop: Backdrop; readonly actors: readonly Actor[] } | undefined;
  #nowMs = 0;

  constructor(canvas: HTMLCanvasElement, size: StageSize, shelf: LevelShelf) {
    this.#pen = new Pen(canvas.getContext("2d", { alpha: false })!);
    this.#size = size;
    this.#shelf = shelf;
  }

  draw(nowMs: number): void {
    const elapsedMs = Math.min(60, nowMs - this.#nowMs);
    this.#nowMs = nowMs;
    const ratio = this.#size.fit(this.#camera);
    const terrain = this.#shelf.get(LEVEL, nowMs);
    if (!terrain) return;
    this.#stage ??= { terrain, backdrop: new Backdrop(Ground.of(terrain)), actors: cast(terrain) };
    const { backdrop, actors } = this.#stage;
    this.#fly(terrain, nowMs);
    for (const [at, actor] of actors.entries()) this.#move(terrain, actor, at, elapsedMs, nowMs);
    const { context } = this.#pen;
    backdrop.drawFloor(this.#pen, this.#camera, ratio);
    for (const { x, y, kind } of terrain.items)
      if (this.#camera.sees(x, y, 24)) this.#items.drawItem(context, kind, x, y, true, nowMs);
    const looks = actors.flatMap((actor, at) => (this.#camera.sees(actor.x, actor.y, 20) ? [lookOf(actor, at)] : []));
    this.#avatars.draw(this.#pen, looks, true, nowMs);
    backdrop.drawWalls(this.#pen, this.#camera, ratio);
    this.#effects.draw(this.#pen, this.#camera, nowMs);
  }

  #fly(terrain: Terrain, nowMs: number): void {
    const turn = nowMs / 26_000;
    const [x, y] = [
      terrain.width * (0.5 + 0.24 * Math.cos(turn)),
      terrain.height * (0.5 + 0.24 * Math.sin(turn * 1.3)),
    ];
    this.#camera.follow({ x, y, aimX: 0, aimY: 0, faceX: 1, faceY: 0, scoped: false, overview: false }, 16, terrain);
  }

  #move(terrain: Terrain, actor: Actor, at: number, elapsedMs: number, nowMs: number): void {
    const before = { x: actor.x, y: actor.y };
    const way = (RUN_SPEED * elapsedMs) / 1000;
    terrain.slide(actor, Math.cos(actor.way) * way, Math.sin(actor.way) * way, 6);
    const step = Math.hypot(actor.x - before.x, actor.y - before.y);
    actor.path += step;
    if (step < way * 0.6 || nowMs > actor.turnsMs) {
      actor.way += 1.1 + ((at * 37) % 10) / 5;
      actor.turnsMs = nowMs + 1400 + ((at * 613) % 1500);
    }
    actor.heading = actor.way + Math.sin(nowMs / 900 + at) * 0.7;
    if (nowMs < actor.firesMs || !this.#camera.sees(actor.x, actor.y, 0)) return;
    // Short bursts with longer pauses between them.
    actor.firesMs = nowMs + (Math.floor(nowMs / 165) % 4 === at % 4 ? 1500 + at * 130 : 165);
    const [x, y] = muzzleAt(actor.x, actor.y, actor.heading, "rifle");
    const [dx, dy] = [Math.cos(actor.heading), Math.sin(actor.heading)];
    const reach = terrain.reachOf(actor.x, actor.y, dx, dy, 500);
    this.#effects.muzzle(x, y, actor.heading, nowMs);
    this.#effects.tracer(x, y, actor.x + dx * reach, actor.y + dy * reach, nowMs);
    this.#effects.sparks(actor.x + dx * reach, actor.y + dy * reach, "#fff0b8", 4, 110, nowMs);
  }
}

function lookOf({ x, y, heading, path, way }: Actor, at: number): AvatarLook {
  const [vx, vy] = [Math.cos(way) * RUN_SPEED, Math.sin(way) * RUN_SPEED];
  const weapon = at % 3 === 0 ? "rocket" : "rifle";
  return { x, y, heading, path, vx, vy, colour: at, weapon, safe: false, kick: 0, flash: 0 };
}

function cast(terrain: Terrain): Actor[] {
  return Array.from({ length: ACTORS }, (_, at) => {
    const spawn = terrain.spawns[(at * 7) % terrain.spawns.length] ?? { x: terrain.width / 2, y: terrain.height / 2 };
    return { x: spawn.x, y: spawn.y, heading: at, way: at * 1.7, path: 0, firesMs: 1000 + at * 400, turnsMs: 0 };
  });
}
