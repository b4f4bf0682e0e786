/**
 * Who of the accounts is here: the players of each account, in all rooms that were attached. An account may be here several times, in two windows
 * or in two rooms. News for an account go to all of them; a client that is away hears them when it returns.
 */
import { utf8Length } from "@nearfield/schema/internal";
import { type Player, to } from "@nearfield/server";
import { ANSWER_BYTES, News } from "../client/messages.ts";

export class Presence {
  readonly #players = new Map<string, Set<Player>>();
  readonly #onChange = new Set<(account: string, isHere: boolean) => void>();

  isHere(account: string): boolean {
    return this.#players.has(account);
  }

  /** The account's players, none if it is not here. */
  playersOf(account: string): ReadonlySet<Player> {
    return this.#players.get(account) ?? NOBODY;
  }

  /** Accounts with a player in this room. */
  *in(room: string): IterableIterator<string> {
    for (const [account, players] of this.#players)
      for (const player of players) {
        if (player.room.name !== room) continue;
        yield account;
        break;
      }
  }

  /** Every account that is here. */
  accounts(): IterableIterator<string> {
    return this.#players.keys();
  }

  enter(account: string, player: Player): void {
    const players = this.#players.get(account);
    if (players !== undefined) players.add(player);
    else {
      this.#players.set(account, new Set([player]));
      this.#tellChange(account, true);
    }
  }

  leave(account: string, player: Player): void {
    const players = this.#players.get(account);
    if (!players?.delete(player) || players.size > 0) return;
    this.#players.delete(account);
    this.#tellChange(account, false);
  }

  /** Called when an account comes with its first player, and when it goes with its last. */
  onChange(listener: (account: string, isHere: boolean) => void): void {
    this.#onChange.add(listener);
  }

  /** Tells news to every player of an account. Nobody hears it if the account is not here, or if it is longer than `ANSWER_BYTES`. */
  tell(account: string, kind: string, news: unknown): void {
    if (!this.isHere(account)) return;
    const body = JSON.stringify(news);
    if (utf8Length(body) > ANSWER_BYTES) return;
    for (const player of this.playersOf(account)) tellPlayer(player, kind, body);
  }

  #tellChange(account: string, isHere: boolean): void {
    for (const listener of this.#onChange) listener(account, isHere);
  }
}

const NOBODY: ReadonlySet<Player> = new Set();

export function tellPlayer(player: Player, kind: string, body: string): void {
  if (player.presence !== "left") player.room.emit(News, { kind, body }, to(player));
}
