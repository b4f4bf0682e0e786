/**
 * @nearfield/client/views: what a client knows of its view, what changed in it, how it moves its view or asks for another one, and why objects are sent to it. A page that
 * does nothing of this does not load the rules of views.
 */

export { explain, onExplanations } from "../explain.ts";
export { proposeView } from "../propose-view.ts";
export { setPivots } from "../set-pivots.ts";
export { markOf, updatedSince } from "../updated-since.ts";
export { onLoosened, onViewSet, viewOf } from "../view-of.ts";
