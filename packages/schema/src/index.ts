/** Objects, commands and events described once: their types, their fields, and the protocol that both sides share. */

// Describing

export {
  type CommandType,
  command,
  type EventType,
  event,
  type Fields,
  type ObjectType,
  object,
  type Values,
} from "./describe.ts";
export { Protocol } from "./protocol.ts";

// Fields

export type { SequenceField } from "./field.ts";
export { angle, bool, enumeration, float32, float64, int, quantized, uint } from "./numbers.ts";
export type { NumericField } from "./numeric-field.ts";
export { bytes, list, text } from "./sequences.ts";

// Ids of objects, here and in a world of many servers

export { type ObjectId, slotOf } from "./ids.ts";
export type { WorldId } from "./world-id.ts";

// What handlers and nicknames have in common on both sides

export type { Off } from "./listeners.ts";
export { NICKNAME_BYTES } from "./nickname.ts";

// Mistakes

export { SchemaError } from "./errors.ts";
export { OptionsError } from "./unknown-keys.ts";
