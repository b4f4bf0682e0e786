/** The cluster as the server sees it: who owns which part of the world, and what the servers say to each other. Counters begin when a server starts. */

export interface ClusterTell {
  tell: "cluster";
  room: string;
  round: number;
  /** The range of the world's places by axis, `[least, most]`; `null`: no type has limits there. */
  extent: ([number, number] | null)[];
  /** `null`: the map of slices has not come yet. */
  picture: ClusterPicture | null;
}

export interface ClusterPicture {
  /** Number of the server that says so. */
  readonly me: number;
  /** Rises with every change of the map. */
  readonly epoch: number;
  readonly slices: readonly ClusterSlice[];
  readonly servers: readonly ClusterServerRow[];
  /** Undefined where the servers share no rooms. */
  readonly rooms?: ClusterRooms;
}

/** Rooms of all servers, as this one knows them. */
export interface ClusterRooms {
  /** The server that keeps parties and queues; 0: none yet. */
  readonly keeper: number;
  /** Not all of them where there are many. */
  readonly rooms: readonly ClusterRoomRow[];
  readonly roomsInAll: number;
}

export interface ClusterRoomRow {
  readonly server: number;
  readonly name: string;
  /** `match`: its places belong to the players of a match. */
  readonly kind: "public" | "private" | "match";
  readonly players: number;
  readonly places: number;
}

/** A part of the world and its owner. Bounds by axis; `null` where it does not end. */
export interface ClusterSlice {
  readonly id: string;
  readonly owner: number;
  /** The epoch in which it got its owner: messages of owners before are not obeyed. */
  readonly fence: number;
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
}

export interface ClusterServerRow {
  readonly server: number;
  /** Whether its lease says that it lives, and the load that it says: objects. */
  readonly isAlive: boolean;
  readonly load: number;
  /** What it told of itself; `null` while it does not answer. */
  readonly sight: ClusterSight | null;
}

export interface ClusterSight {
  /** Since it started, by its own clock, ms: its counters count over this time. */
  readonly uptimeMs: number;
  /** Whether its lease counts now. */
  readonly isHeld: boolean;
  readonly objects: number;
  /** Of objects that other servers own. */
  readonly copies: number;
  /** Players whose gateway it is. */
  readonly players: number;
  readonly roundMs: number;
  readonly updates: number;
  /** Updates that were sent to other servers, once for each. */
  readonly forwarded: number;
  readonly dropped: number;
  readonly slices: readonly { readonly id: string; readonly objects: number }[];
  readonly to: readonly ClusterFlow[];
}

/** What one server has to do with another. */
export interface ClusterFlow {
  readonly server: number;
  readonly messages: number;
  readonly bytes: number;
  /** Objects that were handed over to it. */
  readonly transfers: number;
  /** Objects of which it has copies now, and the areas that it asks for. */
  readonly copies: number;
  readonly areas: number;
}

/** Where the picture comes from. `serveCluster` has one. */
export interface ClusterSource {
  /** Begins to look at the other servers, until the result is called. */
  watch(): () => void;
  /** Undefined while nothing is known. */
  picture(): ClusterPicture | undefined;
}
