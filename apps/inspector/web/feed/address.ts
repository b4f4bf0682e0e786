/**
 * Where the feed is and what opens it, from the page's own address.
 *
 * `?feed=/arena/inspector/feed` can only name a path on this server, so that no link can send a token elsewhere; without it
 * the feed is beside the page. `#token=…` is a fragment, which browsers do not send to a server.
 */

export interface Game {
  readonly name: string;
  /** Path of its feed on this server. */
  readonly feed: string;
}

const FEED_PATH = /^\/(?!\/)[\w./~-]{1,200}$/;

/** The path of a feed as an address on this server; undefined if the text is not such a path. */
export function feedAddress(page: string, path: string | null): string | undefined {
  if (path !== null && !FEED_PATH.test(path)) return undefined;
  const address = new URL(path ?? "./feed", page);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.search = "";
  address.hash = "";
  return address.href;
}

export function tokenIn(hash: string): string | undefined {
  const token = new URLSearchParams(hash.replace(/^#/, "")).get("token");
  return token === null || token === "" ? undefined : token;
}

/** Reads the games of `games.json`; entries that are not games are left out. */
export function readGames(json: unknown): Game[] {
  if (!Array.isArray(json)) return [];
  return json.filter(
    (entry: Partial<Game> | null): entry is Game =>
      typeof entry?.name === "string" && typeof entry.feed === "string" && FEED_PATH.test(entry.feed),
  );
}
