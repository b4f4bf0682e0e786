/**
 * An account as it is stored, and the rules of its name. An account is known by its id, which never changes and is never reused. A guest has no name
 * and no password yet; claiming the account gives it both, and the id, with all that hangs on it, stays.
 */
import { cleanNickname, utf8Length } from "@nearfield/schema/internal";
import { type Table, table } from "@nearfield/store/internal";
import { SocialError } from "../errors.ts";

export interface AccountRecord {
  /** As it is shown. */
  readonly name: string;
  /** Undefined for a guest. */
  readonly passwordHash?: string;
  /** Tokens carry this number. A change of password counts it up, and older tokens end. */
  readonly epoch: number;
  readonly createdMs: number;
}

/** By account id. */
export const accountTable: Table<AccountRecord> = table("social-accounts");
/** Account ids by `nameKey`. Guests have no entry. */
export const nameTable: Table<{ readonly account: string }> = table("social-names");

/** Who somebody is, for other players and for the game. */
export interface AccountInfo {
  readonly account: string;
  readonly name: string;
  readonly isGuest: boolean;
}

const LEAST_PASSWORD_CHARACTERS = 8;
/** argon2 would take more, but nobody types more, and hashing long texts is work for an attacker to order. */
const MOST_PASSWORD_BYTES = 256;

/** The name as it is shown: cleaned as nicknames are. Throws `bad-name`. */
export function checkName(wanted: string): string {
  const name = cleanNickname(wanted);
  if (name === "") throw new SocialError("bad-name", "a name needs at least one visible character");
  if (name.startsWith(GUEST_PREFIX))
    throw new SocialError("bad-name", `names that begin with "${GUEST_PREFIX}" are for guests`);
  return name;
}

/** Names that differ only in capitals are one name. */
export function nameKey(name: string): string {
  return cleanNickname(name).toLowerCase();
}

const GUEST_PREFIX = "guest-";

/** Guests are shown by the beginning of their id, which nobody can choose. */
export function guestName(account: string): string {
  return GUEST_PREFIX + account.slice(0, 6);
}

/** Throws `bad-password`. The password itself is never in the message. */
export function checkPassword(password: string): void {
  if ([...password].length < LEAST_PASSWORD_CHARACTERS)
    throw new SocialError("bad-password", `a password needs at least ${LEAST_PASSWORD_CHARACTERS} characters`);
  if (utf8Length(password) > MOST_PASSWORD_BYTES)
    throw new SocialError("bad-password", `a password has at most ${MOST_PASSWORD_BYTES} bytes`);
}

export function infoOf(account: string, record: AccountRecord): AccountInfo {
  return { account, name: record.name, isGuest: record.passwordHash === undefined };
}
