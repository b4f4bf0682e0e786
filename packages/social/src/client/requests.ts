/**
 * What a page can ask of the social space, and what it is told unasked: one line each, read by both sides. Accounts are named by id; answers that
 * show people carry their names too.
 */
import type { Channel, ChatLine } from "../chat/chat.ts";
import type { TieView } from "../friends/ties.ts";
import type { Holding, Lot } from "../goods/catalogue.ts";
import type { LedgerEntry } from "../goods/movement.ts";
import type { TradeView } from "../goods/trades.ts";
import type { QueuedMatch } from "../matching/matching.ts";
import type { PartyView } from "../parties/parties.ts";
import type { RoomView, RoomWish } from "../rooms/room-view.ts";
import type { OwnScore, Period, ScoreLine } from "../scores/scores.ts";

type Nothing = Readonly<Record<never, never>>;
type Of<Asks, Answers> = { readonly asks: Asks; readonly answers: Answers };
type Other = { readonly account: string };

export interface SocialRequests {
  /** Who I am here. */
  readonly me: Of<Nothing, { readonly account: string; readonly name: string; readonly isGuest: boolean }>;
  /** The account of a name. */
  readonly find: Of<{ readonly name: string }, { readonly account: string; readonly name: string }>;

  /** At most 100 holdings, in the order of items, after the one named. */
  readonly "goods.list": Of<
    { readonly after?: string },
    { readonly holdings: readonly Holding[]; readonly hasMore: boolean }
  >;
  /** What happened to my goods, newest first, at most 50. */
  readonly "goods.history": Of<Nothing, readonly LedgerEntry[]>;
  readonly "trade.ask": Of<Other, { readonly trade?: TradeView }>;
  readonly "trade.accept": Of<Other, TradeView>;
  readonly "trade.offer": Of<{ readonly trade: string; readonly gives: readonly Lot[] }, TradeView>;
  readonly "trade.confirm": Of<{ readonly trade: string; readonly revision: number }, TradeView>;
  readonly "trade.cancel": Of<{ readonly trade: string }, TradeView>;
  readonly "trade.status": Of<{ readonly trade: string }, TradeView>;

  /** `to` is an account, for a whisper. The answer is the line as others see it. */
  readonly "chat.say": Of<{ readonly channel: Channel; readonly words: string; readonly to?: string }, ChatLine>;
  readonly "chat.history": Of<{ readonly channel: Exclude<Channel, "whisper"> }, readonly ChatLine[]>;
  readonly "chat.mute": Of<Other & { readonly isMuted: boolean }, Nothing>;

  readonly "friends.list": Of<Nothing, readonly FriendView[]>;
  /** Asks to be friends, or says yes to who asked. */
  readonly "friends.ask": Of<Other, { readonly standing: "asked" | "friend" }>;
  /** Ends a friendship, takes a question back, or says no. */
  readonly "friends.part": Of<Other, Nothing>;
  readonly "friends.block": Of<Other, Nothing>;
  readonly "friends.unblock": Of<Other, Nothing>;

  readonly "party.show": Of<Nothing, { readonly party?: PartyView }>;
  readonly "party.invite": Of<Other, PartyView>;
  readonly "party.join": Of<{ readonly party: string }, PartyView>;
  readonly "party.leave": Of<Nothing, Nothing>;
  readonly "party.expel": Of<Other, PartyView>;
  readonly "party.lead": Of<Other, PartyView>;

  readonly "scores.top": Of<
    { readonly board: string; readonly period?: Period; readonly limit?: number },
    readonly ScoreLine[]
  >;
  readonly "scores.mine": Of<{ readonly board: string; readonly period?: Period }, { readonly own?: OwnScore }>;

  /** The party's leader enters for all. The answer: who waits now. */
  readonly "match.enter": Of<{ readonly queue: string }, { readonly waiting: readonly string[] }>;
  readonly "match.leave": Of<Nothing, Nothing>;

  readonly "rooms.list": Of<Nothing, readonly RoomView[]>;
  readonly "rooms.get": Of<{ readonly room: string }, RoomView>;
  readonly "rooms.create": Of<RoomWish, RoomView>;
  readonly "rooms.close": Of<{ readonly room: string }, Nothing>;
}

export interface FriendView extends TieView {
  readonly isHere: boolean;
}

export interface SocialNews {
  /** My goods have changed: by a trade, a grant, a settlement. */
  readonly goods: { readonly changes: readonly Holding[] };
  readonly "trade.asked": { readonly account: string; readonly name: string };
  readonly trade: TradeView;
  readonly chat: ChatLine;
  /** Somebody asks to be friends. */
  readonly "friend.asked": { readonly account: string; readonly name: string };
  /** A friend has come or gone. */
  readonly friend: { readonly account: string; readonly isHere: boolean };
  readonly "party.invited": { readonly account: string; readonly name: string; readonly party: string };
  /** My party has changed; without `party`: I am in none any more. */
  readonly party: { readonly party?: PartyView };
  /** Whether I wait for a match: somebody of my party has entered a queue, or left it. */
  readonly "match.waiting": { readonly isWaiting: boolean };
  readonly match: QueuedMatch;
  /** What an action space brought me. */
  readonly settled: { readonly space: string; readonly goods: readonly Holding[]; readonly denied?: string };
}

export type RequestKind = keyof SocialRequests;
export type NewsKind = keyof SocialNews;
