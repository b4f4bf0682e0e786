/**
 * Who plays in this page: a guest account that the server makes at the first visit and the page remembers by its token. Whoever has the token has the goods, so
 * it stays in this browser's storage and goes to this server alone.
 */

const KEY = "nearfield.outpost.token";

interface Login {
  readonly token: string;
}

export class PageAccount {
  readonly #base: string;
  readonly #storage: Storage;

  /** `base`: the address below which the server answers, "/outpost/accounts". */
  constructor(base: string, storage: Storage) {
    this.#base = base;
    this.#storage = storage;
  }

  /** A token that is good now: the remembered one made new, or that of a new guest. */
  async token(): Promise<string> {
    const known = this.#storage.getItem(KEY);
    const login = (known === null ? undefined : await this.#ask("renew", known)) ?? (await this.#ask("guest", ""));
    if (login === undefined) throw new Error("the server gives no account right now");
    this.#storage.setItem(KEY, login.token);
    return login.token;
  }

  /** Undefined: refused. A server that cannot be reached throws, so that nobody loses an account by a broken network. */
  async #ask(what: "renew" | "guest", token: string): Promise<Login | undefined> {
    const answer = await fetch(`${this.#base}/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(token !== "" && { Authorization: `Bearer ${token}` }) },
      body: "{}",
    });
    if (answer.ok) return (await answer.json()) as Login;
    if (answer.status === 401 || answer.status === 404) return undefined;
    throw new Error(`the server answered ${answer.status}`);
  }
}
