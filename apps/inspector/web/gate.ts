/**
 * What stands in the place of the panels while there is nothing to show: no token yet, a wrong one, no connection, a server of another
 * version. A connection that is lost later leaves the panels as they are and says so above.
 */
import { find, setText } from "./dom.ts";
import type { ConnectionState } from "./feed/connection.ts";

export interface GateActions {
  enter(token: string): void;
  retry(): void;
}

interface Words {
  readonly title: string;
  readonly text: string;
  readonly asksToken: boolean;
  readonly offersRetry: boolean;
}

export function gateWords(state: ConnectionState | "no-token" | "no-feed"): Words | undefined {
  if (state === "no-token") {
    return {
      title: "Open the inspector",
      text: "It shows everything a server does, so it asks for the server's token. The link that the server printed when it started carries it.",
      asksToken: true,
      offersRetry: false,
    };
  }
  if (state === "no-feed") {
    return {
      title: "No feed at this address",
      text: "The link names a feed that is not a path on this server. Open the inspector from the link that the server printed.",
      asksToken: false,
      offersRetry: false,
    };
  }
  if (state.is === "refused" && state.why === "token") {
    return {
      title: "Wrong token",
      text: "The server does not know this token. It makes a new one when it starts, unless it was given one: look for the newest link it printed.",
      asksToken: true,
      offersRetry: false,
    };
  }
  if (state.is === "refused") {
    return {
      title: "Page and server do not match",
      text: `${state.detail} Build both from the same version of Nearfield, then load this page again.`,
      asksToken: false,
      offersRetry: true,
    };
  }
  if (state.is === "lost" && !state.everOpen) {
    return {
      title: "No connection",
      text: `The server does not answer at this address, has no inspector, or has refused too many wrong tokens for the moment. Trying again in ${Math.max(1, Math.round(state.inMs / 1000))} s.`,
      asksToken: false,
      offersRetry: true,
    };
  }
  return undefined;
}

export class Gate {
  constructor({ enter, retry }: GateActions) {
    const token = find<HTMLInputElement>("#token");
    find<HTMLFormElement>("#gate-form").addEventListener("submit", (event) => {
      event.preventDefault();
      if (token.value.trim() !== "") enter(token.value.trim());
      token.value = "";
    });
    find("#gate-retry").addEventListener("click", retry);
  }

  /** @param words undefined: the panels are shown */
  show(words: Words | undefined): void {
    document.body.toggleAttribute("data-gate", words !== undefined);
    find("#gate").hidden = words === undefined;
    if (words === undefined) return;
    setText(find("#gate-title"), words.title);
    setText(find("#gate-text"), words.text);
    find("#gate-form").hidden = !words.asksToken;
    find("#gate-retry").hidden = !words.offersRetry;
  }
}
