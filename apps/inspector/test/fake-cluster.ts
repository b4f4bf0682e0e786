/** A cluster of four servers for the fake feed: one is dead, one does not answer. Objects go from the first to the second, three a second, and two rooms are open. */

import type { ClusterTell } from "../web/feed-types.ts";
import { FAKE_ROUND_MS } from "./fake-report.ts";

type Picture = NonNullable<ClusterTell["picture"]>;
type Sight = NonNullable<Picture["servers"][number]["sight"]>;

export function fakeCluster(room: string, round: number, world: { width: number; height: number }): ClusterTell {
  const seconds = (round * FAKE_ROUND_MS) / 1000;
  const half = { x: world.width / 2, y: world.height / 2 };
  const slice = (
    id: string,
    owner: number,
    low: (number | null)[],
    high: (number | null)[],
  ): Picture["slices"][number] => {
    return { id, owner, fence: 4, low: [...low, null], high: [...high, null] };
  };
  const sight = (objects: number, slices: Sight["slices"], to: Sight["to"]): Sight => ({
    uptimeMs: seconds * 1000,
    isHeld: true,
    objects,
    copies: 40,
    players: 6,
    roundMs: 3.2,
    updates: seconds * 900,
    forwarded: seconds * 120,
    dropped: 0,
    slices,
    to,
  });
  const flow = { messages: seconds * 20, bytes: seconds * 14_000, copies: 35, areas: 5 };
  const first = sight(
    90,
    [
      { id: "r00", objects: 70 },
      { id: "r11", objects: 20 },
    ],
    [{ server: 2, transfers: seconds * 3, ...flow }],
  );
  const second = sight(60, [{ id: "r01", objects: 60 }], [{ server: 1, transfers: 0, ...flow }]);
  return {
    tell: "cluster",
    room,
    round,
    extent: [
      [0, world.width],
      [0, world.height],
    ],
    picture: {
      me: 1,
      epoch: 17,
      slices: [
        slice("r00", 1, [0, null], [half.x, half.y]),
        slice("r01", 2, [0, half.y], [half.x, null]),
        slice("r10", 3, [half.x, null], [null, half.y]),
        slice("r11", 1, [half.x, half.y], [null, null]),
        slice("r2", 3, [null, null], [0, null]),
      ],
      servers: [
        { server: 1, isAlive: true, load: 90, sight: first },
        { server: 2, isAlive: true, load: 60, sight: second },
        { server: 3, isAlive: true, load: 30, sight: null },
        { server: 4, isAlive: false, load: 0, sight: null },
      ],
      rooms: {
        keeper: 2,
        rooms: [
          { server: 1, name: "Ann's yard", kind: "public", players: 3, places: 8 },
          { server: 2, name: "duel", kind: "match", players: 2, places: 2 },
        ],
        roomsInAll: 2,
      },
    },
  };
}
