/**
 * The ticket of a tab's session, kept for the page that is loaded next in the same tab. It is taken out before it is used, so that a ticket
 * which leads nowhere is tried once. A browser that keeps nothing, as in a private window, is no mistake: then every page joins anew.
 */

/** What has to be the same for a page to go on with a session. */
export interface JoinedAs {
  readonly nickname: string;
  readonly room?: string;
  readonly role?: string;
}

export class KeptTicket {
  readonly #key: string;

  constructor(url: string | URL, { nickname, room = "main", role = "player" }: JoinedAs) {
    this.#key = `nearfield ${JSON.stringify([String(url), room, role, nickname])}`;
  }

  take(): string | undefined {
    try {
      const ticket = sessionStorage.getItem(this.#key) ?? undefined;
      sessionStorage.removeItem(this.#key);
      return ticket;
    } catch {
      return undefined;
    }
  }

  /** Undefined: there is nothing to go on with. */
  keep(ticket: string | undefined): void {
    try {
      if (ticket === undefined) sessionStorage.removeItem(this.#key);
      else sessionStorage.setItem(this.#key, ticket);
    } catch {
      // Nothing is kept.
    }
  }
}
