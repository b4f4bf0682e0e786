/** @nearfield/schema/internal: for packages of this repository. It may change with any version. */

// angles

export { angleBetween, cosine, directionOf, foldAngle, sine } from "../angles.ts";
export { BitReader } from "../bit-reader.ts";
export { appendBits, appendWords, copyWords, firstWordOf } from "../bit-runs.ts";
export { BitWriter, measureVar } from "../bit-writer.ts";
export type { Cell, ColumnForm } from "../columns.ts";

// storage

export { Columns } from "../columns.ts";
export { DeltaReader, type PlainSink } from "../delta-reader.ts";
export { DeltaWriter, type PlainSource } from "../delta-writer.ts";
export type {
  DescribedType,
  NamedField,
  NumberFieldName,
  ObjectOptions,
  WriteMode,
} from "../describe.ts";

// what only a development build has

export { IS_DEVELOPMENT } from "#development";

// describing

export { MAX_FIELDS } from "../describe.ts";
export type { SchemaErrorCode, WireErrorCode } from "../errors.ts";

// errors

export { WireError } from "../errors.ts";
export type { AnyField, Field, SequenceKind, ValueOf, Wire, WireElement } from "../field.ts";

// codec

export { measureFields, measureMask, readFields, readMask, writeFields, writeMask, writeRow } from "../fields-codec.ts";
export { measureGamma, readGamma, writeGamma } from "../gamma.ts";
export { doubling, type Growth, grown, reserving, roomFor } from "../growth.ts";

// objects' ids

export { GENERATIONS, generationOf, MAX_SLOTS, objectId, SLOT_BITS } from "../ids.ts";

// who listens

export { Listeners, ListenersByKey } from "../listeners.ts";

// names of players

export { cleanLine, cleanNickname } from "../nickname.ts";

// fields

export { dequantizeNumberInto, type NumericKind } from "../numeric-field.ts";
export { emptyPast, PAST_STATES, type Past } from "../prediction.ts";
export type { ProtocolDescription } from "../protocol.ts";
export { MAX_TYPES } from "../protocol.ts";
export { checkRecord, measureRecord, readRecord, writeRecord } from "../records.ts";
export { RESIDUAL_LENGTHS } from "../residuals.ts";
export { checkText, readLength } from "../sequences.ts";
export { TrackedFields } from "../tracked-fields.ts";
export { readUtf8, utf8Length, writeUtf8 } from "../utf8.ts";

// mistakes in options

export { nearestName, refuseUnknownKeys, suggestion, unknownKeyOf, unknownKeyProblem } from "../unknown-keys.ts";
export { bitsFor } from "../widths.ts";

// identity in a world of many servers

export { MAX_ORIGINS, numberOf, originOf, WorldIds, worldId } from "../world-id.ts";
