/**
 * Draws one picture of the match, from the ground up:
 *
 *   ground → scenery, scorches → ore → rings → remembered, buildings → units → clouds → wasps → lights → fog → zones, orders, bars, words
 *
 * Every layer is one draw call, however many pieces it holds. What moves is drawn where the picture has it.
 */

import { Container, type Renderer, WebGLRenderer } from "pixi.js";
import type { Terrain } from "../terrain/terrain.ts";
import { BuildingArt } from "./art/building-art.ts";
import { paintBuildings } from "./art/building-shapes.ts";
import { Coarse, isSoftware } from "./art/coarse.ts";
import { Decals } from "./art/decals.ts";
import { FogArt } from "./art/fog-art.ts";
import { Ground } from "./art/ground.ts";
import { Labels } from "./art/labels.ts";
import { Layer, type LayerOptions } from "./art/layer.ts";
import { MarkArt } from "./art/mark-art.ts";
import { paintNoise } from "./art/noise-texture.ts";
import { OreArt } from "./art/ore-art.ts";
import { VOID } from "./art/palette.ts";
import { strew } from "./art/scenery.ts";
import { Sheet } from "./art/sheet.ts";
import { type ShotSound, Shots } from "./art/shots.ts";
import { Sight } from "./art/sight.ts";
import { paintSigns } from "./art/sign-shapes.ts";
import { StatusArt } from "./art/status-art.ts";
import { UnitArt } from "./art/unit-art.ts";
import { paintUnits } from "./art/unit-shapes.ts";
import { ZoneArt } from "./art/zone-art.ts";
import type { Camera } from "./camera.ts";
import { Effects } from "./effects.ts";
import type { Picture } from "./picture.ts";

/** A frame that comes later than this counts as this late: nothing leaps after a pause. */
const MOST_ELAPSED_MS = 100;
/** Pixels along the screen's edges for the fog, and for the ground where the processor draws, of those that the screen has. */
const FOG_SHARE = 0.25;
const SOFTWARE_SHARE = 0.5;
/** Stones and shrubs are too small to be seen from higher up than this, CSS pixels per world unit. */
const SCENERY_FROM = 0.45;

function layersOf(source: ReturnType<Sheet["finish"]>) {
  const layer = (options?: LayerOptions): Layer => new Layer(source, options);
  const shadow = { metal: 0, light: 0, capacity: 2048 };
  return {
    scenery: layer({ capacity: 4096 }),
    decals: layer({ metal: 0x20242b, light: 0x33302c }),
    zones: layer(),
    ore: layer(),
    rings: layer(),
    remembered: layer({ metal: 0xa4afc0, light: 0xb4bccb }),
    buildings: layer(),
    shadows: layer(shadow),
    bodies: layer({ capacity: 4096 }),
    clouds: layer({ capacity: 1024 }),
    airShadows: layer(shadow),
    fliers: layer({ capacity: 2048 }),
    lights: layer({ capacity: 4096, blend: "add" }),
    marks: layer(),
    bars: layer({ capacity: 2048 }),
  } as const;
}

/** Below the fog, and above it. */
const BELOW = [
  "scenery",
  "decals",
  "ore",
  "rings",
  "remembered",
  "buildings",
  "shadows",
  "bodies",
  "clouds",
  "airShadows",
  "fliers",
  "lights",
] as const;
const ABOVE = ["zones", "marks", "bars"] as const;
/** Filled anew in every frame. */
const REFILLED = [...BELOW.slice(1), ...ABOVE];

export class Scene {
  readonly #renderer: Renderer;
  readonly #stage = new Container();
  readonly #groundView: Coarse;
  readonly #below = new Container();
  readonly #fogView = new Coarse(FOG_SHARE);
  readonly #above = new Container();
  readonly #labels = new Labels();
  readonly #sight = new Sight();
  readonly #noise = paintNoise();
  readonly #layers: ReturnType<typeof layersOf>;
  readonly #signs: ReturnType<typeof paintSigns>;
  readonly #effects: Effects;
  readonly #shots: Shots;
  readonly #decals: Decals;
  readonly #units: UnitArt;
  readonly #buildings: BuildingArt;
  readonly #ore: OreArt;
  readonly #status: StatusArt;
  readonly #marks: MarkArt;
  readonly #zones: ZoneArt;
  readonly #calm = matchMedia("(prefers-reduced-motion: reduce)");
  #ground: Ground | undefined;
  #fog: FogArt | undefined;
  #nowMs = 0;

  private constructor(renderer: Renderer) {
    this.#renderer = renderer;
    const sheet = new Sheet();
    const unitFrames = paintUnits(sheet);
    const buildingSheet = paintBuildings(sheet);
    const signs = paintSigns(sheet);
    this.#signs = signs;
    this.#layers = layersOf(sheet.finish());
    this.#effects = new Effects(signs);
    this.#shots = new Shots(this.#effects);
    this.#decals = new Decals(signs.scorch, signs.rubble);
    this.#units = new UnitArt(unitFrames, signs, this.#effects, this.#shots, this.#decals);
    this.#buildings = new BuildingArt(buildingSheet, signs, this.#effects, this.#shots, this.#decals);
    this.#ore = new OreArt(signs);
    this.#status = new StatusArt(signs);
    this.#marks = new MarkArt(signs);
    this.#zones = new ZoneArt(signs);
    this.#groundView = new Coarse(isSoftware(renderer) ? SOFTWARE_SHARE : 1);
    for (const name of BELOW) this.#below.addChild(this.#layers[name].mesh);
    for (const name of ABOVE) this.#above.addChild(this.#layers[name].mesh);
    const views = [this.#groundView.view, this.#below, this.#fogView.view, this.#above, this.#labels.container];
    this.#stage.addChild(...views);
  }

  static async create(canvas: HTMLCanvasElement): Promise<Scene> {
    const renderer = new WebGLRenderer();
    await renderer.init({
      canvas,
      backgroundColor: VOID,
      antialias: false,
      preferWebGLVersion: 2,
      powerPreference: "high-performance",
      skipExtensionImports: true,
    });
    return new Scene(renderer as Renderer);
  }

  /** Who wants to hear shots; the places are in the world. */
  set onShot(sound: ShotSound | undefined) {
    this.#shots.sound = sound;
  }

  /** A match on this ground begins. */
  enter(terrain: Terrain): void {
    this.#leave();
    this.#ground = new Ground(terrain, this.#noise);
    this.#fog = new FogArt(terrain.size, this.#noise);
    this.#groundView.world.addChild(this.#ground.mesh);
    this.#fogView.world.addChild(this.#fog.mesh);
    strew(this.#layers.scenery, this.#signs, terrain);
    this.#effects.clear();
    this.#decals.clear();
    this.#units.tracks.clear();
    this.#buildings.tracks.clear();
  }

  /** CSS pixels, and device pixels for each of them. */
  resize(width: number, height: number, ratio: number): void {
    this.#renderer.resize(width, height, ratio);
    this.#groundView.resize(width, height, ratio);
    this.#fogView.resize(width, height, ratio);
  }

  draw(camera: Camera, picture: Picture): void {
    const { nowMs } = picture;
    const elapsedMs = Math.min(MOST_ELAPSED_MS, Math.max(0, nowMs - this.#nowMs));
    this.#nowMs = nowMs;
    this.#look(camera);
    this.#drawGround(picture, elapsedMs);
    this.#write(camera, picture, elapsedMs);
    this.#groundView.draw(this.#renderer);
    this.#fogView.draw(this.#renderer);
    this.#renderer.render(this.#stage);
  }

  /** Something goes off: a shell, or a piece that is destroyed. `size`: its radius in world units. */
  blast(x: number, y: number, size: number): void {
    this.#effects.begin(this.#nowMs);
    this.#effects.blast(x, y, Math.max(5, size));
    this.#decals.blast(x, y, Math.max(5, size), this.#nowMs);
  }

  close(): void {
    this.#leave();
    this.#groundView.close();
    this.#fogView.close();
    this.#renderer.destroy();
  }

  #look(camera: Camera): void {
    this.#sight.look(camera);
    look(this.#groundView.world, camera);
    look(this.#below, camera);
    look(this.#fogView.world, camera);
    look(this.#above, camera);
  }

  #drawGround({ fog, nowMs }: Picture, elapsedMs: number): void {
    const seconds = this.#calm.matches ? 0 : nowMs / 1000;
    this.#ground?.look(seconds, this.#sight.scale);
    this.#fog?.look(fog, elapsedMs, seconds);
    this.#fogView.view.visible = fog !== undefined;
    this.#layers.scenery.mesh.visible = this.#sight.scale >= SCENERY_FROM;
  }

  #write(camera: Camera, picture: Picture, elapsedMs: number): void {
    const layers = this.#layers;
    const sight = this.#sight;
    const { nowMs } = picture;
    const isCalm = this.#calm.matches;
    for (const name of REFILLED) layers[name].begin();
    this.#labels.begin();
    this.#effects.begin(nowMs);
    this.#shots.begin();
    this.#zones.draw(layers.zones, this.#labels, picture, camera, sight);
    this.#ore.draw(layers.ore, layers.lights, picture.ore, sight, nowMs, isCalm);
    this.#buildings.draw(layers, picture, sight, elapsedMs, isCalm);
    this.#units.draw(layers, picture, sight, elapsedMs, isCalm);
    this.#status.draw(layers.rings, layers.bars, picture, sight);
    this.#decals.draw(layers.decals, sight, nowMs);
    this.#effects.draw(layers.clouds, layers.lights, sight, nowMs);
    this.#marks.draw(layers.marks, picture, camera, sight, this.#buildings, isCalm);
    this.#labels.end();
    for (const name of REFILLED) layers[name].show();
  }

  #leave(): void {
    this.#ground?.close();
    this.#fog?.close();
    this.#ground = undefined;
    this.#fog = undefined;
  }
}

/** Places what is drawn in world units on the screen. */
function look(world: Container, camera: Camera): void {
  world.position.set(camera.width / 2, camera.height / 2);
  world.pivot.set(camera.x, camera.y);
  world.rotation = -camera.rotation;
  world.scale.set(camera.scale);
}
