/**
 * One fight on the page, from joining to leaving. Each animation frame:
 *
 *   read → fly → follow → draw → write
 *
 * It reads replicas and events and writes nothing back but what the player wants.
 */

import type { LinkStatus } from "@nearfield/kit";
import { FrameTimes, type Sheets, type StageSize } from "@nearfield/kit/browser";
import { Pen } from "./art/pen.ts";
import { cellAt } from "./art/view-art.ts";
import { Camera } from "./camera.ts";
import { Effects } from "./effects.ts";
import { type Figure, figureOf } from "./figure.ts";
import { Happenings } from "./happenings.ts";
import { Feed } from "./hud/feed.ts";
import { Panels } from "./hud/panels.ts";
import type { Input } from "./input/input.ts";
import type { Action, Intent } from "./input/intent.ts";
import type { LevelShelf } from "./level-shelf.ts";
import { type AvatarReplica, Network } from "./network.ts";
import { Pilot } from "./pilot.ts";
import type { PlayReport } from "./report.ts";
import { Scene } from "./scene.ts";
import type { Sound } from "./sound.ts";
import { Tracks } from "./tracks.ts";
import { Trails } from "./trails.ts";
import { Watching } from "./watching.ts";

/** A stick's sight lies this far ahead of the avatar, CSS pixels. */
const STICK_SIGHT = 120;
/** World units that a blast blackens. */
const SCORCH = 36;

export interface PlayParts {
  readonly url: string;
  readonly name: string;
  readonly role: "player" | "spectator";
  readonly canvas: HTMLCanvasElement;
  readonly size: StageSize;
  readonly root: HTMLElement;
  readonly screens: Sheets<LinkStatus>;
  readonly sound: Sound;
  readonly input: Input;
  readonly shelf: LevelShelf;
}

export class Play {
  readonly #parts: PlayParts;
  readonly #pen: Pen;
  readonly #network: Network;
  readonly #camera = new Camera();
  readonly #effects = new Effects();
  readonly #tracks = new Tracks();
  readonly #trails = new Trails(this.#effects);
  readonly #pilot: Pilot;
  readonly #watching: Watching;
  readonly #happenings: Happenings;
  readonly #panels: Panels;
  readonly #times = new FrameTimes();
  readonly #calm = matchMedia("(prefers-reduced-motion: reduce)");
  #scene: Scene | undefined;
  readonly #figures: Figure[] = [];
  /** The own avatar, in this frame only. */
  #own: AvatarReplica | undefined;
  /** Where it lies, while it is dead. */
  #fallen: Figure | undefined;
  #ownNumber = 0;
  #isDead = false;
  #overlay = false;
  #boardOpen = false;
  #phase = "";
  #nowMs = 0;

  constructor(parts: PlayParts) {
    this.#parts = parts;
    const { root, sound, canvas } = parts;
    this.#pen = new Pen(canvas.getContext("2d", { alpha: false })!);
    const feed = new Feed(root);
    this.#panels = new Panels(root, feed);
    const shared = { camera: this.#camera, effects: this.#effects, tracks: this.#tracks, sound };
    this.#happenings = new Happenings({
      ...shared,
      feed,
      ownNumber: () => this.#ownNumber,
      person: (number) => this.#panels.person(number),
      nowMs: () => this.#nowMs,
      isCalm: () => this.#calm.matches,
      scorch: (x, y) => this.#scene?.backdrop.scorch(x, y, SCORCH),
      following: (number) => {
        this.#watching.number = number;
      },
    });
    const handlers = this.#happenings;
    this.#network = new Network({ ...parts, nickname: parts.name, handlers, terrain: () => this.#scene?.terrain });
    this.#watching = new Watching((number) => this.#network.spectate(number));
    this.#pilot = new Pilot({ ...shared, network: this.#network });
  }

  act(action: Action): void {
    if (action === "net") this.toggleOverlay();
    else if (action === "next" || action === "previous") this.watch(action === "next" ? 1 : -1);
    else if (action === "swap" || action === "rifle" || action === "rocket") {
      this.#pilot.gun.swap(action === "swap" ? undefined : action);
      this.#parts.sound.play("swap");
    }
  }

  /** Follows the next avatar or the one before; while one is dead or only watches. */
  watch(step: 1 | -1): void {
    if (this.#isDead || this.#network.role === "spectator") this.#watching.turn(step, this.#figures);
  }

  toggleOverlay(): void {
    this.#overlay = !this.#overlay;
    this.#parts.root.dataset["overlay"] = String(this.#overlay);
  }

  /** Opens or closes the scoreboard, where there is no key to hold. */
  toggleBoard(): void {
    this.#boardOpen = !this.#boardOpen;
  }

  frame(nowMs: number): void {
    const startedMs = performance.now();
    const elapsedMs = Math.min(100, nowMs - this.#nowMs);
    this.#nowMs = nowMs;
    const ratio = this.#parts.size.fit(this.#camera);
    const intent = this.#parts.input.read();
    this.#network.look();
    this.#panels.read(this.#network, nowMs);
    this.#enterLevel();
    this.#read(intent);
    if (this.#scene) this.#show(this.#scene, intent, elapsedMs, ratio);
    this.#write(intent);
    this.#times.add(performance.now() - startedMs);
  }

  close(): void {
    this.#parts.root.dataset["overlay"] = "false";
    this.#panels.clear();
    this.#network.close();
  }

  #enterLevel(): void {
    const match = this.#network.match();
    if (match?.phase === "over" && this.#phase === "play") this.#parts.sound.play("matchOver");
    this.#phase = match?.phase ?? "";
    if (!match || this.#scene?.terrain.name === match.level) return;
    const terrain = this.#parts.shelf.get(match.level, this.#nowMs);
    if (!terrain) return;
    this.#scene = new Scene(terrain, this.#effects);
    this.#panels.enterLevel(this.#scene.ground);
    this.#camera.cut();
  }

  /** Others first, as they are shown; then what the player wants is done to its own avatar; then that is shown. */
  #read(intent: Intent): void {
    const own = this.#network.own();
    this.#own = own;
    this.#ownNumber = own?.number ?? 0;
    this.#isDead = own?.condition === "dead";
    const figures = this.#figures;
    figures.length = 0;
    for (const avatar of this.#network.avatars()) {
      if (avatar === own) continue;
      const figure = this.#figure(avatar, avatar.shown, false);
      if (avatar.condition !== "dead") figures.push(figure);
    }
    this.#fallen = undefined;
    if (!own || !this.#scene) this.#pilot.letGo();
    else if (own.condition === "dead") {
      this.#parts.input.lowerScope();
      this.#pilot.rest(own, intent);
      this.#fallen = this.#figure(own, own.shown, true);
    } else {
      this.#pilot.fly(own, intent, figures, this.#scene, this.#nowMs);
      figures.push(this.#figure(own, this.#network.predicted ?? own.shown, true));
    }
    this.#tracks.forget(this.#nowMs);
    if (this.#network.role === "spectator") this.#watching.begin(figures, this.#nowMs);
  }

  #figure(avatar: AvatarReplica, shown: Parameters<typeof figureOf>[1], own: boolean): Figure {
    const { name } = this.#panels.person(avatar.number);
    return figureOf(avatar, shown, this.#tracks, this.#network.roundOf(avatar.id), name, own, this.#nowMs);
  }

  #show(scene: Scene, intent: Intent, elapsedMs: number, ratio: number): void {
    const own = this.#figures.find((figure) => figure.own);
    const followed = this.#watching.of(this.#figures) ?? own ?? this.#fallen;
    const zoomed = followed?.own ? this.#pilot.zoomed : (followed?.avatar.zoomed ?? false);
    this.#follow(scene, followed, zoomed, intent, elapsedMs);
    this.#trails.puff(this.#network.rockets(), this.#camera, this.#nowMs);
    const pivot = followed && { x: followed.x, y: followed.y, heading: followed.heading, zoomed };
    if (pivot && this.#camera.rise > 0)
      for (const figure of this.#figures) figure.cell = cellAt(pivot, figure.x, figure.y);
    const frame = {
      nowMs: this.#nowMs,
      figures: this.#figures,
      rockets: this.#network.rockets(),
      items: this.#network.items(),
      pivot,
      own,
      sight: own && this.#sight(own, intent),
      mark: this.#happenings.mark,
      wounds: this.#happenings.wounds,
      overlay: this.#camera.rise,
    };
    scene.draw(this.#pen, this.#camera, frame, ratio);
    this.#panels.drawMap(this.#figures, this.#network.items(), pivot, this.#nowMs);
    if (this.#overlay && pivot) this.#panels.countUpdates(this.#figures, this.#nowMs);
  }

  #follow({ terrain }: Scene, at: Figure | undefined, scoped: boolean, intent: Intent, elapsedMs: number): void {
    const camera = this.#camera;
    const byPointer = at?.own === true && intent.aim === "pointer";
    const following = {
      // Where nobody is to be followed, the camera stays.
      x: at?.x ?? (camera.x || terrain.width / 2),
      y: at?.y ?? (camera.y || terrain.height / 2),
      aimX: byPointer ? intent.aimX - camera.width / 2 : 0,
      aimY: byPointer ? intent.aimY - camera.height / 2 : 0,
      faceX: Math.cos(at?.heading ?? 0),
      faceY: Math.sin(at?.heading ?? 0),
      scoped,
      overview: this.#overlay,
    };
    camera.follow(following, elapsedMs, terrain);
  }

  #sight({ x, y, heading }: Figure, intent: Intent): { readonly x: number; readonly y: number } {
    if (intent.aim === "pointer") return { x: intent.aimX, y: intent.aimY };
    const far = STICK_SIGHT * (1 + this.#camera.scope);
    return {
      x: this.#camera.screenX(x) + Math.cos(heading) * far,
      y: this.#camera.screenY(y) + Math.sin(heading) * far,
    };
  }

  #write(intent: Intent): void {
    const { screens, sound } = this.#parts;
    const { status, role } = this.#network;
    const own = this.#own;
    const predicted = own?.condition === "dead" ? undefined : this.#network.predicted;
    this.#panels.write(this.#network, {
      nowMs: this.#nowMs,
      own: predicted ?? own,
      watched: this.#watching.of(this.#figures)?.avatar,
      happenings: this.#happenings,
      boardHeld: intent.board || this.#boardOpen,
      overlay: this.#overlay,
      zoomed: this.#pilot.zoomed,
      muted: sound.muted,
      times: this.#times,
    });
    const isThere = this.#scene !== undefined && (own !== undefined || role === "spectator");
    if (status.kind !== "playing") screens.showStatus(status);
    else if (!isThere) screens.showStatus({ kind: "joining" });
    else screens.show("");
  }

  report(): PlayReport {
    const { hits, kills, deaths, shots } = this.#happenings;
    const camera = this.#camera;
    return {
      ...this.#network.report(camera, (number) => this.#panels.person(number).name),
      following: this.#watching.number,
      ...{ hits, kills, deaths, shots },
      sounds: this.#parts.sound.played,
      updates: this.#tracks.updates,
      scope: camera.scope,
      overlay: this.#overlay,
      painted: this.#scene?.backdrop.isReady ?? false,
      frame: { count: this.#times.count, p50: this.#times.percentile(0.5), p95: this.#times.percentile(0.95) },
    };
  }
}
