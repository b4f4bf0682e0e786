/** Objects, commands and events described once: inferred types, bit codec, protocol hash, typed columns. */

// angles
export { angleBetween, cosine, directionOf, foldAngle, sine } from "./angles.ts";
export { BitReader } from "./bit-reader.ts";
export { BitWriter, measureVar } from "./bit-writer.ts";
export type { Cell, ColumnForm } from "./columns.ts";
// storage
export { Columns } from "./columns.ts";
export type { Past, PlainSink, PlainSource } from "./delta-codec.ts";
export { DeltaCodec, emptyPast, PAST_STATES } from "./delta-codec.ts";
export type {
  CommandType,
  DescribedType,
  EventType,
  Fields,
  NamedField,
  NumberFieldName,
  ObjectOptions,
  ObjectType,
  Values,
  WriteMode,
} from "./describe.ts";
// describing
export { command, event, MAX_FIELDS, object } from "./describe.ts";
export type { SchemaErrorCode, WireErrorCode } from "./errors.ts";
// errors
export { SchemaError, WireError } from "./errors.ts";
export type { AnyField, Field, SequenceField, SequenceKind, ValueOf, Wire, WireElement } from "./field.ts";
// codec
export { measureFields, measureMask, readFields, readMask, writeFields, writeMask, writeRow } from "./fields-codec.ts";
export { grown, roomFor } from "./growth.ts";
// objects' ids
export { GENERATIONS, generationOf, MAX_SLOTS, type ObjectId, objectId, SLOT_BITS, slotOf } from "./ids.ts";
// who listens
export { Listeners, ListenersByKey, type Off } from "./listeners.ts";
// names of players
export { cleanNickname, NICKNAME_BYTES } from "./nickname.ts";
// fields
export { angle, bool, enumeration, float32, float64, int, quantized, uint } from "./numbers.ts";
export type { NumericField, NumericKind } from "./numeric-field.ts";
export type { ProtocolDescription } from "./protocol.ts";
export { MAX_TYPES, Protocol } from "./protocol.ts";
export { checkRecord, measureRecord, readRecord, writeRecord } from "./records.ts";
export { measureGamma, RESIDUAL_LENGTHS, readGamma, writeGamma } from "./residuals.ts";
export { bytes, list, text } from "./sequences.ts";
// mistakes in options
export {
  nearestName,
  OptionsError,
  refuseUnknownKeys,
  suggestion,
  unknownKeyOf,
  unknownKeyProblem,
} from "./unknown-keys.ts";
export { bitsFor } from "./widths.ts";
// identity in a world of many servers
export { MAX_ORIGINS, numberOf, originOf, type WorldId, WorldIds, worldId } from "./world-id.ts";
