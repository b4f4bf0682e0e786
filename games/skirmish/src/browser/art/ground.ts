/** The ground: one square with a shader that reads the relief of the map. */

import { type BufferImageSource, Geometry, GlProgram, Mesh, Shader, UniformGroup } from "pixi.js";
import type { Terrain } from "../../terrain/terrain.ts";
import { GROUND_FRAGMENT, GROUND_VERTEX } from "./ground-shader.ts";
import { reliefOf } from "./relief.ts";

/** World units of void around the map. */
export const VOID_WIDTH = 2600;

/** A square over the map and the void around it. */
export function mapSquare(size: number): Geometry {
  const [least, most] = [-VOID_WIDTH, size + VOID_WIDTH];
  return new Geometry({
    attributes: {
      aPlace: {
        buffer: new Float32Array([least, least, most, least, most, most, least, most]),
        format: "float32x2",
        stride: 8,
        offset: 0,
      },
    },
    indexBuffer: new Uint16Array([0, 1, 2, 0, 2, 3]),
  });
}

/** Frees a mesh, its shader before the textures that the shader reads. */
export function closeMesh(mesh: Mesh<Geometry, Shader>): void {
  const { geometry, shader } = mesh;
  mesh.destroy();
  shader?.destroy();
  geometry.destroy(true);
}

export class Ground {
  readonly mesh: Mesh<Geometry, Shader>;
  readonly #relief: BufferImageSource;
  readonly #uniforms: { uSeconds: number; uScale: number };

  constructor(terrain: Terrain, noise: BufferImageSource) {
    const { source, across } = reliefOf(terrain);
    this.#relief = source;
    const group = new UniformGroup({
      uSize: { value: terrain.size, type: "f32" },
      uAcross: { value: across, type: "f32" },
      uSeconds: { value: 0, type: "f32" },
      uScale: { value: 1, type: "f32" },
    });
    const shader = new Shader({
      glProgram: GlProgram.from({
        vertex: GROUND_VERTEX,
        fragment: GROUND_FRAGMENT,
        name: "skirmish-ground",
        preferredFragmentPrecision: "highp",
      }),
      resources: {
        uRelief: source,
        uNoise: noise,
        ground: group,
      },
    });
    this.#uniforms = group.uniforms;
    this.mesh = new Mesh({ geometry: mapSquare(terrain.size), shader });
    this.mesh.state.blend = false;
  }

  /** `seconds` moves the water; `scale`: CSS pixels per world unit. */
  look(seconds: number, scale: number): void {
    this.#uniforms.uSeconds = seconds;
    this.#uniforms.uScale = scale;
  }

  close(): void {
    closeMesh(this.mesh);
    this.#relief.destroy();
  }
}
