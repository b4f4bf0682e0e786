/** @nearfield/social/client: the social space as a page or a bot uses it, and the messages that a game's protocol needs for it. */

export type { RefusalCode } from "../errors.ts";
export { SocialError } from "../errors.ts";
export type { Holding, Lot } from "../goods/catalogue.ts";
export type { TradeView } from "../goods/trades.ts";
export { socialMessages } from "./messages.ts";
export type { SocialNews, SocialRequests } from "./requests.ts";
export { SocialClient, type SocialLine } from "./social-client.ts";
