/**
 * The network overlay: the zones around the camera as turned rectangles, those around the player's groups as circles, each in the colour of how exact it is, and
 * under every unit a ring that lights up with each update from the server.
 */

import { RADIUS } from "../../rules/kinds.ts";
import type { Camera } from "../camera.ts";
import type { Overlay, Picture } from "../picture.ts";
import type { Labels } from "./labels.ts";
import type { Layer } from "./layer.ts";
import { tint, ZONES } from "./palette.ts";
import type { Sight } from "./sight.ts";
import type { Signs } from "./sign-shapes.ts";

/** Ms for which an update shines. */
const FRESH_MS = 450;
const DASH_PIXELS = 12;
const MOST_DASHES = 160;

export class ZoneArt {
  readonly #signs: Signs;
  readonly #spot = { x: 0, y: 0 };

  constructor(signs: Signs) {
    this.#signs = signs;
  }

  draw(layer: Layer, labels: Labels, picture: Picture, camera: Camera, sight: Sight): void {
    const { overlay } = picture;
    if (!overlay || overlay.rise <= 0.01) return;
    this.#drawCamera(layer, labels, overlay, camera, sight);
    this.#drawGroups(layer, labels, overlay, camera, sight);
    this.#drawUpdates(layer, picture, overlay, sight);
  }

  #drawCamera(
    layer: Layer,
    labels: Labels,
    { camera: seen, coefficients, rise }: Overlay,
    camera: Camera,
    sight: Sight,
  ) {
    const [cosine, sine] = [Math.cos(seen.rotation), Math.sin(seen.rotation)];
    for (let zone = coefficients.length; zone >= 0; zone--) {
      const factor = zone === 0 ? 1 : coefficients[zone - 1]!;
      const colour = zoneColour(zone);
      const [halfWidth, halfHeight] = [(seen.size[0] / 2) * factor, (seen.size[1] / 2) * factor];
      const [x, y] = seen.at;
      layer.stretch(
        this.#signs.plain,
        x,
        y,
        halfWidth,
        halfHeight,
        seen.rotation,
        tint(colour, rise * (zone === 0 ? 0.05 : 0.02)),
      );
      const width = sight.pixels(zone === 0 ? 2.5 : 1.6);
      for (let side = 0; side < 4; side++) {
        const [u1, v1] = [side === 0 || side === 3 ? -halfWidth : halfWidth, side < 2 ? -halfHeight : halfHeight];
        const [u2, v2] = [side < 2 ? halfWidth : -halfWidth, side === 1 || side === 2 ? halfHeight : -halfHeight];
        const [x1, y1] = [x + u1 * cosine - v1 * sine, y + u1 * sine + v1 * cosine];
        const [x2, y2] = [x + u2 * cosine - v2 * sine, y + u2 * sine + v2 * cosine];
        if (zone === 0) layer.line(this.#signs.plain, x1, y1, x2, y2, width, tint(colour, 0.95 * rise));
        else this.#dashes(layer, x1, y1, x2, y2, width, tint(colour, 0.85 * rise), sight);
      }
      camera.toScreen(x + halfHeight * sine, y - halfHeight * cosine, this.#spot);
      const text = zone === 0 ? "camera · zone 0" : `zone ${zone} · × ${factor}`;
      labels.add(text, colour, this.#spot.x, this.#spot.y, rise);
    }
  }

  #drawGroups(layer: Layer, labels: Labels, { groups, groupFactors, rise }: Overlay, camera: Camera, sight: Sight) {
    for (const { x, y, radius } of groups) {
      for (let zone = groupFactors.length; zone >= 0; zone--) {
        const size = radius * (zone === 0 ? 1 : groupFactors[zone - 1]!);
        if (!sight.sees(x, y, size)) continue;
        this.#circle(layer, x, y, size, zone, rise, sight);
      }
      camera.toScreen(x, y - radius, this.#spot);
      if (radius * sight.scale > 24 && sight.sees(x, y, radius))
        labels.add("group", zoneColour(0), this.#spot.x, this.#spot.y, 0.9 * rise);
    }
  }

  /** Outlines of straight pieces, so that they keep their width. */
  #circle(layer: Layer, x: number, y: number, radius: number, zone: number, rise: number, sight: Sight): void {
    const colour = tint(zoneColour(zone), (zone === 0 ? 0.8 : 0.4) * rise);
    const pieces = Math.min(96, Math.max(24, Math.round((radius * sight.scale) / 4)));
    const step = (2 * Math.PI) / pieces;
    const width = sight.pixels(zone === 0 ? 2 : 1.3);
    for (let piece = 0; piece < pieces; piece++) {
      if (zone > 0 && piece % 2 === 1) continue;
      const [from, to] = [piece * step, (piece + 1) * step];
      const [x1, y1] = [x + Math.cos(from) * radius, y + Math.sin(from) * radius];
      layer.line(this.#signs.plain, x1, y1, x + Math.cos(to) * radius, y + Math.sin(to) * radius, width, colour);
    }
  }

  /** What was just sent shines, in the colour of the zone it lies in. */
  #drawUpdates(layer: Layer, { units, buildings, nowMs }: Picture, overlay: Overlay, sight: Sight): void {
    for (let group = 0; group < 2; group++) {
      const pieces = group === 0 ? units : buildings;
      for (let row = 0; row < pieces.count; row++) {
        const age = nowMs - pieces.updatedMs[row]!;
        if (age >= FRESH_MS) continue;
        const [x, y] = [pieces.x[row]!, pieces.y[row]!];
        if (!sight.sees(x, y, 20)) continue;
        const fresh = 1 - Math.max(0, age) / FRESH_MS;
        const radius = group === 0 ? RADIUS[pieces.kind[row]!]! : 22;
        const size = Math.max(radius * 1.5, sight.pixels(6)) * (1 + 0.7 * (1 - fresh));
        const colour = zoneColour(zoneOf(overlay, x, y));
        layer.add(this.#signs.ring, x, y, size, 0, tint(colour, overlay.rise * fresh * 0.9));
      }
    }
  }

  #dashes(
    layer: Layer,
    x1: number,
    y1: number,
    x2: number,
    y2: number,
    width: number,
    colour: number,
    sight: Sight,
  ): void {
    const length = Math.hypot(x2 - x1, y2 - y1);
    const count = Math.min(MOST_DASHES, Math.ceil((length * sight.scale) / DASH_PIXELS / 2));
    const [dx, dy] = [(x2 - x1) / count, (y2 - y1) / count];
    for (let dash = 0; dash < count; dash++) {
      const [x, y] = [x1 + dx * dash, y1 + dy * dash];
      layer.line(this.#signs.plain, x, y, x + dx * 0.55, y + dy * 0.55, width, colour);
    }
  }
}

function zoneColour(zone: number): number {
  return ZONES[Math.min(zone, ZONES.length - 1)]!;
}

/** The zone of the camera or of a group in which a place lies: the strictest counts. */
export function zoneOf({ camera, coefficients, groups, groupFactors }: Overlay, x: number, y: number): number {
  const [dx, dy] = [x - camera.at[0], y - camera.at[1]];
  const [cosine, sine] = [Math.cos(camera.rotation), Math.sin(camera.rotation)];
  const reach = Math.max(
    Math.abs(dx * cosine + dy * sine) / (camera.size[0] / 2),
    Math.abs(dy * cosine - dx * sine) / (camera.size[1] / 2),
  );
  let zone = zoneWithin(reach, coefficients);
  for (let at = 0; at < groups.length && zone > 0; at++) {
    const group = groups[at]!;
    const away = Math.hypot(x - group.x, y - group.y) / group.radius;
    zone = Math.min(zone, zoneWithin(away, groupFactors));
  }
  return zone;
}

function zoneWithin(reach: number, factors: readonly number[]): number {
  if (reach <= 1) return 0;
  let zone = 1;
  while (zone <= factors.length && reach > factors[zone - 1]!) zone++;
  return zone;
}
