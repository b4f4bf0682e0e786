/**
 * Where a client has ids of its own (`RoomOptions.idsPerClient`): every id in a message is translated at the door, so that the rest of the server knows only those of the
 * world. Frames are not translated here: their writer knows the names. An id that names nothing becomes that of an object that is gone.
 */

import type { Pivot, World } from "@nearfield/core";
import type { ClientNames, FromClient } from "@nearfield/protocol/internal";
import type { ObjectId } from "@nearfield/schema";
import { GENERATIONS, objectId } from "@nearfield/schema/internal";
import type { ToClient } from "./session.ts";

/** A client's message with the ids of the world. */
export function toWorld(message: FromClient, names: ClientNames, world: World): FromClient {
  const of = (name: ObjectId): ObjectId => names.objectOf(name) ?? goneId(world);
  switch (message.kind) {
    case "write":
    case "release":
    case "lock":
    case "remove":
      return { ...message, id: of(message.id) };
    case "debug":
    case "group":
      return { ...message, ids: message.ids.map(of) };
    case "pivots":
      return { ...message, pivots: message.pivots.map((pivot) => translated(pivot, of)) };
    case "proposeView": {
      const { settings } = message;
      return { ...message, settings: { ...settings, pivots: settings.pivots.map((pivot) => translated(pivot, of)) } };
    }
    case "commands":
      return { ...message, list: message.list.map((step) => ({ ...step, id: of(step.id) })) };
    default:
      return message;
  }
}

/** A message to a client with the ids that it knows. */
export function toClient(message: ToClient, names: ClientNames): ToClient {
  const of = (id: ObjectId): ObjectId => names.nameOf(id);
  switch (message.kind) {
    case "lockGranted":
    case "lockDenied":
    case "lockLost":
    case "added":
    case "writeRefused":
      return { ...message, id: of(message.id) };
    case "joined":
      return { ...message, own: message.own.map(of) };
    case "viewSet": {
      const { settings } = message;
      return { ...message, settings: { ...settings, pivots: settings.pivots.map((pivot) => translated(pivot, of)) } };
    }
    case "explanations":
      return { ...message, list: message.list.map((explanation) => ({ ...explanation, id: of(explanation.id) })) };
    default:
      return message;
  }
}

function translated(pivot: Pivot, of: (id: ObjectId) => ObjectId): Pivot {
  if ("object" in pivot) return { ...pivot, object: of(pivot.object) };
  return "group" in pivot ? { ...pivot, group: pivot.group.map(of) } : pivot;
}

/** An id that belonged to an object once, or could have. */
function goneId({ store }: World): ObjectId {
  return objectId(0, (store.generation[0]! + GENERATIONS - 1) % GENERATIONS);
}
