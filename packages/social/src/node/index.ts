/** @nearfield/social/node: accounts, goods and whatever else players have beyond one match. */

export { DurableRoom, type KeepOptions, keepRoom } from "../durable/durable-room.ts";
export {
  type Catalogue,
  type Holding,
  type Lot,
  type NewGoods,
  type OpenPaidOptions,
  PaidSpaces,
  type PaidSpacesOptions,
  type PaidTimes,
  type RefusalCode,
  type Settlement,
  SocialError,
  type SpaceVerdict,
  verdictFor,
} from "../internal/index.ts";
export type { AccountRequestsOptions } from "./account-requests.ts";
export { NodeSocial, type OpenSocialOptions, openSocial } from "./open-social.ts";
export { tokenSecret } from "./token-secret.ts";
