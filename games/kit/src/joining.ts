/**
 * A join in progress and its result: the client once there is one, and a status that says how the link is. After a lost connection the client
 * itself reconnects; after a restart of the server a new client takes its place. If the page closes this before the join has ended, the client
 * leaves as soon as it has joined.
 */

import { type Client, ClientError } from "@nearfield/client";

export type LinkStatus =
  | { readonly kind: "joining" | "playing" | "reconnecting" | "rejoining" }
  | { readonly kind: "ended"; readonly code: string; readonly detail: string };

/** The option of `join` by which another client is given after a restart of the server. */
export interface Rejoining {
  readonly onRejoin: (joining: Promise<Client>) => void;
}

export class Joining {
  readonly #joined: (client: Client) => void;
  #client: Client | undefined;
  #failure: LinkStatus | undefined;
  #closed = false;
  #hasRestarted = false;

  /**
   * @param join joins with these options besides the game's own
   * @param joined is called with each client: the first, and another after each restart of the server; not after a join that failed or was
   * closed before
   */
  constructor(join: (options: Rejoining) => Promise<Client>, joined: (client: Client) => void) {
    this.#joined = joined;
    const onRejoin = (joining: Promise<Client>): void => {
      this.#hasRestarted = true;
      this.#await(joining);
    };
    this.#await(join({ onRejoin }));
  }

  #await(joining: Promise<Client>): void {
    this.#client = undefined;
    joining.then(
      (client) => {
        if (this.#closed) {
          client.leave();
          return;
        }
        this.#client = client;
        this.#joined(client);
      },
      (error: unknown) => {
        const code = error instanceof ClientError ? error.code : "link";
        this.#failure = { kind: "ended", code, detail: error instanceof Error ? error.message : String(error) };
      },
    );
  }

  /** Undefined until the join has succeeded. */
  get client(): Client | undefined {
    return this.#client;
  }

  get status(): LinkStatus {
    if (this.#failure) return this.#failure;
    switch (this.#client?.state) {
      case "active":
        return { kind: "playing" };
      case "reconnecting":
        return { kind: "reconnecting" };
      case "ended": {
        const { code, detail } = this.#client.reason ?? { code: "link", detail: "" };
        return { kind: "ended", code, detail };
      }
      default:
        return { kind: this.#hasRestarted ? "rejoining" : "joining" };
    }
  }

  close(): void {
    this.#closed = true;
    this.#client?.leave();
  }
}
