/** @nearfield/social/internal: the social space without clock, dice and Node. It may change with any version. */

// The whole, and refusals

export { isRefusalCode, type RefusalCode, SocialError } from "../errors.ts";
export { Social, type SocialMachine, type SocialOptions } from "../social.ts";

// Accounts

export {
  type AccountLimits,
  Accounts,
  type AccountsOptions,
  type Login,
  type Passwords,
  type TokenClaims,
  type Tokens,
} from "../accounts/accounts.ts";
export type { ThrottleOptions } from "../accounts/throttle.ts";

// Goods, and what action spaces pay

export type { Attributes, Catalogue, Holding, Lot, NewGoods } from "../goods/catalogue.ts";
export { Goods, type Order } from "../goods/goods.ts";
export { Trades, type TradeView } from "../goods/trades.ts";
export type { PaidTimes } from "../paid/hearing.ts";
export { type OpenPaidOptions, PaidSpaces, type PaidSpacesOptions } from "../paid/paid-spaces.ts";
export { type Settlement, Settlements, type SpaceVerdict } from "../settlement/settlement.ts";
export { verdictFor } from "../settlement/verdict-for.ts";

// The lobby and rooms, which a cluster has for all its servers

export type { Entrant, Lobby, LobbyNews, Maybe, QueuedTicket } from "../lobby/lobby.ts";
export { type LobbyRecord, LocalLobby, type LocalLobbyOptions } from "../lobby/local-lobby.ts";
export type { QueuedMatch, Queues } from "../matching/matching.ts";
export type { PartyView, Person } from "../parties/parties.ts";
export type { RoomView, RoomWish } from "../rooms/room-view.ts";
export { type OpenRooms, publicRooms, Rooms, type RoomsOptions } from "../rooms/rooms.ts";

// Questions of players

export type { Asker, GameAnswers } from "../requests/desk.ts";
export type { RateLimit } from "../requests/rate.ts";
export { flag, id, listOf, oneOf, optional, type Reader, record, textUpTo, whole } from "../requests/shape.ts";
