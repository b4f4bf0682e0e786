/** The map in the corner: the dungeon as far as somebody of the party has been, or the town. */

import type { Layout } from "../../dungeon/layout.ts";
import { GRID, TILE } from "../../dungeon/numbers.ts";
import { HOUSES, PLACE_SPOTS, PLAZA, TOWN_HEIGHT, TOWN_WIDTH } from "../../town/plan.ts";

export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly colour: string;
  readonly size: number;
}

/** Tiles around a hero that become known. */
const SEES = 7;

export class Minimap {
  readonly #context: CanvasRenderingContext2D;
  readonly #size: number;
  #known = new Uint8Array(GRID * GRID);

  constructor(canvas: HTMLCanvasElement) {
    this.#context = canvas.getContext("2d")!;
    this.#size = canvas.width;
  }

  forget(): void {
    this.#known = new Uint8Array(GRID * GRID);
  }

  drawDungeon(layout: Layout, heroes: readonly Mark[], others: readonly Mark[]): void {
    for (const { x, y } of heroes) this.#discover(layout, Math.floor(x / TILE), Math.floor(y / TILE));
    const context = this.#context;
    const unit = this.#size / GRID;
    context.clearRect(0, 0, this.#size, this.#size);
    for (let tile = 0; tile < this.#known.length; tile++) {
      if (this.#known[tile] === 0 || layout.walls[tile] !== 0) continue;
      context.fillStyle = "#46537c";
      context.fillRect((tile % GRID) * unit, Math.floor(tile / GRID) * unit, unit + 0.3, unit + 0.3);
    }
    const scale = unit / TILE;
    const isKnown = ({ x, y }: Mark): boolean => this.#known[Math.floor(y / TILE) * GRID + Math.floor(x / TILE)] === 1;
    for (const mark of [...others.filter(isKnown), ...heroes]) this.#dot(mark, scale, scale);
  }

  drawTown(marks: readonly Mark[]): void {
    const context = this.#context;
    const [scaleX, scaleY] = [this.#size / TOWN_WIDTH, this.#size / TOWN_HEIGHT];
    context.fillStyle = "#1d3329";
    context.fillRect(0, 0, this.#size, this.#size);
    context.fillStyle = "#565d75";
    context.beginPath();
    context.ellipse(
      PLAZA.x * scaleX,
      PLAZA.y * scaleY,
      PLAZA.radius * scaleX,
      PLAZA.radius * scaleY,
      0,
      0,
      2 * Math.PI,
    );
    context.fill();
    context.fillStyle = "#8a7660";
    for (const { x, y, width, height } of HOUSES)
      context.fillRect(x * scaleX, y * scaleY, width * scaleX, height * scaleY);
    for (const { x, y } of Object.values(PLACE_SPOTS))
      this.#dot({ x, y, colour: "#ffb968", size: 3.4 }, scaleX, scaleY);
    for (const mark of marks) this.#dot(mark, scaleX, scaleY);
  }

  #dot({ x, y, colour, size }: Mark, scaleX: number, scaleY: number): void {
    this.#context.fillStyle = colour;
    this.#context.beginPath();
    this.#context.arc(x * scaleX, y * scaleY, size, 0, 2 * Math.PI);
    this.#context.fill();
  }

  #discover(layout: Layout, column: number, row: number): void {
    for (let down = -SEES; down <= SEES; down++)
      for (let right = -SEES; right <= SEES; right++) {
        const [x, y] = [column + right, row + down];
        if (x < 0 || y < 0 || x >= GRID || y >= GRID || right * right + down * down > SEES * SEES) continue;
        if (
          this.#known[y * GRID + x] === 0 &&
          layout.sees((column + 0.5) * TILE, (row + 0.5) * TILE, (x + 0.5) * TILE, (y + 0.5) * TILE)
        )
          this.#known[y * GRID + x] = 1;
      }
  }
}
