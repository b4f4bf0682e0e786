/**
 * One running game on the page, from joining to leaving. Each animation frame:
 *
 *   read → carry → follow → eat → hear → draw → write
 *
 * It reads replicas and events from the link and writes nothing back but what the player presses.
 */

import { playerColour } from "@nearfield/kit";
import { find } from "@nearfield/kit/browser";
import { Beeper } from "../beeper.ts";
import { type Heading, Maze, roomIndex } from "../maze.ts";
import { DOT } from "../palette.ts";
import { Camera, stageFor } from "./camera.ts";
import { Effects } from "./effects.ts";
import { Hud } from "./hud.ts";
import type { GameLink, Moment, PacReplica, ScoreLine } from "./link.ts";
import { Minimap } from "./minimap.ts";
import { Overlay } from "./overlay.ts";
import type { PlayReport } from "./report.ts";
import { Scene } from "./scene.ts";
import type { Screens } from "./screens.ts";
import { Shown } from "./shown.ts";
import type { Sound } from "./sound.ts";

const GLOW_MS = 700;
const TOAST_MS = 1500;
const SHAKE_MS = 350;
const PAN: readonly [number, number, number, number] = [0, 0.8, 0, -0.8];

export interface PlayParts {
  readonly link: GameLink;
  readonly canvas: HTMLCanvasElement;
  readonly root: HTMLElement;
  readonly screens: Screens;
  readonly sound: Sound;
}

export class Play {
  readonly #parts: PlayParts;
  readonly #context: CanvasRenderingContext2D;
  readonly #camera = new Camera();
  readonly #effects = new Effects();
  readonly #beeper = new Beeper();
  readonly #hud: Hud;
  readonly #overlay: Overlay;
  #world: { readonly scene: Scene; readonly shown: Shown; readonly minimap: Minimap } | undefined;
  #seed: number | undefined;
  #names = new Map<number, string>();
  #scores: ScoreLine[] = [];
  #overlayOn = false;
  #beeps = 0;
  #beepAt = Number.NEGATIVE_INFINITY;
  #sides: readonly Heading[] = [];
  #room = "";
  #toastUntil = 0;
  #shakeAt = Number.NEGATIVE_INFINITY;
  #nowMs = 0;

  constructor(parts: PlayParts) {
    this.#parts = parts;
    this.#context = parts.canvas.getContext("2d", { alpha: false })!;
    this.#hud = new Hud(parts.root);
    this.#overlay = new Overlay(find("#divergences", parts.root));
    parts.link.onMoment((moment) => this.#live(moment));
  }

  turn(want: Heading): void {
    this.#parts.link.turn(want);
    this.#world?.shown.press(want, this.#nowMs);
  }

  again(): void {
    this.#parts.link.again();
  }

  rest(on: boolean): void {
    this.#parts.link.rest(on);
    if (on) this.#parts.sound.siren(false);
  }

  toggleOverlay(): void {
    this.#overlayOn = !this.#overlayOn;
    this.#parts.root.dataset["overlay"] = String(this.#overlayOn);
    this.#parts.link.watch(this.#overlayOn);
  }

  frame(nowMs: number): void {
    const elapsedMs = Math.min(100, nowMs - this.#nowMs);
    this.#nowMs = nowMs;
    const { link, canvas } = this.#parts;
    this.#layOut();
    this.#readScores();
    const own = link.own();
    const world = this.#enterWorld();
    if (world && own) {
      world.shown.update(nowMs, own, link.pacs(), link.ghosts());
      this.#follow(world.shown, own, elapsedMs);
      this.#eat(world, own);
      this.#hear(own);
      const glow = Math.max(0, 1 - (nowMs - this.#beepAt) / GLOW_MS) * 0.8 + (this.#sides.length > 0 ? 0.2 : 0);
      const overlay = this.#overlayOn;
      const nameOf = (number: number): string => this.#nameOf(number);
      world.scene.draw(this.#context, { nowMs, elapsedMs, link, own, overlay, glowSides: this.#sides, glow, nameOf });
      world.minimap.draw(link, own, nowMs);
    }
    this.#shake(canvas);
    this.#write(own);
  }

  report(): PlayReport {
    const { link } = this.#parts;
    const own = link.own();
    return {
      status: link.status.kind,
      beeps: this.#beeps,
      room: own && [roomIndex(own.x), roomIndex(own.y)],
      own: own && { x: own.x, y: own.y, score: own.score, lives: own.lives },
      opponents: [...link.pacs()]
        .filter((pac) => pac.id !== own?.id)
        .map((pac) => ({ number: pac.number, name: this.#nameOf(pac.number), x: pac.x, y: pac.y })),
      overlayRows: this.#overlayOn ? this.#overlay.shown : 0,
    };
  }

  close(): void {
    this.#parts.sound.siren(false);
    this.#parts.root.dataset["overlay"] = "false";
    this.#parts.link.close();
  }

  #layOut(): void {
    const { canvas, root } = this.#parts;
    const [width, height] = [root.clientWidth, root.clientHeight];
    const ratio = Math.min(2, devicePixelRatio);
    if (canvas.width === Math.round(width * ratio) && canvas.height === Math.round(height * ratio)) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    this.#camera.stage = stageFor(width, height);
    const { left, top, size, wide } = this.#camera.stage;
    root.style.setProperty("--stage-left", `${left}px`);
    root.style.setProperty("--stage-top", `${top}px`);
    root.style.setProperty("--stage-size", `${size}px`);
    root.dataset["layout"] = wide ? "wide" : "tall";
  }

  #enterWorld(): { readonly scene: Scene; readonly shown: Shown; readonly minimap: Minimap } | undefined {
    const { match } = this.#parts.link;
    // A server that was started anew has another maze.
    if (match === undefined || match.seed === this.#seed) return this.#world;
    this.#seed = match.seed;
    const maze = new Maze(match.seed);
    const shown = new Shown(maze);
    const minimap = new Minimap(find<HTMLCanvasElement>("#map", this.#parts.root), maze);
    this.#world = { scene: new Scene(maze, this.#camera, shown, this.#effects), shown, minimap };
    this.#parts.sound.start();
    return this.#world;
  }

  #readScores(): void {
    this.#scores = [...this.#parts.link.scores()];
    this.#names = new Map(this.#scores.map((line) => [line.number, line.name]));
  }

  #nameOf(number: number): string {
    return this.#names.get(number) ?? "…";
  }

  #follow(shown: Shown, own: PacReplica, elapsedMs: number): void {
    const drawn = shown.get(own.id);
    if (!drawn) return;
    this.#camera.follow(drawn, this.#overlayOn, elapsedMs);
    const room = `(${this.#camera.column},${this.#camera.row})`;
    if (room === this.#room) return;
    this.#room = room;
    this.#toastUntil = this.#nowMs + TOAST_MS;
  }

  #eat(world: { readonly scene: Scene; readonly shown: Shown }, own: PacReplica): void {
    const drawn = world.shown.get(own.id);
    if (!drawn || own.condition === "dying" || own.condition === "out") return;
    if (!world.scene.swallow(drawn, this.#parts.link, this.#nowMs)) return;
    this.#parts.sound.chomp();
    this.#effects.burst({ x: Math.round(drawn.x), y: Math.round(drawn.y) }, DOT, 3, this.#nowMs, 0.5);
  }

  #hear(own: PacReplica): void {
    const { link, sound, root } = this.#parts;
    const playing = own.condition !== "dying" && own.condition !== "out";
    const opponents = [...link.pacs()].filter(
      (pac) => pac.id !== own.id && pac.condition !== "out" && pac.condition !== "dying",
    );
    const { sides, beep } = this.#beeper.look(this.#nowMs, playing ? own : undefined, opponents);
    this.#sides = sides;
    sound.siren(own.condition === "powered" || own.condition === "fading");
    if (!beep) return;
    this.#beeps++;
    this.#beepAt = this.#nowMs;
    root.dataset["beeps"] = String(this.#beeps);
    sound.beep(sides.reduce<number>((pan, side) => pan + PAN[side], 0) / sides.length);
  }

  #live(moment: Moment): void {
    const { sound, link } = this.#parts;
    const own = link.own();
    const now = this.#nowMs;
    const colour = playerColour(
      [...link.pacs()].find((pac) => pac.number === ("by" in moment ? moment.by : moment.who))?.colour ?? 0,
    );
    const mine = own !== undefined && own.number === ("by" in moment ? moment.by : moment.who);
    switch (moment.kind) {
      case "eaten":
        this.#effects.rise(moment, `+${moment.points}`, colour, now, moment.what === "room" ? 0.9 : 0.62);
        this.#effects.burst(moment, colour, 14, now);
        if (!mine) return;
        if (moment.what === "ghost") sound.eatGhost();
        else if (moment.what === "player") sound.eatPlayer();
        else sound.cleared();
        return;
      case "died":
        this.#effects.burst(moment, colour, 22, now, 2.2);
        if (!mine) return;
        this.#shakeAt = now;
        sound.death();
        return;
      case "power":
        this.#effects.ring(moment, colour, now, 4);
        if (!mine) return;
        this.#hud.renewPower(now);
        sound.power();
        return;
      case "extraLife":
        if (!mine || !own) return;
        this.#effects.rise(own, "extra life", "#7dff6b", now, 0.8);
        sound.extraLife();
    }
  }

  #shake(canvas: HTMLCanvasElement): void {
    const left = 1 - (this.#nowMs - this.#shakeAt) / SHAKE_MS;
    canvas.style.translate =
      left > 0 ? `${Math.sin(this.#nowMs / 17) * 9 * left}px ${Math.cos(this.#nowMs / 13) * 7 * left}px` : "none";
  }

  #write(own: PacReplica | undefined): void {
    const { link, root, screens, sound } = this.#parts;
    this.#hud.update(link, own, this.#scores, sound.muted, this.#nowMs);
    if (this.#overlayOn) this.#overlay.update(link, own, (number) => this.#nameOf(number), this.#nowMs);
    const toast = find("#toast", root);
    toast.textContent = this.#room;
    toast.dataset["on"] = String(this.#nowMs < this.#toastUntil && !this.#overlayOn);
    if (link.status.kind !== "playing" || !own)
      screens.showStatus(link.status.kind === "playing" ? { kind: "joining" } : link.status);
    else if (link.match?.phase === "over") screens.show("match-over");
    else if (own.condition === "out") this.#showOver(own);
    else screens.show("");
  }

  #showOver(own: PacReplica): void {
    const ranked = [...this.#scores].sort((a, b) => b.score - a.score);
    const line = ranked.find(({ number }) => number === own.number);
    this.#parts.screens.showOver(own.score, Math.max(own.score, line?.best ?? 0), line ? ranked.indexOf(line) + 1 : 0);
  }
}
