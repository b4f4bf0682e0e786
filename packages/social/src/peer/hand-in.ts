/** What a member hands in at the end, on its way: in parts, a few in each tick, so that it does not look like a flood. */

import type { Client } from "@nearfield/client";
import { SpaceError } from "../spaces/errors.ts";
import { MOST_RESULT_PARTS, RESULT_PART_BYTES, SpaceResult } from "../spaces/messages.ts";

const PARTS_PER_TICK = 2;

export class HandIn {
  readonly #client: Client;
  readonly #space: number;
  #parts: Uint8Array[] = [];
  #sent = 0;

  constructor(client: Client, space: number) {
    this.#client = client;
    this.#space = space;
  }

  /** Takes the result, once. */
  begin(result: Uint8Array): void {
    const most = MOST_RESULT_PARTS * RESULT_PART_BYTES;
    if (result.length > most) throw new SpaceError("bad-option", `a result of ${result.length} bytes, ${most} at most`);
    if (this.#parts.length > 0) return;
    const count = Math.max(1, Math.ceil(result.length / RESULT_PART_BYTES));
    this.#parts = Array.from({ length: count }, (_, part) =>
      result.slice(part * RESULT_PART_BYTES, (part + 1) * RESULT_PART_BYTES),
    );
  }

  /** Sends the next parts. */
  tick(): void {
    const parts = this.#parts.length;
    const until = Math.min(parts, this.#sent + PARTS_PER_TICK);
    for (; this.#sent < until; this.#sent++)
      this.#client.send(SpaceResult, { space: this.#space, part: this.#sent, parts, bytes: this.#parts[this.#sent]! });
  }
}
