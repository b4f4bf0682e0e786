/** Explanations: why objects are sent to this client, or are not. For overlays; they cost bytes of their own. */

import { EXPLANATION_READERS, type Explanations, encodeDebug, MAX_DEBUG_OBJECTS } from "@nearfield/protocol/internal";
import type { ObjectId, Off } from "@nearfield/schema";
import { IS_DEVELOPMENT } from "@nearfield/schema/internal";
import { badOption } from "./check-options.ts";
import type { Client } from "./client.ts";
import type { Handlers } from "./news.ts";

/** Asks for explanations of these objects every `everyRounds` rounds. No ids: of all objects, in turn. 0 rounds: ends them. */
export function explain({ inside }: Client, everyRounds: number, ids: readonly ObjectId[] = []): void {
  const { session, store } = inside;
  if (ids.length > MAX_DEBUG_OBJECTS)
    throw badOption(IS_DEVELOPMENT && `explain: ${ids.length} objects, but at most ${MAX_DEBUG_OBJECTS} are possible`);
  session.pushAs((number) => encodeDebug({ kind: "debug", everyRounds, ids }, store.protocol, number));
}

/** Called with the explanations that `explain` asked for. Returns a function that takes the handler back. */
export function onExplanations({ inside }: Client, handler: Handlers["explanations"]): Off {
  const { session, news } = inside;
  session.learn<Explanations>(EXPLANATION_READERS, ({ round, list }) => news.tell("explanations", round, list));
  return news.on("explanations", handler);
}
