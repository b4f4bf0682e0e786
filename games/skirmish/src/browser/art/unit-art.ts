/**
 * Draws the units: shadow, body, turret, what they carry. Near the ground each is the vehicle or soldier that it is; from high up each is the sign of its kind,
 * large enough to be told apart.
 */

import { FLIES, KIND, RADIUS } from "../../rules/kinds.ts";
import { DOINGS } from "../../state.ts";
import type { Effects } from "../effects.ts";
import type { Picture } from "../picture.ts";
import type { Decals } from "./decals.ts";
import type { Layer } from "./layer.ts";
import { FIRE, grain, ORE, tint } from "./palette.ts";
import type { Shots } from "./shots.ts";
import type { Sight } from "./sight.ts";
import type { Signs } from "./sign-shapes.ts";
import { Tracks, turned } from "./tracks.ts";
import type { UnitFrames } from "./unit-shapes.ts";

/** Below this many CSS pixels per world unit units are signs. */
export const SIGNS_BELOW = 0.8;
/** Units are drawn a little larger than they are to their neighbours. */
const LARGER = 1.12;
const BODY_TURN = 9;
const AIM_TURN = 14;
const RECOIL_MS = 220;
const DUST_MS = 260;
const WORK_MS = 170;

const MOVING = DOINGS.indexOf("moving");
const FIGHTING = DOINGS.indexOf("fighting");
const CARRYING = DOINGS.indexOf("carrying");
const GATHERING = DOINGS.indexOf("gathering");
const WORKING: readonly boolean[] = DOINGS.map((doing) => doing === "building" || doing === "repairing");
const SIGN_PIXELS: readonly number[] = [4, 4.6, 4, 4.5, 5.6, 5.1, 5.4];

export interface UnitLayers {
  readonly shadows: Layer;
  readonly bodies: Layer;
  readonly airShadows: Layer;
  readonly fliers: Layer;
  readonly lights: Layer;
}

export class UnitArt {
  readonly tracks: Tracks = new Tracks();
  readonly #frames: readonly UnitFrames[];
  readonly #signs: Signs;
  readonly #effects: Effects;
  readonly #shots: Shots;
  readonly #decals: Decals;
  #nowMs = 0;
  #colours: readonly number[] = [];
  readonly #lose = (row: number): void => {
    const kind = this.tracks.kind[row]!;
    const colour = this.#colours[this.tracks.side[row]!] ?? 0;
    this.#decals.lose(this.tracks, row, this.#frames[kind]!.body, RADIUS[kind]! * LARGER, colour, this.#nowMs);
  };

  constructor(frames: readonly UnitFrames[], signs: Signs, effects: Effects, shots: Shots, decals: Decals) {
    this.#frames = frames;
    this.#signs = signs;
    this.#effects = effects;
    this.#shots = shots;
    this.#decals = decals;
  }

  draw(layers: UnitLayers, picture: Picture, sight: Sight, elapsedMs: number, isCalm: boolean): void {
    const { units, nowMs, colours } = picture;
    const { tracks } = this;
    this.#nowMs = nowMs;
    this.#colours = colours;
    const bodyTurn = (BODY_TURN * elapsedMs) / 1000;
    const aimTurn = (AIM_TURN * elapsedMs) / 1000;
    const asSigns = sight.scale < SIGNS_BELOW;
    tracks.begin();
    for (let unit = 0; unit < units.count; unit++) {
      const [x, y, kind, side] = [units.x[unit]!, units.y[unit]!, units.kind[unit]!, units.side[unit]!];
      const heading = units.heading[unit]!;
      const doing = units.doing[unit]!;
      const row = tracks.touch(units.id[unit]!, x, y, kind, side, heading);
      tracks.aim[row] = turned(tracks.aim[row]!, heading, aimTurn);
      // Who has a turret keeps its body where it was going while it fights.
      if (doing !== FIGHTING || !this.#frames[kind]!.turret)
        tracks.body[row] = turned(tracks.body[row]!, heading, bodyTurn);
      if (doing === FIGHTING) this.#shots.fight(tracks, row, picture, sight);
      else tracks.nextShotMs[row] = 0;
      if (!sight.sees(x, y, RADIUS[kind]! * 3)) continue;
      const colour = tint(colours[side] ?? 0xffffff);
      if (asSigns) this.#drawSign(layers, row, kind, colour, sight);
      else this.#drawUnit(layers, row, kind, colour, doing, isCalm);
    }
    tracks.end(this.#lose);
  }

  #drawSign(layers: UnitLayers, row: number, kind: number, colour: number, sight: Sight): void {
    const { x, y, aim } = this.tracks;
    const size = Math.max(RADIUS[kind]! * 1.05, sight.pixels(SIGN_PIXELS[kind]!));
    const layer = FLIES[kind] === 1 ? layers.fliers : layers.bodies;
    layer.add(this.#frames[kind]!.sign, x[row]!, y[row]!, size, aim[row]!, colour);
  }

  #drawUnit(layers: UnitLayers, row: number, kind: number, colour: number, doing: number, isCalm: boolean): void {
    const { tracks } = this;
    const { body, turret } = this.#frames[kind]!;
    const [x, y] = [tracks.x[row]!, tracks.y[row]!];
    const radius = RADIUS[kind]! * LARGER;
    const phase = grain(tracks.id[row]!, 1) * 6.28;
    if (kind === KIND.wasp) return this.#drawWasp(layers, row, colour, radius, isCalm ? 0 : phase);
    let turn = tracks.body[row]!;
    const isOnFoot = kind === KIND.trooper || kind === KIND.lancer;
    if (doing === MOVING && !isCalm) {
      if (isOnFoot) turn += Math.sin(this.#nowMs / 85 + phase) * 0.13;
      else this.#leaveDust(row, radius);
    }
    const back = this.#recoil(row) * radius;
    const aim = tracks.aim[row]!;
    const [backX, backY] = turret ? [0, 0] : [Math.cos(aim) * back * 0.5, Math.sin(aim) * back * 0.5];
    layers.shadows.add(body, x + 1.3, y + 1.7, radius, turn, 0x80000000);
    layers.bodies.add(body, x - backX, y - backY, radius, turn, colour);
    if (turret) layers.bodies.add(turret, x - Math.cos(aim) * back, y - Math.sin(aim) * back, radius, aim, colour);
    if (kind === KIND.builder) this.#drawWork(layers, row, radius, turn, doing);
  }

  /** It hovers: its shadow lies far off and sways. */
  #drawWasp(layers: UnitLayers, row: number, colour: number, radius: number, phase: number): void {
    const { tracks } = this;
    const [x, y, turn] = [tracks.x[row]!, tracks.y[row]!, tracks.aim[row]!];
    const { body } = this.#frames[KIND.wasp]!;
    const sway = phase === 0 ? 0 : Math.sin(this.#nowMs / 420 + phase);
    const size = radius * (1.12 + 0.03 * sway);
    layers.airShadows.add(body, x + 9 + sway, y + 12 + 1.4 * sway, radius, turn, 0x66000000);
    layers.fliers.add(body, x, y, size, turn, colour);
    const [cosine, sine] = [Math.cos(turn), Math.sin(turn)];
    const spin = phase === 0 ? 0 : this.#nowMs / 28 + phase;
    for (let wing = -1; wing <= 1; wing += 2) {
      const [ahead, aside] = [-0.36 * size, 0.92 * wing * size];
      const [atX, atY] = [x + ahead * cosine - aside * sine, y + ahead * sine + aside * cosine];
      layers.fliers.add(this.#signs.rotor, atX, atY, size * 0.62, spin * wing, 0xffffffff | 0);
    }
    layers.lights.stretch(
      this.#signs.glow,
      x - cosine * size * 1.3,
      y - sine * size * 1.3,
      3.4,
      3.4,
      0,
      tint(FIRE, 0.5),
    );
  }

  /** Cargo, and what flies off the work. */
  #drawWork(layers: UnitLayers, row: number, radius: number, turn: number, doing: number): void {
    const { tracks } = this;
    const [cosine, sine] = [Math.cos(turn), Math.sin(turn)];
    const [x, y] = [tracks.x[row]!, tracks.y[row]!];
    if (doing === CARRYING) {
      const [atX, atY] = [x - cosine * radius * 0.45, y - sine * radius * 0.45];
      layers.bodies.add(this.#signs.crystals[0]!, atX, atY, radius * 0.62, turn, tint(ORE));
    }
    if ((doing !== GATHERING && !WORKING[doing]) || this.#nowMs < tracks.nextPuffMs[row]!) return;
    tracks.nextPuffMs[row] = this.#nowMs + WORK_MS * (1 + grain(tracks.id[row]!, this.#nowMs, 7));
    const [atX, atY] = [x + cosine * radius * 1.5, y + sine * radius * 1.5];
    this.#effects.sparks(atX, atY, doing === GATHERING ? ORE : 0x8fd6ff, 2, 46);
  }

  #leaveDust(row: number, radius: number): void {
    const { tracks } = this;
    if (this.#nowMs < tracks.nextPuffMs[row]!) return;
    tracks.nextPuffMs[row] = this.#nowMs + DUST_MS * (0.7 + grain(tracks.id[row]!, this.#nowMs, 3));
    const turn = tracks.body[row]!;
    const [x, y] = [tracks.x[row]! - Math.cos(turn) * radius, tracks.y[row]! - Math.sin(turn) * radius];
    this.#effects.dust(x, y, radius * 0.8);
  }

  /** How far back the last shot has pushed what fired it, in radii. */
  #recoil(row: number): number {
    const left = 1 - (this.#nowMs - this.tracks.firedMs[row]!) / RECOIL_MS;
    return left > 0 ? left * left * 0.32 : 0;
  }
}
