/**
 * A part of the world that is drawn with fewer pixels than the screen has, and enlarged. The fog is soft, so nobody sees the difference. The ground is drawn
 * so where no graphics card helps: its shader then takes a quarter of the time.
 */

import { Container, Geometry, GlProgram, Mesh, type Renderer, RenderTexture, Shader } from "pixi.js";

const VERTEX = `#version 300 es
in vec2 aCorner;
uniform mat3 uProjectionMatrix;
uniform mat3 uWorldTransformMatrix;
uniform mat3 uTransformMatrix;
out vec2 vPoint;
void main() {
  mat3 toScreen = uProjectionMatrix * uWorldTransformMatrix * uTransformMatrix;
  gl_Position = vec4((toScreen * vec3(aCorner, 1.0)).xy, 0.0, 1.0);
  vPoint = aCorner;
}`;

const FRAGMENT = `#version 300 es
in vec2 vPoint;
uniform sampler2D uTexture;
out vec4 colour;
void main() {
  colour = texture(uTexture, vPoint);
}`;

export class Coarse {
  /** What is drawn: place it as the world is placed. */
  readonly world: Container = new Container();
  /** What goes on the stage. */
  readonly view: Container;
  readonly #share: number;
  readonly #texture: RenderTexture | undefined;

  /** `share`: pixels along each edge, of those that the screen has. 1 draws straight onto the stage. */
  constructor(share: number) {
    this.#share = share;
    if (share < 1) this.#texture = RenderTexture.create({ width: 1, height: 1, scaleMode: "linear" });
    this.view = this.#texture ? copyOf(this.#texture) : this.world;
  }

  resize(width: number, height: number, ratio: number): void {
    if (!this.#texture) return;
    this.#texture.resize(width, height, ratio * this.#share);
    this.view.scale.set(width, height);
  }

  draw(renderer: Renderer): void {
    if (this.#texture && this.view.visible)
      renderer.render({ container: this.world, target: this.#texture, clear: true, clearColor: [0, 0, 0, 0] });
  }

  close(): void {
    this.#texture?.destroy(true);
  }
}

/** A square of edge 1 with a texture on it; pixi's own sprites choose among sixteen textures at every pixel, which a processor is slow at. */
function copyOf(texture: RenderTexture): Mesh<Geometry, Shader> {
  return new Mesh({
    geometry: new Geometry({
      attributes: {
        aCorner: { buffer: new Float32Array([0, 0, 1, 0, 1, 1, 0, 1]), format: "float32x2", stride: 8, offset: 0 },
      },
      indexBuffer: new Uint16Array([0, 1, 2, 0, 2, 3]),
    }),
    shader: new Shader({
      glProgram: GlProgram.from({ vertex: VERTEX, fragment: FRAGMENT, name: "skirmish-coarse" }),
      resources: { uTexture: texture.source },
    }),
  });
}

/** Whether the processor draws because there is no graphics card. */
export function isSoftware(renderer: Renderer): boolean {
  const { gl } = renderer as Renderer & { gl: WebGL2RenderingContext };
  const facts = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(facts ? facts.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
