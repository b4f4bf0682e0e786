/** The inspector's page: finds the feed and the token in its address, takes the token out of it, and starts. */

import { App } from "./app.ts";
import { type Game, readGames, tokenIn } from "./feed/address.ts";

const TOKEN_KEY = "nearfield-inspector-token";

/** The games of this server; none where it does not say. */
async function fetchGames(): Promise<Game[]> {
  try {
    const response = await fetch("./games.json");
    return response.ok ? readGames(await response.json()) : [];
  } catch {
    return [];
  }
}

const token = tokenIn(location.hash);
// Out of the address bar, so that it is neither copied with a link nor kept in the history.
if (token !== undefined) history.replaceState(null, "", location.pathname + location.search);

new App({
  games: await fetchGames(),
  feed: new URLSearchParams(location.search).get("feed"),
  token: token ?? sessionStorage.getItem(TOKEN_KEY) ?? undefined,
  keepToken: (good) => sessionStorage.setItem(TOKEN_KEY, good),
});
addEventListener("hashchange", () => location.reload());
