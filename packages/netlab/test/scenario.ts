/**
 * What the suites share: a small world of every write mode, moved by dice, and the comparison of replicas with
 * primaries in wire form.
 */

import type { ReplicaWorld } from "@nearfield/client/internal";
import { type ViewSettings, type World, zones } from "@nearfield/core";
import {
  angle,
  bool,
  command,
  enumeration,
  event,
  type ObjectId,
  object,
  Protocol,
  quantized,
  text,
  uint,
} from "@nearfield/schema";
import type { Dice, Lab, LabClient } from "../src/index.ts";

export const SIZE = 1000;

export const Ship = object(
  "ship",
  { x: quantized(0, SIZE, 0.1), y: quantized(0, SIZE, 0.1), heading: angle(8), hull: uint(7), shields: bool() },
  { position: ["x", "y"], orientation: "heading" },
);
export const Crate = object(
  "crate",
  { x: quantized(0, SIZE, 1), y: quantized(0, SIZE, 1), label: text(24) },
  { position: ["x", "y"], write: "locked" },
);
export const Probe = object(
  "probe",
  { x: quantized(0, SIZE, 0.1), y: quantized(0, SIZE, 0.1), mode: enumeration("idle", "scan") },
  { position: ["x", "y"], write: "owner" },
);
export const Score = object("score", { points: uint(20), name: text(24) });

export const Steer = command("steer", { heading: angle(8) });
export const Say = command("say", { words: text(60) });
export const Shot = event("shot", { x: quantized(0, SIZE, 1), y: quantized(0, SIZE, 1), number: uint(32) });
export const Chat = event("chat", { words: text(60) });

export const protocol = new Protocol({
  objects: [Ship, Crate, Probe, Score],
  commands: [Steer, Say],
  events: [Shot, Chat],
});

export const view: ViewSettings = zones(Ship, {
  radii: [100, 300],
  bounds: [{ time: 0, value: 0 }, { time: 200, value: 20 }, { time: 500 }],
});

/** Moves, spawns and destroys ships by dice; ids come round quickly, so reuse is exercised. */
export function stir(world: World, dice: Dice, share = 0.5): void {
  for (const ship of [...world.all(Ship)]) {
    if (dice.chance(share)) {
      ship.x = (ship.x + dice.range(-15, 15) + SIZE) % SIZE;
      ship.y = (ship.y + dice.range(-15, 15) + SIZE) % SIZE;
    }
    if (dice.chance(0.1)) ship.hull = dice.int(128);
    if (dice.chance(0.05)) ship.shields = !ship.shields;
    if (ship.owner === 0 && dice.chance(0.01)) world.destroy(ship);
  }
  if (dice.chance(0.3)) spawnShip(world, dice);
  for (const score of world.all(Score)) if (dice.chance(0.1)) score.points += 1;
}

export function spawnShip(world: World, dice: Dice): void {
  world.spawn(Ship, { x: dice.range(0, SIZE), y: dice.range(0, SIZE), hull: dice.int(128) });
}

/** What a world holds, in wire form: id → type and fields. */
export function primaries(world: World): Map<ObjectId, string> {
  const found = new Map<ObjectId, string>();
  for (const type of protocol.objects) {
    for (const entity of world.all(type)) {
      const slot = world.store.liveSlot(entity.id);
      const fields = type.fields.map(({ index }) => world.wireAt(slot, index));
      found.set(entity.id, JSON.stringify([type.name, entity.owner, ...fields]));
    }
  }
  return found;
}

export function replicas(world: ReplicaWorld): Map<ObjectId, string> {
  const found = new Map<ObjectId, string>();
  for (const entity of world.objects()) {
    const fields = entity.type.fields.map(({ name, field }) =>
      field.toWire((entity as unknown as Record<string, unknown>)[name]),
    );
    found.set(entity.id, JSON.stringify([entity.type.name, entity.owner, ...fields]));
  }
  return found;
}

/** Lets the world stand still until every promise must have come true, on the worst path too. */
export function rest(lab: Lab, ms = 8000): void {
  lab.run(ms);
}

export function differences(lab: Lab, client: LabClient): string[] {
  const truth = primaries(lab.world);
  const held = replicas(client.world);
  const wrong: string[] = [];
  for (const [id, fields] of truth)
    if (held.get(id) !== fields) wrong.push(`${id}: ${held.get(id) ?? "missing"} instead of ${fields}`);
  for (const id of held.keys()) if (!truth.has(id)) wrong.push(`${id}: still here`);
  return wrong;
}
