/**
 * Finds out that a node of NATS has lost the other nodes. Such a node still answers pings, but nothing that is written through it is kept, and nothing
 * that is said through it reaches servers at other nodes. The bus then connects to another node.
 *
 * It takes two steps, since a node also answers no writes while the nodes choose a leader, and then every other node is as good or as bad:
 *
 *     a question has had no answer for `PATIENCE_MS` → the node is in doubt → say something through it, and listen at the others
 */

import { setTimeout as pause } from "node:timers/promises";
import {
  connect,
  createInbox,
  type NatsConnection,
  type NodeConnectionOptions as NodeOptions,
} from "@nats-io/transport-node";

export type Question = "read" | "write";

/** With the time that `hasLostOthers` takes it is less than a lease: a server that changes its node then still renews its lease in time. */
const PATIENCE_MS = 500;
/** How often, and how long after each other, something is said that another node must hear. Counted, not timed: a busy process hears late. */
const SAYINGS = 8;
const SAY_MS = 50;
/** A node that cannot be reached within this time cannot be reached at all. */
const CONNECT_MS = 2000;

/** Follows reads and writes apart: a node that led a stream answers reads for some seconds after it has lost the others, from what it knew. */
export class Unanswered {
  /** Since when questions of a kind have had no answer, or since the last doubt, if that was later. */
  readonly #sinceMs = new Map<Question, number>();

  asks(question: Question, nowMs: number): void {
    if (!this.#sinceMs.has(question)) this.#sinceMs.set(question, nowMs);
  }

  hears(question: Question): void {
    this.#sinceMs.delete(question);
  }

  /** Whether the node is to be looked at now. If nothing is answered after that either, it is in doubt again later. */
  isInDoubt(nowMs: number): boolean {
    const isLong = [...this.#sinceMs.values()].some((sinceMs) => nowMs - sinceMs >= PATIENCE_MS);
    if (isLong) for (const question of this.#sinceMs.keys()) this.#sinceMs.set(question, nowMs);
    return isLong;
  }
}

/**
 * Whether the node of this connection and those that hear what is said through it are no majority, and another node can be reached.
 *
 * @param others how to connect to each of the other nodes
 */
export async function hasLostOthers(connection: NatsConnection, others: readonly NodeOptions[]): Promise<boolean> {
  const subject = createInbox();
  const reached: NatsConnection[] = [];
  const enough = Math.floor((others.length + 1) / 2);
  let hearing = 0;
  let isOver = false;
  const listen = async (other: NodeOptions): Promise<void> => {
    const probe = await connect({ ...other, reconnect: false, timeout: CONNECT_MS });
    if (isOver) return probe.close();
    reached.push(probe);
    probe.subscribe(subject, {
      max: 1,
      callback: () => {
        hearing += 1;
      },
    });
  };
  // A node that cannot be reached is no better one.
  await Promise.any(others.map(listen)).catch(() => {});
  for (let said = 0; said < SAYINGS && hearing < enough && !connection.isClosed(); said++) {
    connection.publish(subject);
    await pause(SAY_MS);
  }
  isOver = true;
  void Promise.allSettled(reached.map((probe) => probe.close()));
  return reached.length > 0 && hearing < enough;
}
