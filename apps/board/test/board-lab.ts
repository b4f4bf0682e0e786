/** A board on virtual time, and people who do what a test says. */

import type { Client } from "@nearfield/client";
import { setPivots } from "@nearfield/client/views";
import { Lab, type LabClient } from "@nearfield/netlab";
import type { LabOptions } from "@nearfield/netlab/internal";
import {
  BoardHost,
  type BoardHostOptions,
  boardOptions,
  CENTRE,
  Cursor,
  Draw,
  Note,
  Put,
  packInk,
  pivotsOf,
  type RefusalOfBoard,
  Refused,
  Stroke,
} from "../src/index.ts";

export interface Board {
  readonly lab: Lab;
  readonly host: BoardHost;
}

export function setUp(options: BoardHostOptions = {}, lab: Partial<LabOptions> = {}): Board {
  const made = new Lab({ ...boardOptions, seed: 1, ...lab });
  return { lab: made, host: new BoardHost(made.server, options) };
}

const SCREEN = { width: 1200, height: 800 };

/** Somebody at the board, who looks at one place of it. */
export class TestPerson {
  readonly lab: LabClient;
  readonly refusals: RefusalOfBoard[] = [];

  constructor({ lab }: Board, name: string, conditions: Parameters<Lab["join"]>[1] = {}) {
    this.lab = lab.join(name, conditions);
    this.client.onEvent(Refused, ({ reason }) => this.refusals.push(reason));
    lab.until(() => this.client.hasJoined);
    this.lookAt(CENTRE, CENTRE);
    lab.run(500);
  }

  get client(): Client {
    return this.lab.client;
  }

  lookAt(x: number, y: number): void {
    setPivots(this.client, pivotsOf({ x, y, ...SCREEN }, { x, y }));
  }

  put(key: number, words: string, x = CENTRE, y = CENTRE): number {
    return this.client.send(Put, { key, x, y, colour: 1, size: 1, plain: false, words });
  }

  draw(key: number, points: readonly number[], x = CENTRE, y = CENTRE): number {
    return this.client.send(Draw, { key, whole: key, x, y, colour: 1, size: 1, ink: packInk(points) });
  }

  note(key: number) {
    return [...this.client.world.all(Note)].find((note) => note.key === key);
  }

  stroke(key: number) {
    return [...this.client.world.all(Stroke)].find((stroke) => stroke.key === key);
  }

  get cursors() {
    return [...this.client.world.all(Cursor)];
  }
}
