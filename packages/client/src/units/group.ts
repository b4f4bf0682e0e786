/** Units by hand: a client says which of its own objects belong together. The room must have `units`. */

import { encodeGrouping, GROUPING_READERS, type Grouped, MAX_GROUPED } from "@nearfield/protocol/internal";
import type { ObjectId } from "@nearfield/schema";
import { badOption } from "../check-options.ts";
import type { Client } from "../client.ts";
import { ClientError } from "../errors.ts";
import type { Inside } from "../inside.ts";
import { Requests } from "../requests.ts";

/**
 * Makes one unit of exactly these own objects: one more pivot of this client's view, whatever their distance and heading. They leave the units that they were in. Resolves
 * when the server has done so. Rejects with `ClientError`: "not-allowed" if the room has no units, "quota" if this client has too many, "invalid" if a
 * type is not grouped in this room, "gone" if none of the objects is left. Objects that are gone by then are left out. At most 1,024 objects.
 */
export function group(client: Client, objects: Iterable<{ readonly id: ObjectId }>): Promise<void> {
  return ask(client, objects, true);
}

/** Has the server group these own objects by distance and heading again. Rejects as `group` does. */
export function ungroup(client: Client, objects: Iterable<{ readonly id: ObjectId }>): Promise<void> {
  return ask(client, objects, false);
}

function ask({ inside }: Client, objects: Iterable<{ readonly id: ObjectId }>, byHand: boolean): Promise<void> {
  const { session, store } = inside;
  const ids = [...new Set(Array.from(objects, ({ id }) => id))];
  if (ids.length > MAX_GROUPED)
    throw badOption(`group: ${ids.length} objects, but at most ${MAX_GROUPED} are possible`);
  const foreign = ids.find((id) => !store.mine.has(id));
  if (foreign !== undefined) throw badOption(`group: object ${foreign} is not an object of this client`);
  inside.groupings ??= groupingsOf(inside);
  const request = inside.groupings.count + 1;
  session.pushAs((number) => encodeGrouping({ kind: "group", request, byHand, ids }, store.protocol, number));
  return inside.groupings.wait(request);
}

function groupingsOf({ session, asked }: Inside): Requests<number, void> {
  const groupings = new Requests<number, void>();
  asked.push(groupings);
  session.learn<Grouped>(GROUPING_READERS, ({ request, refusal }) => {
    if (refusal === undefined) groupings.resolve(request, undefined);
    else groupings.reject(request, new ClientError(refusal, `the objects were not grouped: ${refusal}`));
  });
  return groupings;
}
