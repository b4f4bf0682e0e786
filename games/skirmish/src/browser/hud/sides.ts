/** The list of sides: colour, name, who is out. Who watches sees what each of them has, too. */

import { playerColour } from "@nearfield/kit";
import { escapeText, type Writer } from "@nearfield/kit/browser";
import type { Field } from "../field.ts";
import type { Network } from "../network.ts";
import type { Pieces } from "../picture.ts";

const EVERY_MS = 250;

/** Copied, because it is kept from frame to frame, and an object that is gone cannot be read. */
export interface SideLine {
  readonly side: number;
  readonly name: string;
  readonly colour: number;
  readonly bot: boolean;
  readonly ready: boolean;
  readonly standing: boolean;
}

export class Sides {
  readonly #write: Writer;
  /** By number of the side. */
  lines: readonly SideLine[] = [];
  /** RGB by side, for what is drawn. */
  readonly colours: number[] = [];
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(write: Writer) {
    this.#write = write;
  }

  nameOf(side: number): string {
    return this.lines.find((line) => line.side === side)?.name ?? "Nobody";
  }

  read(network: Network, nowMs: number): void {
    if (nowMs - this.#readMs < EVERY_MS) return;
    this.#readMs = nowMs;
    this.lines = network.sides.list
      .filter(({ alive }) => alive)
      .map(({ side, name, colour, bot, ready, standing }) => ({ side, name, colour, bot, ready, standing }))
      .sort((a, b) => a.side - b.side);
    for (const { side, colour } of this.lines) this.colours[side] = Number.parseInt(playerColour(colour).slice(1), 16);
  }

  /** The list in the corner. */
  show(field: Field | undefined, ownSide: number, isSpectator: boolean): void {
    const markup = this.lines.map((line) => {
      const has = isSpectator && field ? countsOf(field, line.side) : "";
      return `<li data-own="${line.side === ownSide}" data-out="${!line.standing}" style="--colour:${playerColour(line.colour)}"><i></i><span>${escapeText(line.name)}</span>${line.bot ? "<small>bot</small>" : ""}${has}</li>`;
    });
    this.#write.markup("sides", markup.join(""));
  }

  /** As rows of a table, for the waiting room and the result. */
  rows(ownSide: number, winner: number): string {
    return this.lines
      .map((line) => {
        const what = line.side === ownSide ? "you" : line.bot ? "bot" : "player";
        const wish = line.ready ? "<em>ready</em>" : "";
        const end = line.side === winner ? "<b>won</b>" : line.standing ? "" : "<u>out</u>";
        return `<li data-own="${line.side === ownSide}" style="--colour:${playerColour(line.colour)}"><i></i><span>${escapeText(line.name)}</span><small>${what}</small>${end}${wish}</li>`;
      })
      .join("");
  }
}

function countsOf({ units, buildings }: Field, side: number): string {
  return `<em>${counted(countOf(units, side), "unit")}</em><em>${counted(countOf(buildings, side), "building")}</em>`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function countOf({ count, side: sides }: Pieces, side: number): number {
  let found = 0;
  for (let row = 0; row < count; row++) if (sides[row] === side) found++;
  return found;
}
