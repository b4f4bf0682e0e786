/**
 * Stepped commands on the server (N7): what a client has already done to its own object is done here again, with the game's same step
 * function, each command once and in order. Commands arrive in runs that overlap, because a client repeats what it does not know to be
 * applied; the queue takes of each run what is new.
 *
 * A client cannot hurry: the steps of its commands together last no longer than the server's own time, except that silence of up to
 * `MOST_AHEAD_MS` is made up for at once. What an honest client never does — a gap in the numbers, more commands than that — ends its
 * connection.
 * Why so: docs/decisions/0013-commands-carry-their-time.md.
 */

import type { Entity } from "@nearfield/core";
import { ProtocolError } from "@nearfield/protocol";
import { type Commands, MOST_AHEAD_MS, MOST_COMMANDS, type SteppedCommand, unwrap } from "@nearfield/protocol/internal";
import { type Fields, slotOf } from "@nearfield/schema";
import type { CommandType } from "@nearfield/schema/internal";
import type { StepFunction } from "@nearfield/simulation";
import type { Session } from "../session/session.ts";
import { known } from "./merge.ts";
import type { RoomCore } from "./room-core.ts";

/** How objects of one type are stepped. */
export interface Stepping {
  readonly command: CommandType;
  readonly step: StepFunction<Fields, Fields>;
}

/** Commands that one client may send in one round, repeated ones counted: more is a flood. */
const MOST_PER_ROUND = 16 * MOST_COMMANDS;

export class CommandQueue {
  readonly #waiting: SteppedCommand[] = [];
  #received = 0;
  #applied = 0;
  /** All that waits, ms. */
  #waitingMs = 0;
  /** What may be stepped now, ms, as of this round. */
  #creditMs = MOST_AHEAD_MS;
  #creditRound = 0;
  /** Commands in the messages of this round. */
  #saidRound = 0;
  #said = 0;

  /** Number of the last command that was applied; −1 as long as there was none. */
  get applied(): number {
    return this.#received === 0 ? -1 : this.#applied;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Takes what is new of a run. Throws `ProtocolError`. */
  accept({ first, list }: Commands, round: number): void {
    this.#count(list.length, round);
    const begin = unwrap(first, this.#received + 1);
    if (begin > this.#received + 1) {
      throw new ProtocolError("unexpected", `command ${begin} came after ${this.#received}`);
    }
    for (let i = this.#received + 1 - begin; i < list.length; i++) {
      const command = list[i]!;
      this.#waiting.push(command);
      this.#waitingMs += command.stepMs;
      this.#received += 1;
    }
    if (this.#waiting.length > MOST_COMMANDS || this.#waitingMs > MOST_AHEAD_MS) {
      throw new ProtocolError("flood", `${this.#waiting.length} commands of ${this.#waitingMs} ms wait to be applied`);
    }
  }

  /** The next command whose time has come, which counts as applied; undefined where there is none. */
  next(round: number, roundMs: number): SteppedCommand | undefined {
    this.#creditMs = Math.min(MOST_AHEAD_MS, this.#creditMs + (round - this.#creditRound) * roundMs);
    this.#creditRound = round;
    const command = this.#waiting[0];
    if (command === undefined || command.stepMs > this.#creditMs) return undefined;
    this.#waiting.shift();
    this.#waitingMs -= command.stepMs;
    this.#creditMs -= command.stepMs;
    this.#applied += 1;
    return command;
  }

  #count(commands: number, round: number): void {
    if (round !== this.#saidRound) this.#said = 0;
    this.#saidRound = round;
    this.#said += commands;
    if (this.#said > MOST_PER_ROUND) {
      throw new ProtocolError("flood", `${this.#said} commands in one round, at most ${MOST_PER_ROUND}`);
    }
  }
}

/** Applies what a client's commands have come to in this round; part of `merge`. Returns how many that were. */
export function applyCommands(room: RoomCore, session: Session, round: number): number {
  const { roundMs } = room.host.resolved;
  for (let applied = 0; ; applied++) {
    const command = session.commands.next(round, roundMs);
    if (command === undefined) return applied;
    applyCommand(room, session, command);
  }
}

/** An object that went, or changed hands, while the command was on its way is left alone. */
function applyCommand(room: RoomCore, session: Session, command: SteppedCommand): void {
  const { id, type, values, stepMs } = command;
  const entity = known(room, id);
  if (entity === undefined) return;
  const stepping = room.handlers.steps.get(entity.type);
  if (stepping?.command !== type) {
    throw new ProtocolError("unknown-command", `${entity.type.name} is not stepped by command ${type.name}`);
  }
  if (!isSteeredBy(room, session, entity) || room.state !== "active") return;
  room.telemetry.commands += 1;
  room.guard(`step ${entity.type.name}`, () => stepping.step(entity, values, stepMs));
  session.beginCommand(command);
  for (const listener of room.handlers.stepped.of(entity.type)) {
    room.guard("onStep", () => listener(session.player, entity, values));
  }
}

function isSteeredBy(room: RoomCore, { player }: Session, entity: Entity): boolean {
  if (entity.owner === player.id) return true;
  if (room.ownership.wasOwner(slotOf(entity.id), player.id)) return false;
  throw new ProtocolError("foreign-object", `object ${entity.id} belongs to somebody else`);
}
