/** How the link stands, in words for players: a title and what is going on or can be done. */

import type { LinkStatus } from "./joining.ts";

export interface StatusWords {
  readonly title: string;
  readonly text: string;
}

const MISMATCH: StatusWords = {
  title: "Version mismatch",
  text: "The game on the server is not the one on this page. Reload the page to get the new one.",
};

/** Why a server sent us away. Codes it may yet learn fall back to what the server said. */
const REASONS: Readonly<Record<string, StatusWords>> = {
  version: MISMATCH,
  schema: MISMATCH,
  closing: { title: "The server has closed", text: "It said goodbye properly. It may be back in a moment." },
  link: { title: "No answer from the server", text: "It may be starting, or your network may be down." },
  "session-gone": { title: "Connection lost", text: "You were away for too long, and your place was given up." },
};

/** @param place what to call the place that is full when nobody more may join, for example "arena". */
export function statusWords(status: LinkStatus, place = "server"): StatusWords {
  switch (status.kind) {
    case "joining":
      return { title: "Joining…", text: "Finding you a place." };
    case "rejoining":
      return { title: "The server has gone", text: "It may be starting anew. You join again as soon as it is back." };
    case "playing":
      return { title: "Playing", text: "" };
    case "reconnecting":
      return { title: "Connection lost", text: "Taking it up again… Your place and your score are kept." };
    case "ended":
      if (status.code === "full")
        return {
          title: `The ${place} is full`,
          text: "All places are taken. Somebody will leave soon; try again in a moment.",
        };
      return REASONS[status.code] ?? { title: "Disconnected", text: status.detail };
  }
}
