/**
 * The map as somebody uses it: drag to move, wheel or two fingers to zoom, click to pick an object, drag a handle of the edited rings, arrow
 * keys and +, −, 0. It draws when something changed or glides, and never while its panel is hidden.
 */
import { drawScene } from "./draw.ts";
import { type Handle, handlesOf } from "./draw-rings.ts";
import { Glide } from "./glide.ts";
import type { Rings, Scene } from "./scene.ts";
import {
  type Box,
  boxOf,
  boxToShow,
  centreOn,
  fit,
  pan,
  type Size,
  type Transform,
  toPicture,
  toWorld,
  zoomAbout,
} from "./transform.ts";

export interface MapEvents {
  onPick(id: number | undefined, isShifted: boolean): void;
  /** A handle was moved: a zone's new edge in world units before zoom, or a sector's opening in degrees. */
  onHandle(kind: Handle["kind"], index: number, value: number): void;
}

/** Pixels within which a click means an object or a handle. */
const REACH = 14;
/** Pixels a pointer may move and still be a click. */
const SLACK = 5;

export class MapView {
  readonly #canvas: HTMLCanvasElement;
  readonly #paint: CanvasRenderingContext2D;
  readonly #events: MapEvents;
  readonly #glide = new Glide();
  readonly #pointers = new Map<number, { x: number; y: number }>();
  readonly #still = matchMedia("(prefers-reduced-motion: reduce)");
  #scene: Scene | undefined;
  #transform: Transform | undefined;
  #isFitted = true;
  #moved = 0;
  #handle: Handle | undefined;
  #frame = 0;
  /** Follows this point of the world. */
  follow: (() => { readonly x: number; readonly y: number } | undefined) | undefined;

  constructor(canvas: HTMLCanvasElement, events: MapEvents) {
    const paint = canvas.getContext("2d");
    if (paint === null) throw new Error("This browser draws no canvas");
    this.#canvas = canvas;
    this.#paint = paint;
    this.#events = events;
    new ResizeObserver(() => {
      if (this.#isFitted) this.#transform = undefined;
      this.draw();
    }).observe(canvas);
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointercancel", (event) => this.#up(event));
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  show(scene: Scene): void {
    if (scene.map !== this.#scene?.map) {
      this.#glide.take(scene.map, performance.now(), this.#extent(scene), this.#still.matches);
    }
    this.#scene = scene;
    this.draw();
  }

  /** The whole world again, and again after the window changes. */
  fitWorld(): void {
    this.#isFitted = true;
    this.#transform = undefined;
    this.draw();
  }

  zoom(factor: number): void {
    const { width, height } = this.#size;
    this.#zoomAbout(width / 2, height / 2, factor);
  }

  draw(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame((nowMs) => this.#drawNow(nowMs));
  }

  get #size(): Size {
    return { width: this.#canvas.clientWidth, height: this.#canvas.clientHeight };
  }

  #box(scene: Scene): Box {
    return boxToShow(scene.world, boxOf(scene.map.x, scene.map.y));
  }

  #extent(scene: Scene): number {
    const { minX, maxX, minY, maxY } = scene.world ?? this.#box(scene);
    return Math.max(maxX - minX, maxY - minY);
  }

  #drawNow(nowMs: number): void {
    this.#frame = 0;
    const size = this.#size;
    const scene = this.#scene;
    if (scene === undefined || size.width === 0 || size.height === 0) return;
    const ratio = devicePixelRatio;
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    this.#transform ??= fit(this.#box(scene), size);
    const followed = this.follow?.();
    if (followed !== undefined) this.#transform = centreOn(this.#transform, followed.x, followed.y, size);
    this.#paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawScene(this.#paint, scene, this.#transform, size, this.#glide.places(nowMs));
    if (!this.#glide.isAtRest(nowMs)) this.draw();
  }

  #zoomAbout(x: number, y: number, factor: number): void {
    if (this.#transform === undefined || this.#scene === undefined) return;
    const whole = fit(this.#box(this.#scene), this.#size).scale;
    this.#transform = zoomAbout(this.#transform, x, y, factor, [whole / 4, whole * 60]);
    this.#isFitted = false;
    this.draw();
  }

  #shift(dx: number, dy: number): void {
    if (this.#transform === undefined) return;
    this.#transform = pan(this.#transform, dx, dy);
    this.#isFitted = false;
    this.draw();
  }

  #down(event: PointerEvent): void {
    this.#canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (this.#pointers.size > 1) {
      this.#handle = undefined;
      return;
    }
    this.#moved = 0;
    this.#handle = this.#handleAt(event.offsetX, event.offsetY);
    this.#canvas.dataset["hand"] = this.#handle === undefined ? "grabbing" : "ring";
  }

  #move(event: PointerEvent): void {
    const { offsetX: x, offsetY: y } = event;
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) {
      this.#canvas.dataset["hand"] = this.#handleAt(x, y) ? "ring" : this.#objectAt(x, y) === undefined ? "" : "object";
      return;
    }
    const [dx, dy] = [x - before.x, y - before.y];
    this.#moved += Math.abs(dx) + Math.abs(dy);
    if (this.#handle !== undefined) this.#moveHandle(this.#handle, x, y);
    else if (this.#pointers.size === 1) {
      if (this.#moved > SLACK) this.#shift(dx, dy);
    } else this.#pinch(event.pointerId, before, { x, y });
    this.#pointers.set(event.pointerId, { x, y });
  }

  /** Two fingers: the middle moves the map, their distance zooms it. */
  #pinch(id: number, before: { x: number; y: number }, now: { x: number; y: number }): void {
    const other = [...this.#pointers].find(([pointer]) => pointer !== id)?.[1];
    if (other === undefined) return;
    const distance = (one: { x: number; y: number }): number => Math.hypot(one.x - other.x, one.y - other.y);
    this.#shift((now.x - before.x) / 2, (now.y - before.y) / 2);
    this.#zoomAbout(
      (now.x + other.x) / 2,
      (now.y + other.y) / 2,
      Math.max(1, distance(now)) / Math.max(1, distance(before)),
    );
  }

  #up(event: PointerEvent): void {
    const wasClick =
      event.type === "pointerup" && this.#pointers.size === 1 && this.#moved <= SLACK && this.#handle === undefined;
    this.#pointers.delete(event.pointerId);
    this.#handle = undefined;
    this.#canvas.dataset["hand"] = "";
    if (wasClick) this.#events.onPick(this.#objectAt(event.offsetX, event.offsetY), event.shiftKey);
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    this.#zoomAbout(event.offsetX, event.offsetY, Math.exp(-event.deltaY * 0.0015));
  }

  #key(event: KeyboardEvent): void {
    const step = 60;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.#shift(step, 0),
      ArrowRight: () => this.#shift(-step, 0),
      ArrowUp: () => this.#shift(0, step),
      ArrowDown: () => this.#shift(0, -step),
      "+": () => this.zoom(1.3),
      "=": () => this.zoom(1.3),
      "-": () => this.zoom(1 / 1.3),
      "0": () => this.fitWorld(),
    };
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  /** The nearest object within reach. */
  #objectAt(x: number, y: number): number | undefined {
    const scene = this.#scene;
    if (scene === undefined || this.#transform === undefined) return undefined;
    const places = this.#glide.places(performance.now());
    let [nearest, least]: [number | undefined, number] = [undefined, REACH];
    for (const [index, id] of scene.map.ids.entries()) {
      if (scene.hiddenTypes.has(scene.map.types[index]!)) continue;
      const [px, py] = toPicture(this.#transform, places.x[index]!, places.y[index]!);
      const distance = Math.hypot(px - x, py - y);
      if (distance > least) continue;
      least = distance;
      nearest = id;
    }
    return nearest;
  }

  get #edited(): Rings | undefined {
    return this.#scene?.rings.find(({ isEdited }) => isEdited);
  }

  #handleAt(x: number, y: number): Handle | undefined {
    const rings = this.#edited;
    const pivot = rings?.pivots[0];
    if (rings === undefined || pivot === undefined || this.#transform === undefined) return undefined;
    const [px, py] = toPicture(this.#transform, pivot.x, pivot.y);
    return handlesOf(rings, pivot, this.#transform.scale).find(
      (handle) => Math.hypot(px + handle.x - x, py + handle.y - y) <= REACH,
    );
  }

  #moveHandle({ kind, index }: Handle, x: number, y: number): void {
    const pivot = this.#edited?.pivots[0];
    if (pivot === undefined || this.#transform === undefined) return;
    const [worldX, worldY] = toWorld(this.#transform, x, y);
    const [dx, dy] = [worldX - pivot.x, worldY - pivot.y];
    if (kind === "radius") {
      const distance = this.#edited?.shape === "square" ? Math.max(Math.abs(dx), Math.abs(dy)) : Math.hypot(dx, dy);
      this.#events.onHandle(kind, index, distance / pivot.scale);
      return;
    }
    const [lookX, lookY] = pivot.direction ?? [1, 0];
    const cosine = (dx * lookX + dy * lookY) / Math.max(1e-9, Math.hypot(dx, dy));
    this.#events.onHandle(kind, index, (2 * Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI);
  }
}
