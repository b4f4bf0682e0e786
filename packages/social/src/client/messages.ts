/**
 * The three messages between a page and the social space, for a game's `Protocol`. A page asks, the server answers under the same number, and the
 * server tells news unasked. Bodies are JSON, so that new requests need no new message; both sides bound their length.
 */
import {
  type CommandType,
  command,
  type EventType,
  event,
  type NumericField,
  type SequenceField,
  text,
  uint,
} from "@nearfield/schema";

/** Bytes of a question's body. A chat line or an offer of 64 lots fits. */
export const ASK_BYTES = 6000;
/** Bytes of an answer's or news' body. A page of an inventory fits. */
export const ANSWER_BYTES = 60_000;
const KIND_BYTES = 40;

type Number = NumericField<number>;
type Text = SequenceField<string>;

const kind = text(KIND_BYTES);
const number = uint(32);

export const Ask: CommandType<{ number: Number; kind: Text; body: Text }> = command("socialAsk", {
  number,
  kind,
  body: text(ASK_BYTES),
});

/** `refused` is empty, or a refusal's code; the body is then a sentence for people. */
export const Answer: EventType<{ number: Number; refused: Text; body: Text }> = event("socialAnswer", {
  number,
  refused: kind,
  body: text(ANSWER_BYTES),
});

export const News: EventType<{ kind: Text; body: Text }> = event("socialNews", { kind, body: text(ANSWER_BYTES) });

/** For the game's protocol: `new Protocol({ …, commands: [...socialMessages.commands], events: [...socialMessages.events] })`. */
export const socialMessages: {
  readonly commands: readonly [typeof Ask];
  readonly events: readonly [typeof Answer, typeof News];
} = { commands: [Ask], events: [Answer, News] };
