/** All predictions of one client. Each is given what frames say of its object; the commands of all go into one numbered window. */

import type { Entity } from "@nearfield/core";
import { encodeCommands, MOST_HELD_MS } from "@nearfield/protocol/internal";
import type { CommandType, Fields, ObjectId } from "@nearfield/schema";
import type { StepFunction } from "@nearfield/simulation";
import { CommandWindow } from "./command-window.ts";
import { ClientError } from "./errors.ts";
import type { Inside } from "./inside.ts";
import { Mirrors } from "./mirrors.ts";
import { Prediction, type PredictionHost, type PredictOptions } from "./prediction.ts";
import type { ReplicaStore } from "./replica-store.ts";
import type { Session } from "./session.ts";

/** Time after which a held command is said again, ms: before the server stops repeating it, even if a message is lost. */
const HELD_PAUSE_MS: number = MOST_HELD_MS / 2;

export class Predictions implements PredictionHost {
  readonly #session: Session;
  readonly #store: ReplicaStore;
  readonly #mirrors: Mirrors;
  readonly #isRoomActive: () => boolean;
  readonly #commands: CommandWindow;
  readonly #active: Set<Prediction> = new Set();
  /** Objects whose last command is held, and the server's time when that was last said, ms. */
  readonly #heldMs: Map<ObjectId, number> = new Map();

  constructor({ session, store, isRoomActive }: Inside) {
    this.#session = session;
    this.#store = store;
    this.#mirrors = new Mirrors(store);
    store.mirrors = this.#mirrors;
    this.#isRoomActive = isRoomActive;
    this.#commands = new CommandWindow((first, list) =>
      encodeCommands({ kind: "commands", first, list, ack: session.riding }, store.protocol),
    );
    session.commands = this.#commands;
    // Nothing is sent. The window notes that it is not waiting for the server.
    session.sendCommands();
  }

  begin<F extends Fields, C extends Fields>(
    entity: Entity<F>,
    command: CommandType<C>,
    step: StepFunction<F, C>,
    options: PredictOptions,
  ): Prediction<F, C> {
    if (entity === undefined) {
      throw new ClientError(
        "not-owner",
        "predict: there is no object; client.mine(…) is undefined until the client has joined and owns an object of that type",
      );
    }
    const { type } = entity;
    this.#store.protocol.typeIndex(command as unknown as CommandType);
    if (type.write !== "server") {
      throw new ClientError(
        "bad-option",
        `predict: ${type.name} is written by ${type.write}, so commands cannot step it`,
      );
    }
    if (!this.#store.isMine(entity))
      throw new ClientError("not-owner", `predict: object ${entity.id} belongs to somebody else`);
    for (const other of this.#active) {
      if (other.entity.id === entity.id)
        throw new ClientError("bad-option", `predict: object ${entity.id} is predicted already`);
    }
    const round = this.#store.toldRoundOf(entity.id);
    const prediction = new Prediction<F, C>(
      this,
      entity as unknown as Entity,
      round,
      command,
      step as unknown as StepFunction<Fields, Fields>,
      options,
    );
    this.#active.add(prediction as unknown as Prediction);
    return prediction;
  }

  /** A frame of this round was applied, whose states include commands up to `commands`. */
  confirm(round: number, commands: number): void {
    for (const prediction of this.#active) {
      const { alive, id } = prediction.entity;
      if (!alive) continue;
      if (this.#store.toldRoundOf(id) === round) prediction.confirm(round, commands);
      prediction.advance(commands);
    }
  }

  refresh(): void {
    for (const prediction of this.#active) prediction.refresh();
  }

  // ── what a prediction needs ────────────────────────────────────────────────────────────────────────────────────

  get timeMs(): number {
    return this.#session.clock.timeMs;
  }

  isMine(entity: Entity): boolean {
    return this.#store.isMine(entity);
  }

  hasRoom(stepMs: number): boolean {
    const { connection } = this.#session;
    return connection.state !== "ended" && this.#isRoomActive() && this.#commands.hasRoom(stepMs);
  }

  push(...[entity, type, values, stepMs, isNews, digest, isHeld]: Parameters<PredictionHost["push"]>): number {
    const { id } = entity;
    const { timeMs } = this;
    if (!isHeld) this.#heldMs.delete(id);
    else if (timeMs - (this.#heldMs.get(id) ?? Number.NEGATIVE_INFINITY) < HELD_PAUSE_MS) return 0;
    else this.#heldMs.set(id, timeMs);
    const number = this.#commands.push({ id, type, values, stepMs, digest, isHeld }, isNews);
    this.#session.commanded();
    return number;
  }

  mirror(...[entity, state]: Parameters<PredictionHost["mirror"]>): void {
    this.#mirrors.show(entity.id, state);
  }

  draw(entity: Entity, picture: Float64Array | undefined): void {
    this.#store.presented.override(entity.id, picture);
  }

  end(prediction: Prediction): void {
    this.#active.delete(prediction);
    this.#heldMs.delete(prediction.entity.id);
  }
}
