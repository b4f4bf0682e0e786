/**
 * The protocol: every object, command and event that server and client share, each kind numbered by its order.
 *
 * Both sides build it from the same descriptions. Its hash covers all names, fields, parameters, roles, write modes and their order, so
 * two sides with the same hash read each other's bits alike; with another hash the server refuses the client.
 */

import { IS_DEVELOPMENT } from "#development";
import type { BitReader } from "./bit-reader.ts";
import type { BitWriter } from "./bit-writer.ts";
import type { CommandType, DescribedType, EventType, ObjectType } from "./describe.ts";
import { SchemaError, WireError } from "./errors.ts";
import { bitsFor } from "./widths.ts";

export interface ProtocolDescription {
  readonly objects: readonly ObjectType[];
  /** Default: none. */
  readonly commands?: readonly CommandType[];
  /** Default: none. */
  readonly events?: readonly EventType[];
}

/** Types of one kind; their index fits a byte. */
export const MAX_TYPES = 256;

/** Changes when the same description comes to mean other bits. */
const CODEC_VERSION = 2;

export class Protocol {
  readonly objects: readonly ObjectType[];
  readonly commands: readonly CommandType[];
  readonly events: readonly EventType[];
  /** The whole description as text, one line for each type: compare two of them to see why the hashes differ. */
  readonly signature: string;
  /** 32 bits, unsigned. */
  readonly hash: number;
  private readonly indices: ReadonlyMap<DescribedType, number>;

  constructor(description: ProtocolDescription) {
    const { objects, commands = [], events = [] } = description;
    if (IS_DEVELOPMENT) {
      checkTypes(objects, "object");
      checkTypes(commands, "command");
      checkTypes(events, "event");
    }
    this.objects = Object.freeze([...objects]);
    this.commands = Object.freeze([...commands]);
    this.events = Object.freeze([...events]);
    const kinds: readonly (readonly DescribedType[])[] = [this.objects, this.commands, this.events];
    this.indices = new Map(
      kinds.flatMap((types) => types.map((type, index): [DescribedType, number] => [type, index])),
    );
    this.signature = [`nearfield ${CODEC_VERSION}`, ...kinds.flat().map(signatureOf)].join("\n");
    this.hash = fnv1a(this.signature);
  }

  /** The type's number among those of its kind. Throws `SchemaError("unknown")` for a type of another protocol. */
  typeIndex(type: DescribedType): number {
    const index = this.indices.get(type);
    if (index === undefined)
      throw new SchemaError("unknown", type.name, IS_DEVELOPMENT && `this ${type.kind} is not part of the protocol`);
    return index;
  }

  objectNamed(name: string): ObjectType | undefined {
    return this.objects.find((type) => type.name === name);
  }

  commandNamed(name: string): CommandType | undefined {
    return this.commands.find((type) => type.name === name);
  }

  eventNamed(name: string): EventType | undefined {
    return this.events.find((type) => type.name === name);
  }

  /** Writes the type's index, in just enough bits for the types of its kind. */
  writeType(writer: BitWriter, type: DescribedType): void {
    writer.writeBits(this.typeIndex(type), this.measureType(type.kind));
  }

  /** In bits. */
  measureType(kind: DescribedType["kind"]): number {
    const types = kind === "object" ? this.objects : kind === "command" ? this.commands : this.events;
    return indexBits(types);
  }

  readObjectType(reader: BitReader): ObjectType {
    return readType(reader, this.objects, "object");
  }

  readCommandType(reader: BitReader): CommandType {
    return readType(reader, this.commands, "command");
  }

  readEventType(reader: BitReader): EventType {
    return readType(reader, this.events, "event");
  }
}

function checkTypes(types: readonly DescribedType[], kind: DescribedType["kind"]): void {
  if (types.length > MAX_TYPES) {
    throw new SchemaError("limit", "Protocol", `holds at most ${MAX_TYPES} ${kind}s, got ${types.length}`);
  }
  const names = new Set<string>();
  for (const type of types) {
    if (type.kind !== kind)
      throw new SchemaError(
        "parameter",
        type.name,
        `must be made by ${kind}() to stand among the ${kind}s, got kind ${type.kind}`,
      );
    if (names.has(type.name)) throw new SchemaError("name", type.name, `two ${kind}s have this name`);
    names.add(type.name);
  }
}

function readType<T extends DescribedType>(reader: BitReader, types: readonly T[], kind: T["kind"]): T {
  const index = reader.readBits(indexBits(types));
  const type = types[index];
  if (type === undefined) throw new WireError("unknown", IS_DEVELOPMENT && `there is no ${kind} type ${index}`);
  return type;
}

function indexBits(types: readonly DescribedType[]): number {
  return bitsFor(Math.max(0, types.length - 1));
}

function signatureOf(type: DescribedType): string {
  const fields = type.fields.map(({ name, field }) => `${name}:${field.signature()}`).join(" ");
  const head = `${type.kind} ${type.name} {${fields}}`;
  return isObject(type) ? `${head} ${rolesOf(type)}` : head;
}

function rolesOf(type: ObjectType): string {
  const names = (indices: readonly number[]): string => indices.map((index) => type.fields[index]!.name).join(",");
  const usual = `position(${names(type.position)}) orientation(${names(type.orientation)}) velocity(${names(type.velocity)})`;
  const further = [
    ...(type.acceleration.length > 0 ? [`acceleration(${names(type.acceleration)})`] : []),
    ...(type.turnRate.length > 0 ? [`turnRate(${names(type.turnRate)})`] : []),
  ];
  return [usual, ...further, type.write].join(" ");
}

function isObject(type: DescribedType): type is ObjectType {
  return type.kind === "object";
}

/** FNV-1a, 32 bits, over both bytes of every UTF-16 unit. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return hash >>> 0;
}
