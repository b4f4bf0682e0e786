/** Somebody who writes and draws by the dice: to have many people at a board. It keeps to a place of its own and takes away what it put down long ago. */

import type { Client } from "@nearfield/client";
import { setPivots } from "@nearfield/client/views";
import { enableWriting } from "@nearfield/client/writing";
import { Dice } from "@nearfield/kit";
import { packInk } from "./ink.ts";
import { CENTRE, COLOURS, Cursor, Draw, Erase, Put } from "./shared.ts";
import { pivotsOf } from "./views.ts";

const SCREEN = { width: 1200, height: 800 } as const;
/** Rounds between two things that it puts down, and things that it leaves lying. */
const PUTS_EVERY = 40;
const KEEPS = 12;
/** How far from the middle of the board it may sit down, and how far from there it reaches. */
const SPREAD = 2000;
const REACH = 300;
const WORDS = ["ask the harbour", "done", "again on Monday", "why?", "two of these", "see below"] as const;

export class Scribbler {
  /** Things that it has put down. */
  put = 0;
  readonly #client: Client;
  readonly #dice: Dice;
  readonly #x: number;
  readonly #y: number;
  readonly #keys: number[] = [];
  #rounds = 0;

  constructor(client: Client, seed: number) {
    this.#client = client;
    this.#dice = new Dice(seed, "scribbler");
    this.#x = CENTRE + this.#aside(SPREAD);
    this.#y = CENTRE + this.#aside(SPREAD);
    enableWriting(client);
    client.activity(() => this.#look());
  }

  #look(): void {
    const cursor = this.#client.mine(Cursor);
    if (!cursor) return;
    if (this.#rounds++ % PUTS_EVERY > 0) return;
    const [x, y] = [this.#x + this.#aside(REACH), this.#y + this.#aside(REACH)];
    setPivots(this.#client, pivotsOf({ x: this.#x, y: this.#y, ...SCREEN }, { x, y }));
    Object.assign(cursor, { x, y, visible: true });
    if (this.#dice.chance(0.5)) this.#write(x, y);
    else this.#draw(x, y);
    if (this.#keys.length > KEEPS) this.#client.send(Erase, { keys: [this.#keys.shift()!] });
  }

  #write(x: number, y: number): void {
    const words = this.#dice.pick(WORDS);
    this.#client.send(Put, { key: this.#newKey(), x, y, colour: this.#colour(), size: 1, plain: false, words });
  }

  #draw(x: number, y: number): void {
    const points = Array.from({ length: 20 }, () => this.#aside(100));
    const key = this.#newKey();
    this.#client.send(Draw, { key, whole: key, x, y, colour: this.#colour(), size: 1, ink: packInk(points) });
  }

  #newKey(): number {
    const key = Math.floor(this.#dice.next() * 2 ** 32);
    this.#keys.push(key);
    this.put++;
    return key;
  }

  #colour(): number {
    return this.#dice.int(COLOURS);
  }

  #aside(most: number): number {
    return (2 * this.#dice.next() - 1) * most;
  }
}
