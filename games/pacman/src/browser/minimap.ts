/** The map of the 64 rooms: where you are, how full each room is, and where the others were last known to be; beyond the next rooms that is up to three seconds old. */

import { playerColour } from "@nearfield/kit";
import { DOT_ROWS, type RoomDots } from "../dots.ts";
import { type Maze, ROOM, ROOMS, roomIndex } from "../maze.ts";
import { roomHue } from "../palette.ts";
import type { GameLink, PacReplica } from "./link.ts";

export class Minimap {
  readonly #canvas: HTMLCanvasElement;
  readonly #full: readonly number[];

  constructor(canvas: HTMLCanvasElement, maze: Maze) {
    this.#canvas = canvas;
    const full = new Array<number>(ROOMS * ROOMS).fill(0);
    maze.dots.forEach((dot, tile) => {
      full[Math.floor(tile / (ROOMS * ROOM) / ROOM) * ROOMS + Math.floor((tile % (ROOMS * ROOM)) / ROOM)]! += dot;
    });
    this.#full = full;
  }

  draw(link: GameLink, own: PacReplica | undefined, nowMs: number): void {
    const context = this.#canvas.getContext("2d")!;
    const side = Math.round(this.#canvas.clientWidth * Math.min(2, devicePixelRatio));
    if (side === 0) return;
    if (this.#canvas.width !== side) this.#canvas.width = this.#canvas.height = side;
    const cell = side / ROOMS;
    context.clearRect(0, 0, side, side);
    for (let room = 0; room < ROOMS * ROOMS; room++) {
      const [column, row] = [room % ROOMS, Math.floor(room / ROOMS)];
      const dots = link.room(room);
      const share = dots ? countDots(dots) / this.#full[room]! : 0;
      const here = own && roomIndex(own.x) === column && roomIndex(own.y) === row;
      context.fillStyle = `hsl(${roomHue(room)} 75% ${here ? 46 : 9 + share * 17}%)`;
      context.beginPath();
      context.roundRect(column * cell + 1, row * cell + 1, cell - 2, cell - 2, cell * 0.2);
      context.fill();
    }
    for (const pac of link.pacs()) {
      if (pac.condition === "out") continue;
      const mine = pac.id === own?.id;
      const pulse = mine ? 0.19 + 0.03 * Math.sin(nowMs / 160) : 0.15;
      context.fillStyle = playerColour(pac.colour);
      context.strokeStyle = mine ? "#fff" : "rgb(0 0 0 / 0.6)";
      context.lineWidth = cell * 0.07;
      context.beginPath();
      context.arc(((pac.x + 0.5) / ROOM) * cell, ((pac.y + 0.5) / ROOM) * cell, cell * pulse, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }
  }
}

function countDots(dots: RoomDots): number {
  let count = 0;
  for (const name of DOT_ROWS) for (let bits = dots[name]; bits !== 0; bits &= bits - 1) count++;
  return count;
}
