/**
 * A client's life as frames: a script that decides what is sent, so that every form of record and every turn of the prediction occurs,
 * over a path that loses some packets and some acks. Golden packets are made of it, and read again by the slow reader.
 */

import { ReplicaStore } from "@nearfield/client/internal";
import { World } from "@nearfield/core";
import { type ConsistencyModel, DecisionKind, type Decisions } from "@nearfield/core/internal";
import { decodeFromServer, EncodeCache, FrameReader, FrameWriter } from "@nearfield/protocol/internal";
import {
  angle,
  bool,
  enumeration,
  event,
  float32,
  int,
  type ObjectId,
  type ObjectType,
  object,
  Protocol,
  quantized,
  text,
  uint,
} from "@nearfield/schema";
import { BitWriter, type DescribedType, writeRecord } from "@nearfield/schema/internal";
import { Dice } from "../src/index.ts";
import type { Plain, PlainField, PlainProtocol, PlainType } from "./slow-reader.ts";

const place = quantized(0, 100, 0.01);
export const Rock = object(
  "rock",
  {
    x: place,
    name: text(12),
    y: place,
    heading: angle(8),
    spin: int(9),
    hull: uint(7),
    lit: bool(),
    kind: enumeration("ice", "iron", "gold"),
    mass: float32(),
    ticks: uint(40),
  },
  { position: ["x", "y"], orientation: "heading", velocity: ["spin", "hull"] },
);
export const Probe = object("probe", { x: place, mode: enumeration("idle", "scan") }, { write: "owner" });
export const Shot = event("shot", { number: uint(16), words: text(20) });
export const storyProtocol = new Protocol({ objects: [Rock, Probe], events: [Shot] });

const ROUNDS = 110;
/** From this round on most acks are lost, so that deltas build on what is not known to have arrived. */
const QUIET_ROUND = 70;
const SESSION = 1;

/** The packets that arrived, in order. */
export function tellStory(): Uint8Array[] {
  const dice = new Dice("frames");
  const world = new World({ protocol: storyProtocol });
  const decided: { id: ObjectId; kind: DecisionKind; settled: boolean }[] = [];
  const cache = new EncodeCache(world);
  const writer = new FrameWriter({
    world,
    model: scripted(decided),
    view: 0,
    session: SESSION,
    cache,
    ownerVersion: () => 0,
  });
  const reader = new FrameReader(storyProtocol, new ReplicaStore(storyProtocol), 0);
  const rocks = Array.from({ length: 70 }, (_, i) => world.spawn(Rock, { x: i, y: 50, hull: 100 }));
  const places = new Map<ObjectId, { x: number; y: number }>();
  const probe = world.spawn(Probe, { x: 5 }, { owner: SESSION });
  const arrived: Uint8Array[] = [];
  const known = new Set<ObjectId>();
  const say = (id: ObjectId, kind: DecisionKind, settled = false): void => void decided.push({ id, kind, settled });
  for (let round = 1; round <= ROUNDS; round++) {
    decided.length = 0;
    for (const [i, rock] of rocks.entries()) {
      if (i >= 6 && i < 66) continue;
      // The story's own places go on beyond the field's range; what is written stays within it.
      const place = places.get(rock.id) ?? { x: rock.x, y: rock.y };
      places.set(rock.id, place);
      place.x += 0.1 + (i % 7) * 0.03 + (dice.chance(0.1) ? dice.range(-20, 20) : 0);
      rock.x = inRange(place.x);
      if (i % 2 === 0) place.y += dice.range(-0.02, 0.02);
      if (i % 2 === 0) rock.y = inRange(place.y);
      if (i % 3 === 0) rock.heading += 0.3;
      if (dice.chance(0.2)) rock.spin = (rock.spin + dice.int(9) - 4) % 200;
      if (dice.chance(0.05)) rock.lit = !rock.lit;
      if (dice.chance(0.05)) rock.kind = dice.pick(["ice", "iron", "gold"]);
      if (dice.chance(0.05)) rock.name = dice.pick(["a", "größer", ""]);
      if (dice.chance(0.05)) rock.mass = dice.range(0, 9);
      if (dice.chance(0.05)) rock.ticks += 2 ** 33;
      if (dice.chance(0.03)) rock.hull = dice.int(128);
    }
    world.commit(0);
    if (round % 9 === 0) {
      probe.x += 1;
      world.commit(SESSION);
      probe.mode = probe.mode === "idle" ? "scan" : "idle";
      world.commit(0);
    }
    if (known.has(probe.id)) {
      if (round % 9 === 0) say(probe.id, DecisionKind.update);
    } else {
      say(probe.id, DecisionKind.create);
    }
    known.add(probe.id);
    for (const [i, rock] of rocks.entries()) {
      const isKnown = known.has(rock.id);
      if (!isKnown) say(rock.id, DecisionKind.create);
      else if (i < 6 || i >= 66) {
        if (round % 11 === i && i > 2) say(rock.id, DecisionKind.leave);
        else if (i < 3 || round % (i % 5) === 0) say(rock.id, DecisionKind.update, dice.chance(0.08));
      }
      if (round % 11 === i && i > 2 && isKnown) known.delete(rock.id);
      else known.add(rock.id);
    }
    if (round === 30 || round === 50) {
      const [gone] = rocks.splice(4, 1);
      if (known.delete(gone!.id)) {
        const at = decided.findIndex(({ id }) => id === gone!.id);
        if (at >= 0) decided.splice(at, 1);
        say(gone!.id, DecisionKind.destroy);
      }
      world.destroy(gone!);
      // Slots come round: an id of a second generation.
      for (let i = 0; i < 70; i++) world.destroy(world.spawn(Rock));
      rocks.splice(4, 0, world.spawn(Rock, { x: 9 }));
    }
    const events = round % 10 === 0 ? [shot(round)] : [];
    cache.beginRound();
    const commands = round < 20 ? -1 : 65_500 + round * 3;
    const confirmed = { heard: round >> 2, pivots: round >> 4, commands, again: round % 7 === 0 };
    const packets = writer.write({ round, ...confirmed, events, maxBytes: 400 });
    for (const { bytes } of packets) {
      if (round > 3 && dice.chance(0.15)) continue;
      const { message } = decodeFromServer(bytes, "unsequenced", storyProtocol);
      if (message.kind !== "frame" || reader.apply(message.frame) !== "applied") throw new Error("not applied");
      arrived.push(bytes);
    }
    const ack = reader.arrivals.ack();
    if (!dice.chance(round > QUIET_ROUND ? 0.8 : 0.2)) writer.acknowledge(ack, round + 1);
  }
  return arrived;
}

function shot(number: number): BitWriter {
  const w = new BitWriter();
  storyProtocol.writeType(w, Shot);
  writeRecord(w, Shot, { number, words: "bäng" });
  return w;
}

function scripted(decided: readonly { id: ObjectId; kind: DecisionKind; settled: boolean }[]): ConsistencyModel {
  const model: Partial<ConsistencyModel> = {
    decisions: (): Decisions => ({
      count: decided.length,
      withheld: 0,
      ids: Uint32Array.from(decided, ({ id }) => id),
      kinds: Uint8Array.from(decided, ({ kind }) => kind),
      causes: new Uint8Array(decided.length),
      zones: new Uint8Array(decided.length),
      urgencies: new Float64Array(decided.length),
      waits: new Uint32Array(decided.length),
      settled: Uint8Array.from(decided, ({ settled }) => (settled ? 1 : 0)),
    }),
    baseVersion: () => 1,
    acknowledgeAll: () => {},
    lose: () => {},
  };
  return model as ConsistencyModel;
}

/** Descriptions as plain data, for the slow reader. */
export function plainProtocol({ objects, commands, events }: Protocol): PlainProtocol {
  const roles = (type: ObjectType): string[] =>
    [...type.position, ...type.orientation, ...type.velocity].map((index) => type.fields[index]!.name);
  return {
    objects: objects.map((type) => ({ ...plainType(type), roles: roles(type), velocities: velocitiesOf(type) })),
    commands: commands.map(plainType),
    events: events.map(plainType),
  };
}

function velocitiesOf({ fields, position, velocity }: ObjectType): PlainType["velocities"] {
  const named = velocity.map((index, axis) => {
    const { name, field } = fields[index]!;
    const zero = field.numeric ? field.quantizeNumber(0) - field.wireMin : 0;
    return [fields[position[axis]!]!.name, { name, zero }] as const;
  });
  return Object.fromEntries(named);
}

function plainType({ name, fields }: DescribedType): PlainType {
  return {
    name,
    roles: [],
    velocities: {},
    fields: fields.map(({ name: fieldName, field }): PlainField => {
      const most = Number(/^(?:text|bytes)\((\d+)\)$/.exec(field.signature())?.[1]);
      if (!field.numeric) return { name: fieldName, kind: field.kind, max: most };
      const { kind, wireBits, wireMax, labels } = field;
      return { name: fieldName, kind, bits: wireBits, points: wireMax, labels: labels.length };
    }),
  };
}

/** A wire form as the slow reader has it: whole numbers counted from the smallest. */
export function plainWire(type: DescribedType, fieldName: string, wire: unknown): Plain {
  const { field } = type.fields.find(({ name }) => name === fieldName)!;
  if (wire instanceof Uint8Array) return Buffer.from(wire).toString("hex");
  if (!field.numeric || field.kind === "float32" || field.kind === "float64") return wire as Plain;
  return (wire as number) - field.wireMin;
}

function inRange(x: number): number {
  return Math.min(100, Math.max(0, x));
}
