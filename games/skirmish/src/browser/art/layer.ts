/**
 * Many pictures of the sheet in one draw call. Each is eight words of one buffer: place, half width and half height, turn, two corners of the frame, tint. A
 * frame's writer fills the buffer anew, `show` sends what was written; nothing is allocated once the buffer is large enough.
 */

import { type BLEND_MODES, Buffer, BufferUsage, Geometry, GlProgram, Mesh, Shader, type TextureSource } from "pixi.js";
import { METAL, parts } from "./palette.ts";
import type { Frame } from "./sheet.ts";

const WORDS = 8;
const BYTES: number = WORDS * 4;

const VERTEX = `#version 300 es
in vec2 aCorner;
in vec2 aPlace;
in vec2 aSize;
in float aTurn;
in vec4 aFrame;
in vec4 aTint;
uniform mat3 uProjectionMatrix;
uniform mat3 uWorldTransformMatrix;
uniform mat3 uTransformMatrix;
out vec2 vPoint;
out vec4 vTint;
void main() {
  float cosine = cos(aTurn);
  float sine = sin(aTurn);
  vec2 at = aCorner * aSize;
  vec2 place = aPlace + vec2(at.x * cosine - at.y * sine, at.x * sine + at.y * cosine);
  mat3 toScreen = uProjectionMatrix * uWorldTransformMatrix * uTransformMatrix;
  gl_Position = vec4((toScreen * vec3(place, 1.0)).xy, 0.0, 1.0);
  vPoint = mix(aFrame.xy, aFrame.zw, aCorner * 0.5 + 0.5);
  vTint = aTint;
}`;

const FRAGMENT = `#version 300 es
in vec2 vPoint;
in vec4 vTint;
uniform sampler2D uTexture;
uniform vec3 uMetal;
uniform vec3 uLight;
out vec4 colour;
void main() {
  vec4 stuff = texture(uTexture, vPoint);
  colour = vec4(stuff.r * uMetal + stuff.g * vTint.rgb + stuff.b * uLight, stuff.a) * vTint.a;
}`;

export interface LayerOptions {
  readonly capacity?: number;
  readonly blend?: BLEND_MODES;
  /** What bare metal looks like here; default: `METAL`. */
  readonly metal?: number;
  /** What shines; default: white. */
  readonly light?: number;
}

export class Layer {
  readonly mesh: Mesh<Geometry, Shader>;
  readonly #buffer: Buffer;
  readonly #geometry: Geometry;
  #floats: Float32Array;
  #words: Uint32Array;
  #count = 0;
  #shown = -1;

  constructor(
    source: TextureSource,
    { capacity = 256, blend = "normal", metal = METAL, light = 0xffffff }: LayerOptions = {},
  ) {
    this.#floats = new Float32Array(capacity * WORDS);
    this.#words = new Uint32Array(this.#floats.buffer);
    const buffer = new Buffer({
      data: this.#floats,
      usage: BufferUsage.VERTEX | BufferUsage.COPY_DST,
      shrinkToFit: false,
    });
    const column = (format: "float32" | "float32x2" | "unorm16x4" | "unorm8x4", offset: number) => ({
      buffer,
      format,
      stride: BYTES,
      offset,
      instance: true,
    });
    this.#buffer = buffer;
    this.#geometry = new Geometry({
      attributes: {
        aCorner: { buffer: new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]), format: "float32x2", stride: 8, offset: 0 },
        aPlace: column("float32x2", 0),
        aSize: column("float32x2", 8),
        aTurn: column("float32", 16),
        aFrame: column("unorm16x4", 20),
        aTint: column("unorm8x4", 28),
      },
      indexBuffer: new Uint16Array([0, 1, 2, 0, 2, 3]),
      instanceCount: 0,
    });
    const shader = new Shader({
      glProgram: GlProgram.from({ vertex: VERTEX, fragment: FRAGMENT, name: "skirmish-layer" }),
      resources: {
        uTexture: source,
        look: {
          uMetal: { value: new Float32Array(parts(metal)), type: "vec3<f32>" },
          uLight: { value: new Float32Array(parts(light)), type: "vec3<f32>" },
        },
      },
    });
    this.mesh = new Mesh({ geometry: this.#geometry, shader });
    this.mesh.blendMode = blend;
  }

  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#count = 0;
  }

  /** A picture whose painter's unit is `unit` world units long. */
  add(frame: Frame, x: number, y: number, unit: number, turn: number, tint: number): void {
    this.stretch(frame, x, y, frame.reach * unit, frame.reach * unit, turn, tint);
  }

  /** A picture with so much to each side of its middle. */
  stretch(frame: Frame, x: number, y: number, width: number, height: number, turn: number, tint: number): void {
    this.#put(frame.from, frame.to, x, y, width, height, turn, tint);
  }

  /** The part of a picture from a corner on: see `lowerPart`. */
  addPart(
    from: number,
    frame: Frame,
    x: number,
    y: number,
    width: number,
    height: number,
    turn: number,
    tint: number,
  ): void {
    this.#put(from, frame.to, x, y, width, height, turn, tint);
  }

  /** A straight line; `width` is the whole width. */
  line(frame: Frame, x1: number, y1: number, x2: number, y2: number, width: number, tint: number): void {
    const [dx, dy] = [x2 - x1, y2 - y1];
    const length = Math.sqrt(dx * dx + dy * dy);
    this.#put(frame.from, frame.to, (x1 + x2) / 2, (y1 + y2) / 2, length / 2, width / 2, Math.atan2(dy, dx), tint);
  }

  /** Sends what was written since `begin`. */
  show(): void {
    if (this.#count === 0 && this.#shown === 0) return;
    this.#shown = this.#count;
    this.#geometry.instanceCount = this.#count;
    if (this.#count > 0) this.#buffer.update(this.#count * BYTES);
  }

  #put(
    from: number,
    to: number,
    x: number,
    y: number,
    width: number,
    height: number,
    turn: number,
    tint: number,
  ): void {
    const at = this.#count * WORDS;
    if (at === this.#floats.length) this.#grow();
    this.#count++;
    const floats = this.#floats;
    const words = this.#words;
    floats[at] = x;
    floats[at + 1] = y;
    floats[at + 2] = width;
    floats[at + 3] = height;
    floats[at + 4] = turn;
    words[at + 5] = from;
    words[at + 6] = to;
    words[at + 7] = tint;
  }

  #grow(): void {
    const larger = new Float32Array(this.#floats.length * 2);
    larger.set(this.#floats);
    this.#floats = larger;
    this.#words = new Uint32Array(larger.buffer);
    this.#buffer.data = larger;
  }
}
