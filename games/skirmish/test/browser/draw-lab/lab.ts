/** The drawing lab: draws a stage with the game's own scene and reports what a frame takes. Only for tests; no page of the game has it. */

import { Camera } from "../../../src/browser/camera.ts";
import { HOVERED, SELECTED } from "../../../src/browser/picture.ts";
import { Scene } from "../../../src/browser/scene.ts";
import { Sound } from "../../../src/browser/sound.ts";
import { RECIPES, type SoundName } from "../../../src/browser/sound-recipes.ts";
import { DOINGS } from "../../../src/state.ts";
import { CrowdStage, emptyPicture, MatchStage, type Stage } from "./stages.ts";

export interface LabOptions {
  readonly stage: "match" | "crowd";
  readonly map?: "small" | "medium" | "large";
  readonly sides?: number;
  readonly seed?: number;
  readonly seconds?: number;
  readonly count?: number;
  /** Where the camera looks: the own start, where most units fight, the middle, or all of the map. */
  readonly look?: "start" | "fight" | "middle" | "all";
  readonly zoom?: number;
  readonly turn?: number;
  readonly overlay?: boolean;
  readonly signs?: boolean;
  readonly fog?: boolean;
}

const canvas = document.querySelector("canvas")!;
const camera = new Camera();
const picture = emptyPicture();
const scene = await Scene.create(canvas);
const sound = new Sound(localStorage);
sound.listen(camera);
scene.onShot = (name, x, y) => sound.play(name, x, y);
document.addEventListener("pointerdown", () => sound.wake());
let stage: Stage | undefined;
let options: LabOptions = { stage: "match" };
let frames = 0;
let lastMs = 0;
let paused = false;

function open(wanted: LabOptions): void {
  options = wanted;
  const { map = "small", sides = 2, seed = 5, seconds = 0, count = 2000 } = wanted;
  camera.width = innerWidth;
  camera.height = innerHeight;
  camera.rise = 0;
  Object.assign(picture, {
    marks: [],
    paths: [],
    ghost: undefined,
    box: undefined,
    fog: undefined,
    overlay: undefined,
  });
  for (const pieces of [picture.units, picture.buildings, picture.remembered, picture.ore]) pieces.clear();
  // A crowd stands so that all of it is on the screen.
  const zoom = wanted.zoom ?? 0.9;
  stage =
    wanted.stage === "crowd"
      ? new CrowdStage(count, (0.94 * innerWidth) / zoom, (0.94 * innerHeight) / zoom)
      : new MatchStage(map, sides, seed, seconds);
  scene.enter(stage.terrain);
  scene.resize(innerWidth, innerHeight, Math.min(2, devicePixelRatio));
  camera.fit(stage.terrain);
  paused = false;
  stage.fill(picture, 0);
  place();
  camera.turn(wanted.turn ?? 0);
  frames = 0;
}

function place(): void {
  const { terrain } = stage!;
  const { look = "start", zoom } = options;
  if (look === "all") return;
  let [x, y] = look === "start" ? [terrain.starts[0]!.x, terrain.starts[0]!.y] : [terrain.size / 2, terrain.size / 2];
  if (look === "fight") {
    // The unit with the most fighters around it.
    const { units } = picture;
    let best = -1;
    for (let row = 0; row < units.count; row++) {
      let near = 0;
      for (let other = 0; other < units.count; other++) {
        if (units.doing[other] !== DOINGS.indexOf("fighting")) continue;
        if (Math.hypot(units.x[other]! - units.x[row]!, units.y[other]! - units.y[row]!) < 150) near++;
      }
      if (near > best) [best, x, y] = [near, units.x[row]!, units.y[row]!];
    }
  }
  camera.cutTo(x!, y!, zoom);
}

/** Some of everything that orders leave on the ground. */
function addSigns(): void {
  const { units, buildings, nowMs } = picture;
  const { x, y } = camera;
  let selected = 0;
  for (let row = 0; row < units.count; row++) {
    if (units.side[row] === 0 && selected < 12) {
      units.flags[row]! |= SELECTED;
      selected++;
    } else if (units.side[row] === 1) {
      units.flags[row]! |= HOVERED;
    }
  }
  if (buildings.count > 0) buildings.flags[0]! |= SELECTED;
  const atMs = nowMs - (nowMs % 900);
  const words = ["move", "attack", "attackMove", "gather", "build", "rally", "hold", "move"] as const;
  picture.marks = words.map((what, at) => ({ what, x: x - 140 + at * 40, y: y + 90, atMs, refused: at === 7 }));
  picture.ghost = {
    x: Math.round(x / 16) * 16 + 120,
    y: Math.round(y / 16) * 16 - 60,
    kind: 3,
    fits: nowMs % 2000 < 1000,
  };
  picture.box = { x0: 60, y0: 80, x1: 240, y1: 200 };
  picture.paths = [new Float32Array([x - 100, y, x - 20, y + 60, x + 90, y + 30, x + 140, y + 70])];
}

function addOverlay(): void {
  if (options.stage === "match") camera.rise = 1;
  picture.overlay = {
    rise: 1,
    camera: camera.rectangle(),
    coefficients: [1.5, 2.5],
    groups: [
      { x: camera.x - 120, y: camera.y + 40, radius: 45 },
      { x: camera.x + 300, y: camera.y + 150, radius: 70 },
    ],
    groupFactors: [1.6, 2.6],
  };
}

function frame(nowMs: number): void {
  requestAnimationFrame(frame);
  if (!stage || paused) return;
  const elapsedMs = Math.min(100, nowMs - lastMs);
  lastMs = nowMs;
  picture.nowMs = nowMs;
  stage.fill(picture, elapsedMs);
  if (options.fog === false) picture.fog = undefined;
  for (const { x, y, size } of stage.blasts) scene.blast(x, y, size);
  stage.blasts.length = 0;
  if (options.signs) addSigns();
  if (options.overlay) addOverlay();
  camera.step(elapsedMs);
  scene.draw(camera, picture);
  frames++;
  for (const sample of wanted.splice(0)) sample.tell(read(sample));
}

interface Sample {
  readonly x: number;
  readonly y: number;
  readonly pixels: number;
  tell(colour: readonly [number, number, number]): void;
}

const wanted: Sample[] = [];

/** Right after drawing, while the canvas still holds the frame. */
function read({ x, y, pixels }: Sample): readonly [number, number, number] {
  const at = camera.toScreen(x, y, { x: 0, y: 0 });
  const ratio = canvas.width / innerWidth;
  const copy = new OffscreenCanvas(pixels, pixels).getContext("2d")!;
  copy.drawImage(canvas, at.x * ratio - pixels / 2, at.y * ratio - pixels / 2, pixels, pixels, 0, 0, pixels, pixels);
  const { data } = copy.getImageData(0, 0, pixels, pixels);
  const mean = (part: number): number => {
    let sum = 0;
    for (let byte = part; byte < data.length; byte += 4) sum += data[byte]!;
    return sum / (data.length / 4);
  };
  return [mean(0), mean(1), mean(2)];
}

/** World units around a place that must look the same. */
const CLEAR = 80;

function landWith(seen: number): { readonly x: number; readonly y: number } | undefined {
  const { terrain } = stage!;
  const { fog, units, buildings, ore } = picture;
  const seenAt = (x: number, y: number): number => (fog?.isSeen(x, y) ? 2 : fog?.wasSeen(x, y) ? 1 : 0);
  for (let y = CLEAR; y < terrain.size - CLEAR; y += 16) {
    for (let x = CLEAR; x < terrain.size - CLEAR; x += 16) {
      let isClear = terrain.walkable[terrain.tileAt(x, y)] === 1;
      for (let dy = -CLEAR; dy <= CLEAR && isClear; dy += 16)
        for (let dx = -CLEAR; dx <= CLEAR && isClear; dx += 16) isClear = seenAt(x + dx, y + dy) === seen;
      for (const pieces of [units, buildings, ore])
        for (let row = 0; row < pieces.count && isClear; row++)
          isClear = Math.hypot(pieces.x[row]! - x, pieces.y[row]! - y) > CLEAR;
      if (isClear) return { x, y };
    }
  }
  return undefined;
}

function unitsInView(): number {
  const { units } = picture;
  let count = 0;
  for (let row = 0; row < units.count; row++) {
    const { x, y } = camera.toScreen(units.x[row]!, units.y[row]!, { x: 0, y: 0 });
    if (x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight) count++;
  }
  return count;
}

export interface Lab {
  open(options: LabOptions): void;
  report(): { readonly frames: number; readonly units: number; readonly inView: number; readonly played: number };
  /** Plays every sound once, without a place. */
  playAll(): void;
  /** Red, green and blue of the next frame at a place in the world, 0 to 255 each: the mean of the pixels around. */
  colourAt(x: number, y: number, pixels: number): Promise<readonly [number, number, number]>;
  /** Where the own base stands. */
  base(): { readonly x: number; readonly y: number };
  /** A level place without pieces on it of which the fog says 0 (never), 1 (once) or 2 (now), and of all around it too. */
  landWith(seen: number): { readonly x: number; readonly y: number } | undefined;
  pause(paused: boolean): void;
}

declare global {
  interface Window {
    __lab: Lab;
  }
}

window.__lab = {
  open,
  report: () => ({ frames, units: picture.units.count, inView: unitsInView(), played: sound.played }),
  playAll: () => {
    for (const name of Object.keys(RECIPES) as SoundName[]) sound.play(name);
  },
  colourAt: (x, y, pixels) => new Promise((tell) => wanted.push({ x, y, pixels, tell })),
  base: () => ({ x: picture.buildings.x[0]!, y: picture.buildings.y[0]! }),
  landWith,
  pause: (on) => {
    paused = on;
  },
};
requestAnimationFrame(frame);
