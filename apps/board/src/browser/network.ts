/**
 * The page's side of the wire: it joins, tells by its status how that went, sends what is asked for, and hands out who is there. After a lost
 * connection the client itself reconnects. After a restart of the server a new client takes its place: then what was not confirmed is sent again.
 */

import type { Client, Replicated } from "@nearfield/client";
import { join } from "@nearfield/client/browser";
import { setPivots } from "@nearfield/client/views";
import { enableWriting } from "@nearfield/client/writing";
import { Joining, type LinkStatus } from "@nearfield/kit";
import type { ObjectId, Values } from "@nearfield/schema";
import { onBoard } from "../pieces.ts";
import {
  Broadcast,
  Cursor,
  Draft,
  Draw,
  Erase,
  Move,
  Paint,
  Person,
  Put,
  protocol,
  Raise,
  type RefusalOfBoard,
  Refused,
} from "../shared.ts";
import { pivotsOf, type Rectangle } from "../views.ts";
import type { Point } from "./camera.ts";
import type { Request } from "./requests.ts";
import { StateMeter } from "./state-meter.ts";

/** A cursor is written and moved as a pivot at most so often. */
const CURSOR_EVERY_MS = 50;
const PIVOT_EVERY_MS = 200;
/** A cursor that moved by less than this is the same pivot, units. */
const PIVOT_STEP = 24;

export interface NetworkHandlers {
  /** A client has joined: the first, or another after a restart of the server. */
  joined(client: Client): void;
  refused(key: number, reason: RefusalOfBoard): void;
}

export interface SeenPerson {
  readonly number: number;
  readonly name: string;
  readonly colour: number;
  readonly away: boolean;
  readonly isSelf: boolean;
  /** Whether the pointer is on the board. */
  readonly isPointing: boolean;
  /** Where the pointer is, or the middle of the screen, as shown; and when that was known, ms of the server's time. */
  readonly cursor: { readonly x: number; readonly y: number; readonly knownMs: number } | undefined;
}

export interface NetFigures {
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly packetsIn: number;
  readonly wireBytesIn: number;
  /** Updates of objects, and their bytes without packets and headers: what came, and what a broadcast would have brought. */
  readonly updates: number;
  readonly updateBytes: number;
  readonly broadcastUpdates: number;
  readonly broadcastBytes: number;
}

export type DraftReplica = Replicated<typeof Draft.shape>;
type DraftValues = Readonly<Omit<Values<typeof Draft.shape>, "number" | "open">>;

export class Network {
  readonly #join: () => Joining;
  readonly #meter = new StateMeter();
  #joining: Joining;
  #cursorMs = 0;
  #pivotMs = 0;
  #pivot: Point | undefined;
  #lastHeardMs = 0;

  constructor(url: string, nickname: string, handlers: NetworkHandlers) {
    this.#join = () =>
      new Joining(
        (options) => join(url, { protocol, nickname, ...options }),
        (client) => {
          this.#meter.follow(client);
          client.onEvent(Refused, ({ key, reason }) => handlers.refused(key, reason));
          enableWriting(client);
          handlers.joined(client);
        },
      );
    this.#joining = this.#join();
  }

  /** Tries again after the link has ended for good. */
  retry(): void {
    this.#joining.close();
    this.#joining = this.#join();
  }

  get status(): LinkStatus {
    return this.#joining.status;
  }

  get client(): Client | undefined {
    return this.#joining.client;
  }

  get isLive(): boolean {
    return this.client?.state === "active";
  }

  get session(): number {
    return this.client?.world.session ?? 0;
  }

  get linkKind(): string {
    return this.client?.linkKind ?? "";
  }

  get roundTripMs(): number {
    return this.client?.roundTripMs ?? -1;
  }

  /** The server's time, ms; the moment of the newest state, if there is no link. */
  get timeMs(): number {
    return this.client?.clock.timeMs ?? 0;
  }

  /** Since when nothing has been heard, ms; 0 while there is a link. Call it in every frame. */
  silentMs(nowMs: number): number {
    if (this.isLive) this.#lastHeardMs = nowMs;
    return this.#lastHeardMs === 0 ? 0 : nowMs - this.#lastHeardMs;
  }

  /** When the state of this object was known to be true, ms of the server's time. */
  knownMs(id: ObjectId): number {
    const { client } = this;
    return client === undefined ? 0 : client.world.roundOf(id) * client.roundMs;
  }

  /** Sends a request; answers with its number. Only while there is a client that has not ended. */
  send(request: Request): number {
    const client = this.client!;
    switch (request.kind) {
      case "draw": {
        const { kind: _, ...values } = request;
        return client.send(Draw, values);
      }
      case "put": {
        const { kind: _, ...values } = request;
        return client.send(Put, values);
      }
      case "move":
        return client.send(Move, { keys: request.keys, dx: request.dx, dy: request.dy });
      case "paint":
        return client.send(Paint, { keys: request.keys, colour: request.colour });
      case "raise":
        return client.send(Raise, { keys: request.keys });
      case "erase":
        return client.send(Erase, { keys: request.keys });
    }
  }

  // ── where this person looks ────────────────────────────────────────────────────────────────────────────────────

  /** What the screen shows and where the pointer is; undefined: it is not over the board. Call it in every frame. */
  look(screen: Rectangle, pointer: Point | undefined, nowMs: number): void {
    const { client } = this;
    if (client === undefined || !this.isLive) return;
    if (this.#isNewPivot(pointer, nowMs)) {
      this.#pivotMs = nowMs;
      this.#pivot = pointer && { x: onBoard(pointer.x), y: onBoard(pointer.y) };
    }
    setPivots(client, pivotsOf(screen, this.#pivot));
    if (nowMs - this.#cursorMs < CURSOR_EVERY_MS) return;
    const cursor = client.mine(Cursor);
    if (cursor === undefined) return;
    this.#cursorMs = nowMs;
    if (cursor.visible !== (pointer !== undefined)) cursor.visible = pointer !== undefined;
    const at = pointer ?? screen;
    const [x, y] = [onBoard(at.x), onBoard(at.y)];
    const changed = [...(cursor.x === x ? [] : ["x"]), ...(cursor.y === y ? [] : ["y"])];
    if (changed.length === 0) return;
    cursor.x = x;
    cursor.y = y;
    this.#meter.wrote(cursor, changed);
  }

  #isNewPivot(pointer: Point | undefined, nowMs: number): boolean {
    if (nowMs - this.#pivotMs < PIVOT_EVERY_MS) return false;
    const before = this.#pivot;
    if (pointer === undefined || before === undefined) return pointer !== before;
    return Math.max(Math.abs(pointer.x - before.x), Math.abs(pointer.y - before.y)) >= PIVOT_STEP;
  }

  /** The cursor as the server uses it for this person's view. */
  get pivot(): Point | undefined {
    return this.#pivot;
  }

  // ── who is there ───────────────────────────────────────────────────────────────────────────────────────────────

  people(): SeenPerson[] {
    const { client } = this;
    if (client === undefined) return [];
    const cursors = new Map(Array.from(client.world.all(Cursor), (cursor) => [cursor.number, cursor]));
    return Array.from(client.world.all(Person), ({ number, name, colour, away }) => {
      const cursor = cursors.get(number);
      const isSelf = number === this.session;
      const at = cursor && {
        x: isSelf ? cursor.x : cursor.shown.x,
        y: isSelf ? cursor.y : cursor.shown.y,
        knownMs: this.knownMs(cursor.id),
      };
      return { number, name, colour, away, isSelf, isPointing: cursor?.visible === true, cursor: at };
    }).sort((a, b) => Number(b.isSelf) - Number(a.isSelf) || a.number - b.number);
  }

  /** What others are writing now. */
  drafts(): DraftReplica[] {
    const { client } = this;
    if (client === undefined) return [];
    return [...client.world.where(Draft, ({ open, number }) => open && number !== this.session)];
  }

  /** Shows others what this person is writing; undefined: nothing. */
  showDraft(draft: DraftValues | undefined): void {
    const own = this.client?.mine(Draft);
    if (own === undefined || this.client?.state === "ended") return;
    if (draft === undefined) {
      if (own.open) own.open = false;
      return;
    }
    Object.assign(own, draft, { open: true });
    this.#meter.wrote(own, ["words"]);
  }

  get isDraftShown(): boolean {
    return this.client?.mine(Draft)?.open === true;
  }

  get figures(): NetFigures {
    const { updates, bytes: updateBytes, ownUpdates, ownBytes } = this.#meter;
    const broadcast = { broadcastUpdates: -ownUpdates, broadcastBytes: -ownBytes };
    const sum = { bytesIn: 0, bytesOut: 0, packetsIn: 0, wireBytesIn: 0, updates, updateBytes, ...broadcast };
    for (const channel of Object.values(this.client?.traffic ?? {})) {
      sum.bytesIn += channel.bytesIn;
      sum.bytesOut += channel.bytesOut;
      sum.packetsIn += channel.packetsIn;
      sum.wireBytesIn += channel.wireBytesIn;
    }
    for (const all of this.client?.world.all(Broadcast) ?? []) {
      sum.broadcastUpdates += all.updates;
      sum.broadcastBytes += all.bytes;
    }
    return sum;
  }

  close(): void {
    this.#joining.close();
  }
}
