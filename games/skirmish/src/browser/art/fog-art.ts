/**
 * The fog over the map: black where the side never saw anything, dim where it once did, clear where it sees now. Cells change over a quarter of a second, and the
 * shader rounds them off and frays their edges, so nobody sees cells.
 */

import { BufferImageSource, type Geometry, GlProgram, Mesh, Shader, UniformGroup } from "pixi.js";
import { FOG_CELL } from "../../state.ts";
import type { SeenCells } from "../picture.ts";
import { closeMesh, mapSquare } from "./ground.ts";
import { GROUND_VERTEX } from "./ground-shader.ts";

const CHANGE_MS = 260;

const FRAGMENT = `#version 300 es
in vec2 vPlace;
uniform sampler2D uCells;
uniform sampler2D uNoise;
uniform float uSize;
uniform float uAcross;
uniform float uSeconds;
out vec4 colour;

/** A smooth curve over four by four cells: four reads between cells. */
vec2 cellsAt(vec2 place) {
  vec2 at = place / uSize * uAcross - 0.5;
  vec2 part = fract(at);
  at -= part;
  vec2 part2 = part * part;
  vec2 part3 = part2 * part;
  vec2 w0 = (1.0 - part) * (1.0 - part) * (1.0 - part) / 6.0;
  vec2 w1 = (4.0 - 6.0 * part2 + 3.0 * part3) / 6.0;
  vec2 w3 = part3 / 6.0;
  vec2 w2 = 1.0 - w0 - w1 - w3;
  vec2 g0 = w0 + w1;
  vec2 g1 = w2 + w3;
  vec2 p0 = (at + w1 / g0 - 0.5) / uAcross;
  vec2 p1 = (at + w3 / g1 + 1.5) / uAcross;
  vec2 left = texture(uCells, p0).rg * g0.y + texture(uCells, vec2(p0.x, p1.y)).rg * g1.y;
  vec2 right = texture(uCells, vec2(p1.x, p0.y)).rg * g0.y + texture(uCells, p1).rg * g1.y;
  return left * g0.x + right * g1.x;
}

void main() {
  vec4 wisps = texture(uNoise, vPlace / 190.0 + vec2(uSeconds * 0.006, -uSeconds * 0.004));
  vec2 inside = clamp(vPlace, vec2(0.0), vec2(uSize));
  // Nothing is seen far beyond the map's edge.
  float within = 1.0 - smoothstep(10.0, 110.0, length(vPlace - inside));
  vec2 cells = cellsAt(inside + (wisps.ag - 0.5) * 26.0) * within;
  float now = smoothstep(0.18, 0.72, cells.r);
  float once = smoothstep(0.16, 0.66, cells.g);
  float dim = 0.50 + 0.06 * (wisps.g - 0.5);
  float cover = mix(mix(0.985, dim, once), 0.0, now);
  vec3 tone = mix(vec3(0.018, 0.024, 0.045) + 0.016 * wisps.a, vec3(0.020, 0.035, 0.062), once);
  colour = vec4(tone * cover, cover);
}`;

export class FogArt {
  readonly mesh: Mesh<Geometry, Shader>;
  readonly #source: BufferImageSource;
  /** Two bytes by cell: how far it is seen now, how far it was once. */
  readonly #texels: Uint8Array;
  readonly #uniforms: { uSeconds: number };
  #isFresh = true;

  constructor(size: number, noise: BufferImageSource) {
    const across = Math.ceil(size / FOG_CELL);
    this.#texels = new Uint8Array(across * across * 2);
    this.#source = new BufferImageSource({
      resource: this.#texels,
      width: across,
      height: across,
      format: "rg8unorm",
      alphaMode: "no-premultiply-alpha",
      scaleMode: "linear",
      addressMode: "clamp-to-edge",
    });
    const group = new UniformGroup({
      uSize: { value: size, type: "f32" },
      uAcross: { value: across, type: "f32" },
      uSeconds: { value: 0, type: "f32" },
    });
    const shader = new Shader({
      glProgram: GlProgram.from({
        vertex: GROUND_VERTEX,
        fragment: FRAGMENT,
        name: "skirmish-fog",
        preferredFragmentPrecision: "highp",
      }),
      resources: {
        uCells: this.#source,
        uNoise: noise,
        fog: group,
      },
    });
    this.#uniforms = group.uniforms;
    this.mesh = new Mesh({ geometry: mapSquare(size), shader });
  }

  look(fog: SeenCells | undefined, elapsedMs: number, seconds: number): void {
    this.#uniforms.uSeconds = seconds;
    if (!fog) return;
    const most = this.#isFresh ? 255 : Math.ceil((255 * elapsedMs) / CHANGE_MS);
    this.#isFresh = false;
    if (this.#approach(fog.cells, most)) this.#source.update();
  }

  /** Moves every texel by at most `most` towards its cell; gives whether any moved. */
  #approach(cells: Uint8Array, most: number): boolean {
    const texels = this.#texels;
    let changed = false;
    for (let cell = 0; cell < cells.length; cell++) {
      const state = cells[cell]!;
      const now = state === 2 ? 255 : 0;
      const once = state > 0 ? 255 : 0;
      const at = cell * 2;
      const [wasNow, wasOnce] = [texels[at]!, texels[at + 1]!];
      if (wasNow === now && wasOnce === once) continue;
      texels[at] = now > wasNow ? Math.min(now, wasNow + most) : Math.max(now, wasNow - most);
      texels[at + 1] = Math.min(once, wasOnce + most);
      changed = true;
    }
    return changed;
  }

  close(): void {
    closeMesh(this.mesh);
    this.#source.destroy();
  }
}
