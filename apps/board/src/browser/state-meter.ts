/**
 * Counts the updates that this page was sent, and their bytes as the server counts those of a broadcast (`broadcast-meter.ts`): so the two can be
 * compared. What this person writes itself is counted apart: a broadcast would not send it back either.
 */

import type { Client } from "@nearfield/client";
import type { Entity } from "@nearfield/core";
import type { Fields, ObjectType } from "@nearfield/schema";
import { HEAD_BYTES, updateBytes } from "../broadcast-meter.ts";
import { Cursor, Draft, Note, Person, Stroke } from "../shared.ts";

export class StateMeter {
  updates = 0;
  bytes = 0;
  ownUpdates = 0;
  ownBytes = 0;

  follow(client: Client): void {
    for (const type of [Stroke, Note, Person, Cursor, Draft] as unknown as readonly ObjectType<Fields>[]) {
      client.onSpawn(type, (entity) => this.#count(updateBytes(entity as unknown as Entity, () => true)));
      client.onUpdate(type, (entity, mask) =>
        this.#count(updateBytes(entity as unknown as Entity, (index) => ((mask >>> index) & 1) === 1)),
      );
      client.onDestroy(type, () => this.#count(HEAD_BYTES));
    }
  }

  #count(bytes: number): void {
    this.updates += 1;
    this.bytes += bytes;
  }

  /** This person wrote these fields of an object. */
  wrote(entity: object, names: readonly string[]): void {
    const written = entity as Entity;
    this.ownUpdates += 1;
    this.ownBytes += updateBytes(written, (index) => names.includes(written.type.fields[index]!.name));
  }
}
