/**
 * What servers of a cluster say to each other about rooms, parties and matches: JSON, since it is about people and not about movement. Every message is
 * bounded before it is read, and every text and list in it while it is read. What cannot be read is dropped.
 */

import { BitReader, BitWriter, readUtf8, utf8Length, writeUtf8 } from "@nearfield/schema/internal";
import {
  flag,
  listOf,
  oneOf,
  optional,
  type QueuedMatch,
  type Reader,
  type RoomView,
  record,
  textUpTo,
  whole,
} from "@nearfield/social/internal";

/** The longest message that is read, bytes. */
export const MOST_BYTES = 400_000;
/** Questions in one message. */
export const MOST_ASKS = 64;
/** Rooms that one server tells of. */
export const MOST_ROOMS = 1000;
const MOST_NEWS = 5000;
const MOST_TEAMS = 64;
const MOST_MEMBERS = 64;

const name = textUpTo(200);
const count = whole(0, Number.MAX_SAFE_INTEGER);
const server = whole(0, 65_535);
const members = listOf(name, MOST_MEMBERS);

const figure: Reader<number> = (value, path) => {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new RangeError(`${path}: must be a number`);
};

const anything: Reader<unknown> = (value) => value;

export const roomView: Reader<RoomView> = record({
  id: name,
  name,
  owner: name,
  isPublic: flag,
  places: count,
  taken: count,
  address: optional(textUpTo(500)),
});

const match: Reader<QueuedMatch> = record({
  id: name,
  queue: name,
  teams: listOf(members, MOST_TEAMS),
  room: optional(roomView),
});

/** What a server asks the lobby for, in the name of a player or of itself. */
export const ASKS = [
  "party",
  "invite",
  "join",
  "leaveParty",
  "expel",
  "passLead",
  "enter",
  "leaveQueue",
  "here",
  "gone",
  "told",
] as const;

export interface Ask {
  readonly kind: (typeof ASKS)[number];
  /** Who asks; of `told` the match. */
  readonly account: string;
  readonly name?: string;
  /** Another account, a party, or a queue. */
  readonly other?: string;
  readonly members?: readonly string[];
  readonly rating?: number;
}

const ask: Reader<Ask> = record({
  kind: oneOf(...ASKS),
  account: name,
  name: optional(name),
  other: optional(name),
  members: optional(members),
  rating: optional(figure),
});

export interface Asked {
  readonly from: number;
  /** Of the keeper that the server asks. */
  readonly fence: number;
  /** Counts the messages of a server. The same number is the same message. */
  readonly number: number;
  readonly asks: readonly Ask[];
}

/** One answer: a body, or a refusal's code and a sentence. */
export interface Answered {
  readonly body?: unknown;
  readonly refused?: string;
  readonly detail?: string;
}

export interface Answers {
  readonly fence: number;
  readonly number: number;
  /** Undefined: another keeper carried it out, and nobody knows any more what came of it. */
  readonly answers?: readonly Answered[];
}

export interface NewsItem {
  readonly kind: "party" | "invited" | "waiting";
  readonly account: string;
  readonly body: unknown;
}

/** From the keeper to all servers. */
export interface Told {
  readonly fence: number;
  /** Counts what this keeper tells. What comes late, after something newer, is dropped: it would set players back. */
  readonly number: number;
  readonly news?: readonly NewsItem[];
  readonly match?: QueuedMatch;
}

/** What a server tells of its rooms. Without `rooms`: they are those that it told of under this version. */
export interface Announcement {
  readonly from: number;
  readonly version: number;
  readonly load: number;
  readonly address: string;
  readonly rooms?: readonly RoomView[];
}

/** Asked of the server that has a room, or shall have it. */
export interface RoomRequest {
  readonly kind: "create" | "close" | "match";
  /** Of a match: of the keeper that has made it. */
  readonly fence?: number;
  readonly match?: QueuedMatch;
  readonly account?: string;
  readonly id?: string;
  readonly name?: string;
  readonly isPublic?: boolean;
  readonly places?: number;
}

const answered: Reader<Answered> = record({
  body: optional(anything),
  refused: optional(name),
  detail: optional(textUpTo(1000)),
});

export const readers: {
  readonly asked: Reader<Asked>;
  readonly answers: Reader<Answers>;
  readonly answered: Reader<Answered>;
  readonly told: Reader<Told>;
  readonly announcement: Reader<Announcement>;
  readonly roomRequest: Reader<RoomRequest>;
  readonly keeper: Reader<{ readonly server: number }>;
} = {
  asked: record({ from: server, fence: count, number: count, asks: listOf(ask, MOST_ASKS) }),
  answers: record({ fence: count, number: count, answers: optional(listOf(answered, MOST_ASKS)) }),
  answered,
  told: record({
    fence: count,
    number: count,
    news: optional(
      listOf(
        record({
          kind: oneOf("party", "invited", "waiting"),
          account: name,
          body: optional(anything),
        }) as Reader<NewsItem>,
        MOST_NEWS,
      ),
    ),
    match: optional(match),
  }),
  announcement: record({
    from: server,
    version: count,
    load: figure,
    address: textUpTo(500),
    rooms: optional(listOf(roomView, MOST_ROOMS)),
  }),
  roomRequest: record({
    kind: oneOf("create", "close", "match"),
    fence: optional(count),
    match: optional(match),
    account: optional(name),
    id: optional(name),
    name: optional(name),
    isPublic: optional(flag),
    places: optional(count),
  }),
  keeper: record({ server }),
};

export function encode(message: unknown): Uint8Array {
  const text = JSON.stringify(message);
  const writer = new BitWriter(utf8Length(text));
  writeUtf8(writer, text);
  return writer.finish();
}

/** Undefined where the bytes are too many, or are not such a message. */
export function decode<Value>(bytes: Uint8Array, reader: Reader<Value>, most: number = MOST_BYTES): Value | undefined {
  if (bytes.length > most) return undefined;
  try {
    return reader(parse(bytes), "message");
  } catch {
    return undefined;
  }
}

/** Throws where the bytes are no JSON. */
export function parse(bytes: Uint8Array): unknown {
  return JSON.parse(readUtf8(new BitReader(bytes), bytes.length));
}
