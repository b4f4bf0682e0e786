/**
 * Stepped commands on the server (N7). A client applies a command to its own object at once; the server applies it again, with the same
 * step function of the game, each command once and in order. A client repeats commands until it knows that they were applied, so messages
 * overlap. The queue takes from each message only the commands that are new.
 *
 * A client cannot move faster by sending more: the steps of its commands together last no longer than the server's own time. Only after
 * silence, up to `MOST_AHEAD_MS` may be made up for at once. More commands than that never come from an honest client and end its
 * connection. A message after a gap in the numbers is not taken; the client is told, and sends everything again.
 *
 * A held command is repeated here in every round until the client's next command for that object (`held-commands.ts`).
 * Why so: docs/decisions/0013-commands-carry-their-time.md.
 */

import type { Entity } from "@nearfield/core";
import {
  type Commands,
  MOST_AHEAD_MS,
  MOST_COMMANDS,
  ProtocolError,
  type SteppedCommand,
  unwrap,
} from "@nearfield/protocol/internal";
import type { CommandType } from "@nearfield/schema";
import { type Fields, slotOf } from "@nearfield/schema";
import type { StepFunction } from "@nearfield/simulation";
import type { Player } from "../session/player.ts";
import type { Session } from "../session/session.ts";
import { HeldCommands } from "./held-commands.ts";
import { known } from "./merge.ts";
import type { AnyValues, RoomCore } from "./room-core.ts";

/** How objects of one type are stepped. */
export interface Stepping {
  readonly command: CommandType;
  readonly step: StepFunction<Fields, Fields>;
}

/** Commands that one client may send in one round, repeated ones counted: more is a flood. */
const MOST_PER_ROUND = 16 * MOST_COMMANDS;

export class CommandQueue {
  readonly held: HeldCommands = new HeldCommands();
  readonly #waiting: SteppedCommand[] = [];
  #received = 0;
  /** Whether the last message began after commands that never came. */
  isMissing = false;
  #isUsed = false;
  #applied = 0;
  #reported = -1;
  /** Duration of all waiting commands together, ms. */
  #waitingMs = 0;
  /** How much time may be stepped now, ms, as of this round. */
  #creditMs = MOST_AHEAD_MS;
  #creditRound = 0;
  /** Commands in the messages of this round. */
  #saidRound = 0;
  #said = 0;

  /** Number of the last command that was applied; −1 if the client never sent one. */
  get applied(): number {
    return this.#isUsed ? this.#applied : -1;
  }

  /** A guest has later commands applied elsewhere: the client is told of none after this one. */
  cap: number = Number.POSITIVE_INFINITY;

  /** Number of the last command that the client is told of. What it was told stays true: the number never goes back. */
  report(): number {
    this.#reported = Math.max(this.#reported, Math.min(this.applied, this.cap));
    return this.#reported;
  }

  /** Whether there is nothing to apply and nothing to repeat. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.held.isEmpty;
  }

  /**
   * Takes the new commands of a message. Returns false if there are none, or if others before them are missing: then the client does not
   * know how far the server is.
   * Throws `ProtocolError`.
   */
  accept({ first, list }: Commands, round: number): boolean {
    this.#count(list.length, round);
    this.#isUsed = true;
    const begin = unwrap(first, this.#received + 1);
    if (begin > this.#received + MOST_COMMANDS) {
      throw new ProtocolError("unexpected", `command ${begin} came after ${this.#received}`);
    }
    this.isMissing = begin > this.#received + 1;
    if (this.isMissing) return false;
    const before = this.#received;
    for (let i = before + 1 - begin; i < list.length; i++) {
      const command = list[i]!;
      this.#waiting.push(command);
      this.#waitingMs += command.stepMs;
      this.#received += 1;
    }
    if (this.#waiting.length > MOST_COMMANDS || this.#waitingMs > MOST_AHEAD_MS) {
      throw new ProtocolError("flood", `${this.#waiting.length} commands of ${this.#waitingMs} ms wait to be applied`);
    }
    return this.#received > before;
  }

  /** Takes the next command that may be applied now; undefined if there is none. */
  next(round: number, roundMs: number): SteppedCommand | undefined {
    this.#creditMs = Math.min(MOST_AHEAD_MS, this.#creditMs + (round - this.#creditRound) * roundMs);
    this.#creditRound = round;
    const command = this.#waiting[0];
    if (command === undefined || !this.spend(command.stepMs)) return undefined;
    this.#waiting.shift();
    this.#waitingMs -= command.stepMs;
    this.#applied += 1;
    return command;
  }

  /** Takes time for a step, if there is so much. Returns whether there is. */
  spend(stepMs: number): boolean {
    if (stepMs > this.#creditMs) return false;
    this.#creditMs -= stepMs;
    return true;
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

/** Applies the commands of a client that may be applied in this round, and repeats those that are held; part of `merge`. Returns their number. */
export function applyCommands(room: RoomCore, session: Session, round: number): number {
  const { roundMs } = room.host.resolved;
  const { foresight, commands } = session;
  let applied = 0;
  for (let next = commands.next(round, roundMs); next !== undefined; next = commands.next(round, roundMs)) {
    applied += 1;
    const entity = applyCommand(room, session, next);
    if (entity !== undefined && !room.world.isForeign(entity)) foresight.compare(entity, next.digest);
    commands.held.applied(next, entity !== undefined, round);
  }
  foresight.judge(room, session.player.id, round);
  for (const held of commands.held.due(round, roundMs)) {
    if (!commands.spend(held.stepMs)) break;
    applied += 1;
    session.repeatCommand(held);
    if (applyCommand(room, session, held) === undefined) commands.held.end(held.id);
  }
  return applied;
}

/** Returns the object, or undefined if it is gone or changed its owner while the command was on its way. */
function applyCommand(room: RoomCore, session: Session, command: SteppedCommand): Entity | undefined {
  const { id, type, values, stepMs } = command;
  const entity = known(room, id);
  if (entity === undefined) return undefined;
  const stepping = room.handlers.steps.get(entity.type);
  if (stepping?.command !== type) {
    throw new ProtocolError("unknown-command", `${entity.type.name} is not stepped by command ${type.name}`);
  }
  if (!isSteeredBy(room, session, entity) || room.state !== "active") return undefined;
  room.telemetry.commands += 1;
  const { player } = session;
  if (room.world.isForeign(entity)) {
    const { routeStep } = room;
    const isTaken = room.guard("guest: step", () => routeStep?.(player, entity, { type, values, stepMs })) === true;
    return isTaken ? entity : undefined;
  }
  session.beginCommand(command);
  stepObject(room, player, entity, stepping, values, stepMs);
  return entity;
}

/** Steps that other servers' players ask for; those for objects that are gone are left out. */
export function applyPendingSteps(room: RoomCore): void {
  for (const { player, entity, step } of room.pendingSteps.splice(0)) {
    const stepping = room.handlers.steps.get(entity.type);
    const isThere = entity.alive && !room.world.isForeign(entity) && room.state === "active";
    if (isThere && stepping?.command === step.type)
      stepObject(room, player, entity, stepping, step.values, step.stepMs);
  }
}

function stepObject(
  room: RoomCore,
  player: Player,
  entity: Entity,
  { step }: Stepping,
  values: AnyValues,
  stepMs: number,
): void {
  room.guard(`step ${entity.type.name}`, () => step(entity, values, stepMs));
  for (const listener of room.handlers.stepped.of(entity.type)) {
    room.guard("onStep", () => listener(player, entity, values));
  }
}

function isSteeredBy(room: RoomCore, { player }: Session, entity: Entity): boolean {
  if (entity.owner === player.id) return true;
  if (room.ownership.wasOwner(slotOf(entity.id), player.id)) return false;
  throw new ProtocolError("foreign-object", `object ${entity.id} belongs to somebody else`);
}
