/**
 * The ticket of a tab's session, kept for the next page that is loaded in the same tab. It is removed from the storage before it is used,
 * so a useless ticket is tried only once. A browser may refuse to store anything, as in a private window. That is no error: then every page
 * joins anew.
 */

/** A page can take up a session only if all of these are the same. */
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

  /** Undefined: nothing is kept. */
  keep(ticket: string | undefined): void {
    try {
      if (ticket === undefined) sessionStorage.removeItem(this.#key);
      else sessionStorage.setItem(this.#key, ticket);
    } catch {
      // The browser stores nothing.
    }
  }
}
