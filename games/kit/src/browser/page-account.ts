/**
 * Who plays in this page. At the first visit the server makes a guest account, which the page remembers by its token: whoever has the token has the goods, so it
 * stays in this browser's storage and goes to this server alone. A guest claims the account with a name and a password, and then logs in from anywhere.
 */

interface Login {
  readonly token: string;
  readonly name: string;
  readonly isGuest: boolean;
}

/** The server says no, in its own words, as a sentence. `code` is that of a `SocialError`, or "login" where this page must log in again. */
export class AccountRefusal extends Error {
  readonly code: string;

  constructor(code: string, words: string) {
    super(`${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith(".") ? "" : "."}`);
    this.code = code;
  }
}

export class PageAccount {
  readonly #base: string;
  readonly #storage: Storage;
  readonly #tokenKey: string;
  /** Of the account's name, once it is claimed. */
  readonly #nameKey: string;

  /** @param game its folder in `games/`: what is remembered is kept under it. @param base the address below which the server answers, "/outpost/accounts" */
  constructor(game: string, base: string, storage: Storage) {
    this.#base = base;
    this.#storage = storage;
    this.#tokenKey = `nearfield.${game}.token`;
    this.#nameKey = `nearfield.${game}.account`;
  }

  /** The name of the claimed account that this page plays with; undefined for a guest. */
  get name(): string | undefined {
    return this.#storage.getItem(this.#nameKey) ?? undefined;
  }

  /**
   * A token that is good now: the remembered one made new, or that of a new guest. A claimed account is never replaced by a guest: where its token has ended this
   * throws `AccountRefusal` ("login"). A server that cannot be reached throws too, so that nobody loses an account by a broken network.
   */
  async token(): Promise<string> {
    const known = this.#storage.getItem(this.#tokenKey);
    if (known !== null) {
      try {
        return this.#keep(await this.#ask("renew", {}, known)).token;
      } catch (error) {
        if (!(error instanceof AccountRefusal) || (error.code !== "credentials" && error.code !== "expired"))
          throw error;
        if (this.name !== undefined) throw new AccountRefusal("login", `Log in again as ${this.name}.`);
      }
    }
    return this.#keep(await this.#ask("guest", {}, "")).token;
  }

  /** Gives the guest's account a name and a password. Throws `AccountRefusal`. */
  async claim(name: string, password: string): Promise<void> {
    this.#keep(await this.#ask("claim", { name, password }, this.#storage.getItem(this.#tokenKey) ?? ""));
  }

  /** Plays with a claimed account from now on. Throws `AccountRefusal`. */
  async logIn(name: string, password: string): Promise<void> {
    this.#keep(await this.#ask("login", { name, password }, ""));
  }

  /** The next visit is a new guest's, or whoever's that logs in. */
  forget(): void {
    this.#storage.removeItem(this.#tokenKey);
    this.#storage.removeItem(this.#nameKey);
  }

  #keep(login: Login): Login {
    this.#storage.setItem(this.#tokenKey, login.token);
    if (login.isGuest) this.#storage.removeItem(this.#nameKey);
    else this.#storage.setItem(this.#nameKey, login.name);
    return login;
  }

  async #ask(what: "renew" | "guest" | "claim" | "login", body: object, token: string): Promise<Login> {
    const answer = await fetch(`${this.#base}/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(token !== "" && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    if (answer.ok) return (await answer.json()) as Login;
    const { refused = "failed", detail = `The server answered ${answer.status}.` } = (await answer
      .json()
      .catch(() => ({}))) as { refused?: string; detail?: string };
    throw new AccountRefusal(refused, detail);
  }
}
