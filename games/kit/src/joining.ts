/**
 * A join that is under way, and what became of it: the client once there is one, and by its status how the link stands. A lost connection
 * is taken up again by the client itself. Who closes before the join has ended leaves as soon as it has.
 */

import { type Client, ClientError } from "@nearfield/client";

export type LinkStatus =
  | { readonly kind: "joining" | "playing" | "reconnecting" }
  | { readonly kind: "ended"; readonly code: string; readonly detail: string };

export class Joining {
  #client: Client | undefined;
  #failure: LinkStatus | undefined;
  #closed = false;

  /** @param joined is called once with the client, unless the join failed or was closed before. */
  constructor(join: Promise<Client>, joined: (client: Client) => void) {
    join.then(
      (client) => {
        if (this.#closed) {
          client.leave();
          return;
        }
        this.#client = client;
        joined(client);
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
        return { kind: "joining" };
    }
  }

  close(): void {
    this.#closed = true;
    this.#client?.leave();
  }
}
