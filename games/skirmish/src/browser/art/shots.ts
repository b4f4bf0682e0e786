/**
 * The shots of those who fight. No message tells of single shots: a unit that fights points at its target and fires as often as its weapon can, so the page
 * knows enough to draw them. A tower's target is not told either: it is the nearest enemy that its weapon can hit.
 */

import { WEAPONS } from "../../rules/damage.ts";
import { DAMAGE, FIRST_BUILDING, KIND, RADIUS, RANGE } from "../../rules/kinds.ts";
import { UNIT_KINDS, type UnitKind } from "../../state.ts";
import type { Effects } from "../effects.ts";
import type { Picture, Pieces } from "../picture.ts";
import { ACCENT, FIRE, grain, PALE, SHOT } from "./palette.ts";
import type { Sight } from "./sight.ts";
import type { Tracks } from "./tracks.ts";

/** Shots beyond so many in a frame are not drawn. */
const MOST_SHOTS = 48;
/** How far from the line of fire a target may lie, beyond its own radius: headings come in 256 steps. */
const SLACK = 4;

interface Look {
  /** World units from the middle of the unit to its muzzle, in radii. */
  readonly muzzle: number;
  readonly flash: number;
  readonly width: number;
  readonly colour: number;
  readonly lifeMs: number;
  readonly sparks: number;
}

const LOOKS: Readonly<Record<UnitKind | "tower", Look | undefined>> = {
  builder: undefined,
  scout: { muzzle: 1.4, flash: 2, width: 0.8, colour: SHOT, lifeMs: 80, sparks: 2 },
  trooper: { muzzle: 1.3, flash: 2.2, width: 0.9, colour: SHOT, lifeMs: 90, sparks: 2 },
  lancer: { muzzle: 2, flash: 3, width: 2.4, colour: 0x8fd6ff, lifeMs: 200, sparks: 5 },
  tank: { muzzle: 1.7, flash: 5, width: 2, colour: FIRE, lifeMs: 120, sparks: 6 },
  mortar: { muzzle: 1, flash: 6, width: 0, colour: FIRE, lifeMs: 0, sparks: 0 },
  wasp: { muzzle: 1.2, flash: 2.4, width: 1.1, colour: ACCENT, lifeMs: 110, sparks: 3 },
  tower: { muzzle: 1.1, flash: 5, width: 1.8, colour: PALE, lifeMs: 130, sparks: 4 },
};
const UNIT_LOOKS: readonly (Look | undefined)[] = UNIT_KINDS.map((kind) => LOOKS[kind]);
const RELOADS: readonly number[] = UNIT_KINDS.map(
  (kind) => (WEAPONS as Partial<Record<UnitKind, { reloadMs: number }>>)[kind]?.reloadMs ?? 0,
);
const SHELL_MS = 650;

/** What is heard of a shot. */
export type ShotSound = (name: "shot" | "mortar", x: number, y: number) => void;

export class Shots {
  readonly #effects: Effects;
  sound: ShotSound | undefined;
  #left = MOST_SHOTS;

  constructor(effects: Effects) {
    this.#effects = effects;
  }

  begin(): void {
    this.#left = MOST_SHOTS;
  }

  /** A unit that fights; call in every frame. */
  fight(tracks: Tracks, row: number, picture: Picture, sight: Sight): void {
    const kind = tracks.kind[row]!;
    const look = UNIT_LOOKS[kind];
    if (!look || !this.#isTime(tracks, row, RELOADS[kind]!, picture.nowMs)) return;
    const [x, y] = [tracks.x[row]!, tracks.y[row]!];
    if (this.#left <= 0 || !sight.sees(x, y, RANGE[kind]!)) return;
    this.#left--;
    const aim = tracks.aim[row]!;
    const away = hitAway(picture, x, y, aim, kind, tracks.side[row]!);
    this.#fire(look, kind, x, y, aim, RADIUS[kind]!, away);
  }

  /** A finished tower; call in every frame. Turns its turret too. */
  guard(tracks: Tracks, row: number, picture: Picture, sight: Sight): void {
    const [x, y] = [tracks.x[row]!, tracks.y[row]!];
    if (!sight.sees(x, y, RANGE[KIND.tower]!)) return;
    const { units } = picture;
    const target = nearestTarget(units, x, y, tracks.side[row]!);
    if (target < 0) {
      tracks.nextShotMs[row] = 0;
      return;
    }
    const [dx, dy] = [units.x[target]! - x, units.y[target]! - y];
    tracks.aim[row] = Math.atan2(dy, dx);
    if (!this.#isTime(tracks, row, WEAPONS.tower.reloadMs, picture.nowMs) || this.#left <= 0) return;
    this.#left--;
    this.#fire(LOOKS.tower!, KIND.tower, x, y, tracks.aim[row]!, RADIUS[KIND.tower]!, Math.hypot(dx, dy));
  }

  #isTime(tracks: Tracks, row: number, reloadMs: number, nowMs: number): boolean {
    const next = tracks.nextShotMs[row]!;
    // Not all at once: the first shot comes within half a reload.
    if (next === 0) {
      tracks.nextShotMs[row] = nowMs + grain(tracks.id[row]!, 0, 5) * reloadMs * 0.5;
      return false;
    }
    if (nowMs < next) return false;
    tracks.nextShotMs[row] = Math.max(next + reloadMs, nowMs);
    tracks.firedMs[row] = nowMs;
    return true;
  }

  #fire(look: Look, kind: number, x: number, y: number, aim: number, radius: number, away: number): void {
    const effects = this.#effects;
    const [cosine, sine] = [Math.cos(aim), Math.sin(aim)];
    const [muzzleX, muzzleY] = [x + cosine * radius * look.muzzle, y + sine * radius * look.muzzle];
    const [hitX, hitY] = [x + cosine * away, y + sine * away];
    effects.muzzle(muzzleX, muzzleY, aim, look.flash, look.colour);
    if (kind === KIND.mortar) {
      effects.shell(muzzleX, muzzleY, hitX, hitY, SHELL_MS);
      effects.dust(muzzleX, muzzleY, 5);
      this.sound?.("mortar", x, y);
      return;
    }
    const [sideX, sideY] = [-sine * radius * 0.45, cosine * radius * 0.45];
    if (kind === KIND.wasp || kind === KIND.tower) {
      effects.tracer(muzzleX + sideX, muzzleY + sideY, hitX, hitY, look.width, look.colour, look.lifeMs);
      effects.tracer(muzzleX - sideX, muzzleY - sideY, hitX, hitY, look.width, look.colour, look.lifeMs);
    } else {
      effects.tracer(muzzleX, muzzleY, hitX, hitY, look.width, look.colour, look.lifeMs);
    }
    effects.sparks(hitX, hitY, look.colour, look.sparks, 40 + look.flash * 8);
    this.sound?.("shot", x, y);
  }
}

/** How far a shot flies: to the first enemy in its way, or most of its range. */
function hitAway(picture: Picture, x: number, y: number, aim: number, kind: number, side: number): number {
  const range = RANGE[kind]!;
  let best = range * 0.85;
  let found = false;
  const [cosine, sine] = [Math.cos(aim), Math.sin(aim)];
  for (let group = 0; group < 2; group++) {
    const pieces = group === 0 ? picture.units : picture.buildings;
    const first = group === 0 ? 0 : FIRST_BUILDING;
    for (let row = 0; row < pieces.count; row++) {
      if (pieces.side[row] === side) continue;
      const [dx, dy] = [pieces.x[row]! - x, pieces.y[row]! - y];
      const along = dx * cosine + dy * sine;
      const other = first + pieces.kind[row]!;
      const radius = RADIUS[other]!;
      if (along <= 0 || along > range + radius + SLACK || (found && along >= best)) continue;
      if (Math.abs(dx * sine - dy * cosine) > radius + SLACK || DAMAGE[kind]![other] === 0) continue;
      best = along;
      found = true;
    }
  }
  return best;
}

function nearestTarget(units: Pieces, x: number, y: number, side: number): number {
  let best = -1;
  let least = RANGE[KIND.tower]! ** 2;
  for (let row = 0; row < units.count; row++) {
    if (units.side[row] === side) continue;
    const [dx, dy] = [units.x[row]! - x, units.y[row]! - y];
    const square = dx * dx + dy * dy;
    if (square >= least) continue;
    least = square;
    best = row;
  }
  return best;
}
