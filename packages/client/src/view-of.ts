/** What a client knows of its own view. */

import type { Off } from "@nearfield/schema";
import type { Client } from "./client.ts";
import { KnownView, type ViewInForce } from "./known-view.ts";
import type { Handlers } from "./news.ts";

/**
 * The view in force, as the server judges by it: the room's view, one that the game set, or this client's proposal as authorised, with
 * the pivots that the server uses, and the factors by which the server loosens the bounds while bytes run short. Undefined before the client has joined. The
 * client is not told of points that the game moves; their place here is that of the last other change of the view.
 */
export function viewOf({ inside }: Client): ViewInForce | undefined {
  return KnownView.of(inside).inForce;
}

/** Called when the view in force changed: as the answer to a proposal, or because the server changed it. Returns a function that takes the handler back. */
export function onViewSet({ inside }: Client, handler: Handlers["view"]): Off {
  KnownView.of(inside);
  return inside.news.on("view", handler);
}

/** Called when the factors change by which the server loosens this client's bounds: bytes run short, or no longer do. */
export function onLoosened({ inside }: Client, handler: Handlers["loosened"]): Off {
  KnownView.of(inside);
  return inside.news.on("loosened", handler);
}
