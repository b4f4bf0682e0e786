/**
 * How much of the server's time all clients' messages together may take. Each client has a budget of its own (`TimeBudget`), but many
 * clients just below it could use up the whole server. Once a second the sum is checked. While it is too large, the clients that took most
 * are ended with "costly", one after the other. A client that took little is never ended, however many clients there are.
 */

import { ProtocolError } from "@nearfield/protocol/internal";
import type { Host } from "../host.ts";
import type { RoomCore } from "../room/room-core.ts";
import type { Session } from "./session.ts";

const PERIOD_MS = 1000;
/** A client that took less than this in a second is never ended, ms. */
const HARMLESS_MS = 5;

export class Workload {
  readonly #host: Host;
  readonly #rooms: ReadonlyMap<string, RoomCore>;
  #lookedMs = 0;
  /** Ms that clients' messages took since the start. Clients that have left count up to the last look. */
  totalMs = 0;

  constructor(host: Host, rooms: ReadonlyMap<string, RoomCore>) {
    this.#host = host;
    this.#rooms = rooms;
  }

  /** Call it once per round. */
  look(): void {
    const passedMs = this.#host.elapsedMs - this.#lookedMs;
    if (passedMs < PERIOD_MS) return;
    this.#lookedMs = this.#host.elapsedMs;
    const most = (this.#host.resolved.limits.clientsMsPerSecond * passedMs) / 1000;
    const harmless = (HARMLESS_MS * passedMs) / 1000;
    const heavy: { readonly session: Session; readonly tookMs: number }[] = [];
    let sumMs = 0;
    for (const { sessions } of this.#rooms.values()) {
      for (const session of sessions.values()) {
        const tookMs = session.time.spentMs - session.time.settledMs;
        session.time.settledMs = session.time.spentMs;
        sumMs += tookMs;
        if (tookMs > harmless) heavy.push({ session, tookMs });
      }
    }
    this.totalMs += sumMs;
    if (sumMs <= most) return;
    heavy.sort((a, b) => b.tookMs - a.tookMs);
    for (const { session, tookMs } of heavy) {
      if (sumMs <= most) return;
      sumMs -= tookMs;
      const detail = `${Math.round(tookMs)} ms of the server's time in a second, when all together took too much`;
      session.room.end(session.player, new ProtocolError("costly", detail));
    }
  }
}
