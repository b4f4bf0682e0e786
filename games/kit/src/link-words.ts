/** What carries a page's bytes, in words for players: a short one for the corner of a screen, and the whole for a panel. */

export interface LinkWords {
  readonly short: string;
  readonly long: string;
}

const WORDS: Readonly<Record<string, LinkWords>> = {
  webrtc: { short: "UDP", long: "WebRTC · UDP" },
  websocket: { short: "TCP", long: "WebSocket · TCP" },
};
const NO_LINK: LinkWords = { short: "", long: "no link" };

/** @param kind as `PageLink.linkKind` tells it */
export function linkWords(kind: string): LinkWords {
  return WORDS[kind] ?? NO_LINK;
}
