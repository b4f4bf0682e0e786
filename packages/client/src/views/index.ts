/** @nearfield/client/views: a client moves its view, or asks for another one. A page that does neither does not load the rules of views. */

export { proposeView } from "../propose-view.ts";
export { setPivots } from "../set-pivots.ts";
