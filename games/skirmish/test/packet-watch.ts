/**
 * Reads every byte that is sent to a client, and says what it names that the client may not know of. What a client may know is counted here anew from
 * the battle's columns: nothing of the server's visibility or of the rules' vision is asked.
 */

import { ReplicaStore } from "@nearfield/client/internal";
import type { Entity } from "@nearfield/core";
import type { LabPacket } from "@nearfield/netlab/internal";
import { decodeFromServer, FrameReader, RecordKind } from "@nearfield/protocol/internal";
import type { ObjectId } from "@nearfield/schema";
import type { Player } from "@nearfield/server";
import {
  type Battle,
  Building,
  FOG_CELL,
  Match,
  Ore,
  Purse,
  protocol,
  SIGHT,
  Side,
  Unit,
  Works,
} from "../src/index.ts";
import type { Skirmish } from "./skirmish-lab.ts";

/** By cell: whether a side sees it. It does if the middle of the cell is as near to the middle of a piece's cell as the piece sees. */
export function seenCells({ state: { pieces, terrain } }: Battle, side: number): Uint8Array {
  const cells = terrain.size / FOG_CELL;
  const seen = new Uint8Array(cells * cells);
  for (let slot = 0; slot < pieces.high; slot++) {
    if (pieces.alive[slot] === 0 || pieces.side[slot] !== side) continue;
    const reach = SIGHT[pieces.kind[slot]!]! / FOG_CELL;
    const [column, row] = [lineOf(pieces.x[slot]!, cells), lineOf(pieces.y[slot]!, cells)];
    for (let y = Math.max(0, row - Math.floor(reach)); y <= Math.min(cells - 1, row + reach); y++) {
      for (let x = Math.max(0, column - Math.floor(reach)); x <= Math.min(cells - 1, column + reach); x++) {
        if ((x - column) ** 2 + (y - row) ** 2 <= reach * reach) seen[y * cells + x] = 1;
      }
    }
  }
  return seen;
}

function lineOf(coordinate: number, cells: number): number {
  return Math.max(0, Math.min(cells - 1, Math.floor(coordinate / FOG_CELL)));
}

export function cellOf({ state: { terrain } }: Battle, x: number, y: number): number {
  const cells = terrain.size / FOG_CELL;
  return lineOf(y, cells) * cells + lineOf(x, cells);
}

type Seen = ReadonlySet<ObjectId>;

export class PacketWatch {
  /** What was named that must not be, in words. */
  readonly faults: string[] = [];
  readonly named = { created: 0, changed: 0, left: 0, destroyed: 0, blasts: 0, alarms: 0 };
  bytes = 0;
  readonly #skirmish: Skirmish;
  readonly #name: string;
  readonly #reader: FrameReader;
  readonly #store = new ReplicaStore(protocol);
  /** By slot of the client's ids: the object that it was told of. */
  readonly #told = new Map<number, { readonly entity: Entity; readonly isOwn: boolean }>();
  #before: Seen = new Set();
  #now: Seen = new Set();
  #cellsBefore: Uint8Array = new Uint8Array(0);
  #cells: Uint8Array = new Uint8Array(0);
  /** Cells that its side saw while it was away: alarms of that time are told when it comes back. */
  readonly #cellsAway = new Set<number>();

  /** Made before the client joins. */
  constructor(skirmish: Skirmish, name: string) {
    this.#skirmish = skirmish;
    this.#name = name;
    this.#reader = new FrameReader(protocol, this.#store, 0);
    skirmish.host.room.onRound(() => this.#look());
  }

  get #player(): Player | undefined {
    return [...this.#skirmish.host.room.players.values()].find(({ nickname }) => nickname === this.#name);
  }

  get side(): number | undefined {
    const player = this.#player;
    return player === undefined ? undefined : this.#skirmish.host.sideOf(player);
  }

  /** At the end of a round, before its packets: what the client may know of. */
  #look(): void {
    const { battle } = this.#skirmish.host;
    const { side } = this;
    const { world } = this.#skirmish.lab;
    this.#cellsBefore = this.#cells;
    this.#cells = side === undefined ? new Uint8Array(0) : seenCells(battle, side);
    if (this.#player?.presence === "away") {
      for (const [cell, isSeen] of this.#cells.entries()) if (isSeen === 1) this.#cellsAway.add(cell);
    }
    const now = new Set<ObjectId>();
    for (const type of [Unit, Building, Ore] as const) {
      for (const piece of world.all(type as typeof Unit)) {
        const isOwn = (type as unknown) !== Ore && piece.side === side;
        if (isOwn || this.#cells[cellOf(battle, piece.x, piece.y)] === 1) now.add(piece.id);
      }
    }
    for (const type of [Works, Purse] as const) {
      for (const secret of world.all(type as typeof Purse)) if (secret.side === side) now.add(secret.id);
    }
    for (const type of [Side, Match] as const) for (const open of world.all(type as typeof Side)) now.add(open.id);
    this.#before = this.#now;
    this.#now = now;
  }

  packet({ client, direction, channel, bytes }: LabPacket): void {
    if (client !== this.#name || direction !== "down" || bytes.length === 0) return;
    this.bytes += bytes.length;
    const { message } = decodeFromServer(bytes, channel, protocol);
    switch (message.kind) {
      case "frame": {
        const { frame } = message;
        this.#reader.apply(frame);
        for (let record = 0; record < frame.count; record++) {
          this.#judge(frame.kinds[record]! as RecordKind, frame.slots[record]!, frame.generations[record]!);
        }
        for (const { type, values } of frame.events) this.#judgeEvent(type.name, values);
        break;
      }
      case "event":
        this.#judgeEvent(message.type.name, message.values);
        break;
      case "joined":
        for (const id of message.own) {
          const owner = this.#player?.entityOf(id)?.owner;
          if (owner !== this.#player?.id) this.#fault(`joined names ${id}, which is not its own`);
        }
        break;
      case "explanations":
        this.#fault("explanations were sent");
        break;
      case "viewSet":
        if (message.settings.pivots.some((pivot) => !("camera" in pivot))) this.#fault("its view names objects");
        break;
      default:
    }
  }

  #judge(kind: RecordKind, slot: number, generation: number): void {
    if (kind === RecordKind.leave || kind === RecordKind.destroy) return this.#judgeRemoval(kind, slot);
    if (kind === RecordKind.whole) {
      const id = (slot + generation * 2 ** 20) as ObjectId;
      const entity = this.#player?.entityOf(id);
      if (entity === undefined) return this.#fault(`id ${id} names nothing`);
      this.#compare(id, entity);
      this.#told.set(slot, { entity, isOwn: entity.owner === this.#player!.id });
      this.named.created += 1;
    } else this.named.changed += 1;
    const entity = this.#told.get(slot)?.entity;
    if (entity === undefined) return this.#fault(`slot ${slot} was never told of`);
    if (!this.#now.has(entity.id)) this.#fault(`tells of ${describe(entity)}, which it may not know of`);
  }

  #judgeRemoval(kind: RecordKind, slot: number): void {
    const told = this.#told.get(slot);
    this.#told.delete(slot);
    if (told === undefined) return this.#fault(`slot ${slot} is removed, and was never told of`);
    if (kind === RecordKind.leave) {
      this.named.left += 1;
      return;
    }
    this.named.destroyed += 1;
    const { entity, isOwn } = told;
    // A client that was away learns of its own losses, and not of those of others.
    if (!isOwn && !this.#before.has(entity.id))
      this.#fault(`tells that ${entity.id} is destroyed, which it did not see`);
  }

  /** That the id means what the record says. */
  #compare(id: ObjectId, entity: Entity): void {
    const replica = this.#store.get(id);
    for (const field of ["side", "kind", "x", "y"]) {
      const [told, true_] = [replica, entity].map((object) => (object as unknown as Record<string, unknown>)[field]);
      const isSame = typeof told === "number" ? Math.abs(told - (true_ as number)) < 0.1 : told === true_;
      if (replica === undefined || !isSame) this.#fault(`id ${id} names another object: ${field} ${told}, ${true_}`);
    }
  }

  #judgeEvent(name: string, values: Readonly<Record<string, unknown>>): void {
    if (name === "refused") return;
    if (name === "blast") this.named.blasts += 1;
    else this.named.alarms += 1;
    const [x, y] = [values["x"] as number, values["y"] as number];
    const { battle } = this.#skirmish.host;
    // A place is told to a sixteenth of a unit, which may put it into the next cell.
    const isSeen = [-1 / 16, 1 / 16].some((dx) =>
      [-1 / 16, 1 / 16].some((dy) => {
        const cell = cellOf(battle, x + dx, y + dy);
        const isOld = name === "underAttack" && this.#cellsAway.has(cell);
        return isOld || this.#cells[cell] === 1 || this.#cellsBefore[cell] === 1;
      }),
    );
    if (!isSeen) this.#fault(`${name} at ${x}, ${y}, which it does not see`);
  }

  #fault(text: string): void {
    const { host } = this.#skirmish;
    if (this.faults.length < 20) this.faults.push(`${this.#name}, step ${host.battle.state.step}: ${text}`);
  }
}

function describe(entity: Entity): string {
  return entity.alive ? JSON.stringify(entity) : `${entity.type.name} ${entity.id}, which is gone`;
}
