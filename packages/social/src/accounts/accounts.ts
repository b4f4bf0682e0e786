/**
 * Accounts: register, play as a guest and claim the account later, log in, change the password, delete the account. Hashing and signing are
 * handed in, so that this file has no clock, dice or Node.
 *
 * Nobody learns from a failed login whether the name exists: the answer is the same, and a hash is checked in either case. A wrong
 * attempt costs from three budgets: of the name at this address, of the address, and of the name. An attacker with one address runs out of the address's budget
 * first, so that it cannot lock the owner out.
 */
import type { Store, Transaction } from "@nearfield/store/internal";
import { SocialError } from "../errors.ts";
import { type OnError, tellAll } from "../tell-all.ts";
import {
  type AccountInfo,
  type AccountRecord,
  accountTable,
  checkName,
  checkPassword,
  guestName,
  infoOf,
  nameKey,
  nameTable,
} from "./account.ts";
import { Throttle, type ThrottleOptions } from "./throttle.ts";

export interface Passwords {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
  /** A hash that no password has. Checking one against it takes as long as any other check. */
  readonly decoy: Promise<string>;
}

/** What a token says. */
export interface TokenClaims {
  readonly account: string;
  readonly epoch: number;
}

export interface Tokens {
  sign(claims: TokenClaims, lifeS: number): Promise<string>;
  /** Throws `SocialError`: `credentials`, or `expired`. */
  read(token: string): Promise<TokenClaims>;
}

export interface AccountLimits {
  /** Wrong passwords of one name from one address. Default: 5, one more every 3 min. */
  readonly nameAtAddress: ThrottleOptions;
  /** Wrong passwords from one address, whatever the names. Default: 20 in 15 min. A school behind one address needs more. */
  readonly address: ThrottleOptions;
  /** Wrong passwords of one name, whatever the addresses. Default: 100 in an hour. More helps an attacker with many addresses. */
  readonly name: ThrottleOptions;
  /** New accounts and guests of one address. Default: 20 in an hour. */
  readonly creations: ThrottleOptions;
}

export const DEFAULT_ACCOUNT_LIMITS: AccountLimits = {
  nameAtAddress: { attempts: 5, refillMs: 15 * 60_000 },
  address: { attempts: 20, refillMs: 15 * 60_000 },
  name: { attempts: 100, refillMs: 60 * 60_000 },
  creations: { attempts: 20, refillMs: 60 * 60_000 },
};

export interface AccountsOptions {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
  /** Ms since 1970. */
  readonly now: () => number;
  /** 32 hexadecimal digits that nobody can guess. */
  readonly randomId: () => string;
  readonly limits?: Partial<AccountLimits>;
  /** S that a token of a named account is good for. Default 12 h. A stolen token is good for as long. */
  readonly tokenS?: number;
  /** S that a guest's token is good for; without it the guest account is lost. Default 30 days. */
  readonly guestTokenS?: number;
  /** Removes what other parts keep of an account, in the transaction that deletes it. */
  readonly forget?: (transaction: Transaction, account: string) => Promise<void>;
  /** What a listener threw. Default: it is dropped. */
  readonly onError?: OnError;
}

/** A successful login: who it is, and the token for `join`'s `credentials`. */
export interface Login extends AccountInfo {
  readonly token: string;
}

const DEFAULT_TOKEN_S = 12 * 3600;
const DEFAULT_GUEST_TOKEN_S = 30 * 24 * 3600;

export class Accounts {
  readonly #options: AccountsOptions;
  readonly #nameAtAddress: Throttle;
  readonly #address: Throttle;
  readonly #name: Throttle;
  readonly #creations: Throttle;
  readonly #onEnded = new Set<(account: string) => void>();

  constructor(options: AccountsOptions) {
    this.#options = options;
    const limits = { ...DEFAULT_ACCOUNT_LIMITS, ...options.limits };
    this.#nameAtAddress = new Throttle(limits.nameAtAddress, options.now);
    this.#address = new Throttle(limits.address, options.now);
    this.#name = new Throttle(limits.name, options.now);
    this.#creations = new Throttle(limits.creations, options.now);
  }

  // ── new accounts ───────────────────────────────────────────────────────────────────────────────────────────────

  async register(wanted: string, password: string, address: string): Promise<Login> {
    const name = checkName(wanted);
    checkPassword(password);
    this.#creations.pay(address);
    const passwordHash = await this.#options.passwords.hash(password);
    const account = this.#options.randomId();
    const record: AccountRecord = { name, passwordHash, epoch: 1, createdMs: this.#options.now() };
    await this.#options.store.transact(async (transaction) => {
      await takeName(transaction, name, account);
      transaction.put(accountTable, account, record);
    });
    return this.#login(account, record);
  }

  async guest(address: string): Promise<Login> {
    this.#creations.pay(address);
    const account = this.#options.randomId();
    const record: AccountRecord = { name: guestName(account), epoch: 1, createdMs: this.#options.now() };
    await this.#options.store.transact(async (transaction) => transaction.put(accountTable, account, record));
    return this.#login(account, record);
  }

  /** Gives a guest's account a name and a password. The id stays, and so do its goods. The guest's old tokens end. */
  async claim(token: string, wanted: string, password: string): Promise<Login> {
    const name = checkName(wanted);
    checkPassword(password);
    const { account } = await this.identify(token);
    const passwordHash = await this.#options.passwords.hash(password);
    const record = await this.#options.store.transact(async (transaction) => {
      const old = await requireAccount(transaction, account);
      if (old.passwordHash !== undefined)
        throw new SocialError("not-a-guest", "this account has a name and a password already");
      await takeName(transaction, name, account);
      const claimed = { ...old, name, passwordHash, epoch: old.epoch + 1 };
      transaction.put(accountTable, account, claimed);
      return claimed;
    });
    return this.#login(account, record);
  }

  // ── logging in ─────────────────────────────────────────────────────────────────────────────────────────────────

  async logIn(name: string, password: string, address: string): Promise<Login> {
    const key = nameKey(name);
    const found = await this.#options.store.transact((transaction) => lookUp(transaction, key));
    await this.#checkPassword(key, found?.record.passwordHash, password, address);
    return this.#login(found!.account, found!.record);
  }

  /** A new token for one that is still good, so that who plays every day stays logged in. */
  async renew(token: string): Promise<Login> {
    const { account } = await this.identify(token);
    const record = await this.#options.store.transact((transaction) => requireAccount(transaction, account));
    return this.#login(account, record);
  }

  /** Who the token belongs to. Throws `credentials`, or `expired` also for one from before a change of password. */
  async identify(token: string): Promise<AccountInfo> {
    const { account, epoch } = await this.#options.tokens.read(token);
    const stored = await this.#options.store.transact((transaction) => transaction.get(accountTable, account));
    if (stored === undefined) throw new SocialError("credentials", "this account does not exist any more");
    if (stored.value.epoch !== epoch) throw new SocialError("expired", "the password was changed since; log in again");
    return infoOf(account, stored.value);
  }

  // ── changes ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** All older tokens end. */
  async changePassword(token: string, password: string, next: string, address: string): Promise<Login> {
    checkPassword(next);
    const { account, passwordHash, name } = await this.#owner(token);
    await this.#checkPassword(nameKey(name), passwordHash, password, address);
    const nextHash = await this.#options.passwords.hash(next);
    const record = await this.#options.store.transact(async (transaction) => {
      const old = await requireAccount(transaction, account);
      if (old.passwordHash !== passwordHash)
        throw new SocialError("expired", "the password was changed meanwhile; log in again");
      const changed = { ...old, passwordHash: nextHash, epoch: old.epoch + 1 };
      transaction.put(accountTable, account, changed);
      return changed;
    });
    this.#tellEnded(account);
    return this.#login(account, record);
  }

  /** Deletes the account and all that hangs on it, in one transaction. A named account needs its password again. */
  async remove(token: string, password: string, address: string): Promise<void> {
    const { account, passwordHash, name } = await this.#owner(token);
    if (passwordHash !== undefined) await this.#checkPassword(nameKey(name), passwordHash, password, address);
    await this.#options.store.transact(async (transaction) => {
      const old = await requireAccount(transaction, account);
      if (old.passwordHash !== undefined) transaction.remove(nameTable, nameKey(old.name));
      transaction.remove(accountTable, account);
      await this.#options.forget?.(transaction, account);
    });
    this.#tellEnded(account);
  }

  /** Called when an account's tokens have ended: whoever is here with one should be sent away. */
  onEnded(listener: (account: string) => void): () => void {
    this.#onEnded.add(listener);
    return () => this.#onEnded.delete(listener);
  }

  /** The account of this name, for friends and whispers. Names are public. */
  async find(name: string): Promise<AccountInfo | undefined> {
    const found = await this.#options.store.transact((transaction) => lookUp(transaction, nameKey(name)));
    return found && infoOf(found.account, found.record);
  }

  // ── within ─────────────────────────────────────────────────────────────────────────────────────────────────────

  async #owner(token: string): Promise<AccountRecord & { readonly account: string }> {
    const { account } = await this.identify(token);
    const record = await this.#options.store.transact((transaction) => requireAccount(transaction, account));
    return { ...record, account };
  }

  /** Throws `credentials` or `throttled`; both also where there is no such account. */
  async #checkPassword(key: string, hash: string | undefined, password: string, address: string): Promise<void> {
    const paid = [
      [this.#address, address],
      [this.#nameAtAddress, `${address} ${key}`],
      [this.#name, key],
    ] as const;
    for (const [throttle, of] of paid) throttle.pay(of);
    const { passwords } = this.#options;
    let isWrong = false;
    try {
      const fits = await passwords.verify(hash ?? (await passwords.decoy), password);
      isWrong = !fits || hash === undefined;
    } finally {
      if (!isWrong) for (const [throttle, of] of paid) throttle.refund(of);
    }
    if (isWrong) throw new SocialError("credentials", "the name or the password is wrong");
  }

  async #login(account: string, record: AccountRecord): Promise<Login> {
    const { tokens, tokenS = DEFAULT_TOKEN_S, guestTokenS = DEFAULT_GUEST_TOKEN_S } = this.#options;
    const info = infoOf(account, record);
    const token = await tokens.sign({ account, epoch: record.epoch }, info.isGuest ? guestTokenS : tokenS);
    return { ...info, token };
  }

  #tellEnded(account: string): void {
    tellAll(this.#onEnded, account, "onEnded", this.#options.onError);
  }
}

async function takeName(transaction: Transaction, name: string, account: string): Promise<void> {
  const key = nameKey(name);
  if ((await transaction.get(nameTable, key)) !== undefined)
    throw new SocialError("name-taken", `the name ${name} is taken`);
  transaction.put(nameTable, key, { account });
}

/** The account of a name, by `nameKey`. */
async function lookUp(
  transaction: Transaction,
  key: string,
): Promise<{ readonly account: string; readonly record: AccountRecord } | undefined> {
  const named = key === "" ? undefined : await transaction.get(nameTable, key);
  const stored = named && (await transaction.get(accountTable, named.value.account));
  return stored && { account: named.value.account, record: stored.value };
}

/** The account as it is in this transaction. Throws `unknown-account`. */
async function requireAccount(transaction: Transaction, account: string): Promise<AccountRecord> {
  const stored = await transaction.get(accountTable, account);
  if (stored === undefined) throw new SocialError("unknown-account", "this account does not exist any more");
  return stored.value;
}
