/**
 * A stormy game for the healing property: owners that change, writes that are refused and corrected, locks, objects that leave views and
 * return, all by dice; and an account of what the server promised each client, to hold the clients' replicas against.
 *
 * The promise, field by field: a field that this client wrote last stands as the server has it; any other one is at least as new as the version
 * that the server takes the client to have, and is exactly the server's own where every change is due. Owners are always the server's.
 */

import { lock, release } from "@nearfield/client/writing";
import { type Entity, type ViewSettings, zones } from "@nearfield/core";
import type { ObjectId } from "@nearfield/schema";
import type { Player } from "@nearfield/server";
import { type Dice, Lab, type LabClient } from "../src/index.ts";
import { Crate, Probe, protocol, Score, Ship, SIZE } from "./scenario.ts";

export const ROUND_MS = 50;
export const FRAME_MS = 5;
const RANGE = 300;
const INNER = 60;

/** Every change is due within the inner radius, none beyond it: there only demands bring anything. */
export const stormView: ViewSettings = zones(Ship, {
  radii: [INNER],
  bounds: [{ time: 0, sequence: 1, value: 0 }, {}],
  range: RANGE,
});

type CrateEntity = Entity<(typeof Crate)["shape"]>;
type ProbeEntity = Entity<(typeof Probe)["shape"]>;

export class Storm {
  readonly lab: Lab;
  readonly dice: Dice;
  /** While true, the game and the clients act. */
  acting = true;
  /** Refusals, corrections, changes of owner and leaves so far: a storm in which nothing happens shows nothing. */
  readonly happened = { refused: 0, corrected: 0, handed: 0, left: 0, locked: 0 };
  /** By object: what each version was at the end of its round, in wire form. */
  readonly #snapshots = new Map<ObjectId, Map<number, readonly unknown[]>>();
  readonly #held = new Map<LabClient, CrateEntity[]>();

  constructor(seed: number) {
    const lab = new Lab({ protocol, view: stormView, roundMs: ROUND_MS, frameMs: FRAME_MS, seed });
    this.lab = lab;
    this.dice = lab.dice.fork("storm");
    const { dice } = this;
    for (let i = 0; i < 12; i++) lab.world.spawn(Ship, { x: dice.range(0, SIZE), y: 500 });
    for (let i = 0; i < 8; i++) lab.world.spawn(Crate, { x: dice.range(300, 700), y: 500, label: "new" });
    lab.world.spawn(Score, { name: "score" });
    lab.server.onJoin((player) => {
      player.setPivots([{ point: [500, 500] }]);
      for (let i = 0; i < 3; i++) {
        lab.world.spawn(Probe, { x: dice.range(300, 700), y: 500 }, { owner: player.id });
      }
    });
    lab.server.onWrite(Probe, () => this.#verdict({ x: dice.range(300, 700) }));
    lab.server.onWrite(Crate, () => this.#verdict({ label: "corrected" }));
    lab.server.onRound(() => {
      if (this.acting) this.#play();
    });
    lab.clock.every(ROUND_MS, () => this.#note());
  }

  #verdict<V>(correction: V): boolean | V {
    const luck = this.dice.next();
    if (luck < 0.3) {
      this.happened.refused += 1;
      return false;
    }
    if (luck > 0.3 + 0.3) return true;
    this.happened.corrected += 1;
    return correction;
  }

  players(): Player[] {
    return [...this.lab.server.main.players.values()];
  }

  /** The server's part of the game. */
  #play(): void {
    const { dice } = this;
    const { world } = this.lab;
    const ids = this.players().map(({ id }) => id);
    for (const ship of world.all(Ship)) {
      if (dice.chance(0.3)) ship.x = (ship.x + dice.range(-60, 60) + SIZE) % SIZE;
    }
    for (const probe of world.all(Probe)) {
      if (ids.length > 0 && dice.chance(0.05)) {
        world.setOwner(probe, dice.pick(ids));
        this.happened.handed += 1;
      }
      if (dice.chance(0.05)) probe.mode = dice.pick(["idle", "scan"]);
    }
    for (const crate of world.all(Crate)) {
      if (ids.length > 0 && dice.chance(0.02)) world.setOwner(crate, dice.pick([0, ...ids]));
      if (dice.chance(0.03)) crate.x = dice.range(100, 900);
    }
    for (const player of this.players()) {
      if (!dice.chance(0.04)) continue;
      player.setPivots([{ point: [dice.pick([200, 500, 800]), 500] }]);
      this.happened.left += 1;
    }
    for (const score of world.all(Score)) if (dice.chance(0.1)) score.points += 1;
  }

  /** The clients' part. */
  act(clients: readonly LabClient[]): void {
    const { dice } = this;
    for (const client of clients) {
      if (client.client.state === "ended") continue;
      for (const probe of client.world.where(Probe, (candidate) => client.world.isMine(candidate))) {
        if (!dice.chance(0.3)) continue;
        const own = probe as unknown as ProbeEntity;
        if (dice.chance(0.7)) own.x = dice.range(300, 700);
        if (dice.chance(0.4)) own.mode = dice.pick(["idle", "scan"]);
      }
      for (const crate of client.world.all(Crate)) {
        if (dice.chance(0.03)) this.#lock(client, crate as unknown as CrateEntity);
      }
      this.#release(client, 0.4);
    }
  }

  #lock(client: LabClient, crate: CrateEntity): void {
    lock(client.client, crate).then(
      (held) => {
        this.happened.locked += 1;
        this.#heldBy(client).push(held as unknown as CrateEntity);
      },
      () => {},
    );
  }

  /** Writes under its locks and gives some of them back. */
  #release(client: LabClient, share: number): void {
    const { dice } = this;
    for (const crate of this.#heldBy(client).splice(0)) {
      if (!dice.chance(share)) {
        this.#heldBy(client).push(crate);
        continue;
      }
      try {
        if (crate.alive) crate.label = `${client.nickname} ${dice.int(100)}`;
        release(client.client, crate);
      } catch {
        // The lock is lost already: the server took it back.
      }
    }
  }

  /** Gives all locks back: what is written under one is no promise yet. */
  releaseAll(clients: readonly LabClient[]): void {
    for (const client of clients) this.#release(client, 1);
  }

  #heldBy(client: LabClient): CrateEntity[] {
    const held = this.#held.get(client) ?? [];
    this.#held.set(client, held);
    return held;
  }

  // ── what was promised ──────────────────────────────────────────────────────────────────────────────────────────

  #note(): void {
    const { world } = this.lab;
    for (const type of protocol.objects) {
      for (const { id } of world.all(type)) {
        const slot = world.store.liveSlot(id);
        const versions = this.#snapshots.get(id) ?? new Map<number, readonly unknown[]>();
        versions.set(
          world.version[slot]!,
          type.fields.map(({ index }) => world.wireAt(slot, index)),
        );
        this.#snapshots.set(id, versions);
      }
    }
  }

  /** Where the client's replica is not what the server promised it; empty if all is well. */
  broken(client: LabClient): string[] {
    const player = this.players().find(({ id }) => id === client.world.session);
    if (player === undefined) return [`${client.nickname} is not in the room`];
    const { world, server } = this.lab;
    const wrong: string[] = [];
    for (const type of protocol.objects) {
      for (const entity of world.all(type)) {
        const promise = server.main.model.explain(player.view, entity.id)!;
        const replica = client.world.get(entity.id);
        const name = `${client.nickname}: ${type.name} ${entity.id}`;
        const [pivot] = player.settings.pivots as readonly { point: readonly number[] }[];
        const distance = "x" in entity ? Math.abs((entity as unknown as { x: number }).x - pivot!.point[0]!) : 0;
        if (distance <= RANGE && replica === undefined) wrong.push(`${name} is missing`);
        if (distance > 1.1 * RANGE && replica !== undefined) wrong.push(`${name} is still here`);
        if (promise.present !== (replica !== undefined)) wrong.push(`${name}: present ${promise.present} is not so`);
        if (replica === undefined) continue;
        if (replica.owner !== entity.owner) wrong.push(`${name}: owner ${replica.owner} instead of ${entity.owner}`);
        if (client.world.isMine(replica) !== (entity.owner === player.id)) wrong.push(`${name}: isMine is wrong`);
        const isStrict = type === Score || distance <= INNER || entity.owner === player.id;
        wrong.push(...this.#wrongFields(client, player, entity.id, promise.sentVersion, isStrict, name));
      }
    }
    for (const { id } of client.world.objects()) {
      if (world.get(id) === undefined) wrong.push(`${client.nickname}: ${id} is no more, but still here`);
    }
    return wrong;
  }

  #wrongFields(
    client: LabClient,
    player: Player,
    id: ObjectId,
    sentVersion: number,
    isStrict: boolean,
    name: string,
  ): string[] {
    const { world } = this.lab;
    const slot = world.store.liveSlot(id);
    const { type } = world.get(id)!;
    const replica = client.world.get(id) as unknown as Record<string, unknown>;
    const versions = this.#snapshots.get(id)!;
    const known = Math.max(...[...versions.keys()].filter((version) => version <= sentVersion));
    const others = world.changedSince(slot, sentVersion, player.id);
    const own = world.changedSince(slot, sentVersion, 0) & ~others;
    return type.fields.flatMap(({ index, name: fieldName, field }) => {
      const held = field.toWire(replica[fieldName]);
      const now = world.wireAt(slot, index);
      if (field.sameWire(held, now)) return [];
      const mustBeNow = isStrict || ((own >>> index) & 1) === 1;
      const isPromised = [...versions].some(
        ([version, fields]) => version >= known && field.sameWire(held, fields[index] as typeof now),
      );
      if (!mustBeNow && isPromised) return [];
      return [`${name}.${fieldName}: ${String(held)} instead of ${String(now)} (version ${sentVersion})`];
    });
  }
}
