/** @nearfield/protocol/internal: for packages of this repository. It may change with any version. */

// Messages

export type { Arrived, MessageChannel, Readers, Unread } from "../codec.ts";
export {
  type Commands,
  LEAST_STEP_MS,
  MOST_AHEAD_MS,
  MOST_COMMANDS,
  MOST_HELD_MS,
  MOST_STEP_MS,
  type SteppedCommand,
} from "../commands-codec.ts";
export { agrees, type Digest, digestOf, type FieldValues, isExactly } from "../digest.ts";
export { EXPLANATION_BYTES, MAX_EXPLANATIONS, type ToldExplanation } from "../explanation-codec.ts";
export {
  type Ack,
  type Add,
  type Command,
  type CommonFromClient,
  channelFromClient,
  type Debug,
  decodeFromClient,
  encodeCommands,
  encodeCommon,
  encodeDebug,
  encodeFromClient,
  encodeGrouping,
  encodePivots,
  encodeProposal,
  encodeWish,
  type FromClient,
  type Group,
  type Hello,
  isFromClient,
  MAX_DEBUG_OBJECTS,
  MAX_GROUPED,
  MAX_HELLO_BYTES,
  MAX_PLAIN_HELLO_BYTES,
  MAX_RECORD_BYTES,
  type Pivots,
  PROTOCOL_VERSION,
  type ProposeView,
  type Release,
  type Resume,
  ROLES,
  type Role,
  type Wish,
  type Write,
} from "../from-client.ts";
export {
  type CommonFromServer,
  channelFromServer,
  decodeCommonFromServer,
  decodeFromServer,
  EXPLANATION_READERS,
  encodeFromServer,
  GROUPING_READERS,
  MAX_AWAITED,
  mostViewBytes,
  PIVOT_READERS,
  type RareKind,
  REFUSAL_READERS,
  VIEW_READERS,
  WISH_READERS,
} from "../from-server.ts";
export { type FieldsOfObject, MAX_CREDENTIALS_BYTES, MAX_NAME_BYTES, MAX_TOKEN_BYTES } from "../primitives.ts";
export { ProtocolError, REASONS, type Reason } from "../reasons.ts";
export {
  type Added,
  type AddRefused,
  type ClientPivotsSet,
  type EventMessage,
  type Explanations,
  type Frame,
  type FromServer,
  type Grouped,
  type LockDenied,
  type LockGranted,
  type LockLost,
  type Loosened,
  REFUSALS,
  type Refusal,
  ROOM_STATES,
  type RoomState,
  type ViewRefused,
  type ViewSet,
  type Welcome,
  type WriteRefused,
} from "../server-messages.ts";
export { viewBytes } from "../view-codec.ts";

// Frames and what became of them

export { ACK_WINDOW, type AckPart, Arrivals, IN_ORDER_ACK_ROUNDS, type PacketAck } from "../arrivals.ts";
export { ClientNames } from "../client-names.ts";
export { DecodedFrame, type FrameEvent, type RecordFields } from "../decoded-frame.ts";
export { EncodeCache } from "../encode-cache.ts";
export { RecordKind } from "../frame.ts";
export { type FrameOutcome, FrameReader, LATEST_ROUNDS, type Replica } from "../frame-reader.ts";
export {
  type EncodedEvent,
  type FrameInput,
  type FramePacket,
  FrameWriter,
  type FrameWriterOptions,
  type PacketSink,
  type SendModel,
} from "../frame-writer.ts";
export { HeldStream } from "../held-stream.ts";
export { type FateListener, PacketLedger, type StateListener } from "../ledger.ts";
export { overwrite } from "../overwrites.ts";
export { PressingOrder } from "../pressing-order.ts";
export type { HeldBackListener } from "../view-fates.ts";

// Reliable messages, and numbers that wrap

export { RELIABLE_STREAM_LIMITS, ReliableStream, type ReliableStreamLimits } from "../reliable-stream.ts";
export { isNewer, short, unwrap } from "../sequence.ts";
