/**
 * The social space in one object: every part on one store, and the desk where players ask for them. `openSocial` of @nearfield/social/node
 * picks the clock, the dice and the libraries for passwords and tokens.
 *
 * What is durable: accounts, goods with their ledger, settlements, ties, scores, skills. What lives in memory and ends with the server: trades under
 * way, chat, parties, queues, rooms.
 */
import type { Verifier } from "@nearfield/rollback/trust";
import { type Player, type Room, refuse, type Server } from "@nearfield/server";
import type { Authenticate } from "@nearfield/server/internal";
import type { Store, Transaction } from "@nearfield/store/internal";
import { type AccountLimits, Accounts, type Passwords, type Tokens } from "./accounts/accounts.ts";
import { Chat } from "./chat/chat.ts";
import type { NewsKind, SocialNews } from "./client/requests.ts";
import { SocialError } from "./errors.ts";
import { TieBook } from "./friends/ties.ts";
import type { Catalogue } from "./goods/catalogue.ts";
import { Goods } from "./goods/goods.ts";
import { Trades } from "./goods/trades.ts";
import type { Lobby, LobbyNews } from "./lobby/lobby.ts";
import { LocalLobby, type LocalLobbyOptions } from "./lobby/local-lobby.ts";
import { Matching, type QueuedMatch, type Queues } from "./matching/matching.ts";
import { Dockets } from "./paid/docket.ts";
import { PaidSpaces, type PaidSpacesOptions } from "./paid/paid-spaces.ts";
import type { PartyView, Person } from "./parties/parties.ts";
import { type Asker, Desk, type GameAnswers } from "./requests/desk.ts";
import { answerGoods, answerTrades } from "./requests/goods-requests.ts";
import { answerPeople } from "./requests/people-requests.ts";
import { answerMatching, answerRooms, answerScores } from "./requests/play-requests.ts";
import { Presence } from "./requests/presence.ts";
import type { RateLimit } from "./requests/rate.ts";
import { record, textUpTo } from "./requests/shape.ts";
import { type OpenRooms, Rooms, type RoomsOptions } from "./rooms/rooms.ts";
import { type Boards, Scores } from "./scores/scores.ts";
import { type Settlement, Settlements, type SpaceVerdict } from "./settlement/settlement.ts";
import type { ActionSpaces } from "./spaces/action-spaces.ts";
import { SpaceError } from "./spaces/errors.ts";

export interface SocialOptions {
  readonly store: Store;
  /** The game's kinds of goods. Default: none. */
  readonly goods?: Catalogue;
  /** The game's high scores. Default: none. */
  readonly boards?: Boards;
  /** The queues for matches. Default: none. */
  readonly queues?: Queues;
  /** Attempts to log in and new accounts. */
  readonly accountLimits?: Partial<AccountLimits>;
  /** S that tokens of named accounts and of guests are good for. Defaults: 12 hours and 30 days. */
  readonly tokenS?: number;
  readonly guestTokenS?: number;
  /** The most different items of one account. Default 500. */
  readonly mostItems?: number;
  /** Members of one party. Default 20. */
  readonly partySize?: number;
  /** Lines of chat of one account. Default: 5 at once, then one a second. */
  readonly chatRate?: RateLimit;
  /** Questions of one player. Default: 30 at once, then 10 a second. */
  readonly askRate?: RateLimit;
  /** What was thrown while a question was answered, and was no refusal. Default: it is dropped. */
  readonly onError?: (error: unknown, where: string) => void;
}

/** What the social space needs of the machine. */
export interface SocialMachine {
  readonly passwords: Passwords;
  readonly tokens: Tokens;
  /** Ms since 1970. */
  readonly now: () => number;
  /** 32 hexadecimal digits that nobody can guess. */
  readonly randomId: () => string;
  /** 0 ≤ number < 1. */
  readonly dice: () => number;
  /** Verifies what players of action spaces sign. Default: whoever opens paid spaces says who does. */
  readonly verifier?: Verifier;
}

const NAME_CHARACTERS = 64;
/** How often the lobby and the rooms are looked after. */
const TICK_MS = 1000;

export class Social {
  readonly accounts: Accounts;
  readonly goods: Goods;
  readonly trades: Trades;
  readonly settlements: Settlements;
  readonly chat: Chat;
  readonly ties: TieBook;
  /** The parties of accounts that are on this server. */
  readonly parties: { of(account: string): PartyView | undefined };
  readonly scores: Scores;
  readonly matching: Matching;
  readonly presence: Presence = new Presence();
  /** An id that no other start of the server has. Put it before numbers that begin anew with each start, where a settlement needs an id for ever. */
  readonly run: string;
  /** What a lobby of this game is made with, here or elsewhere. */
  readonly lobbyRules: Omit<LocalLobbyOptions, "news" | "isHere" | "changed">;
  readonly #desk: Desk;
  readonly #machine: SocialMachine;
  readonly #store: Store;
  readonly #onError: (error: unknown, where: string) => void;
  /** What the lobby tells goes to players from here. */
  readonly #lobbyNews: LobbyNews;
  #lobby: Lobby;
  #rooms: Rooms | undefined;
  /** Where players' questions about rooms go, if not to this server's own. */
  #openRooms: OpenRooms | undefined;
  #tickedMs = Number.NEGATIVE_INFINITY;

  constructor(options: SocialOptions, machine: SocialMachine) {
    const { store, goods: catalogue = {}, boards = {}, queues = {} } = options;
    const { now, randomId, dice } = machine;
    this.#machine = machine;
    this.#store = store;
    this.run = randomId();
    this.#onError = options.onError ?? (() => {});
    this.#desk = new Desk({ now, onError: this.#onError, ...given("rate", options.askRate) });
    const onError = this.#onError;
    this.goods = new Goods({ store, catalogue, now, randomId, onError, ...given("mostItems", options.mostItems) });
    this.settlements = new Settlements({ store, goods: this.goods, now, onError });
    this.ties = new TieBook(store);
    this.scores = new Scores({ store, boards, now });
    this.trades = new Trades({
      goods: this.goods,
      now,
      randomId,
      tell: (view) => {
        for (const { account } of view.sides) this.#news(account, "trade", view);
      },
    });
    this.#lobbyNews = {
      party: (account, party) => this.#news(account, "party", party === undefined ? {} : { party }),
      invited: (account, by, party) => this.#news(account, "party.invited", { ...by, party }),
      waiting: (account, isWaiting) => this.#news(account, "match.waiting", { isWaiting }),
      match: (match, tickets) => {
        try {
          this.tellMatch(this.beginMatch(match));
        } catch (error) {
          this.#onError(error, "match");
          for (const ticket of tickets) local.giveBack(ticket);
        }
      },
    };
    this.lobbyRules = { queues, now, randomId, dice, ...given("partySize", options.partySize) };
    const isHere = (account: string): boolean => this.presence.isHere(account);
    const local = new LocalLobby({ ...this.lobbyRules, news: this.#lobbyNews, isHere });
    this.#lobby = local;
    this.parties = { of: (account) => this.#lobby.knownPartyOf(account) };
    this.matching = new Matching({ store, queues, now, lobby: () => this.#lobby, onError });
    this.chat = new Chat({
      store,
      ties: this.ties,
      now,
      ...given("rate", options.chatRate),
      tell: (account, line) => this.#news(account, "chat", line),
      hearers: {
        world: () => this.presence.accounts(),
        place: (place) => this.presence.in(place),
        party: (account) => {
          const party = this.parties.of(account);
          return party && { id: party.id, members: party.members.map((member) => member.account) };
        },
        isHere: (account) => this.presence.isHere(account),
      },
    });
    this.accounts = new Accounts({
      store,
      passwords: machine.passwords,
      tokens: machine.tokens,
      now,
      randomId,
      onError,
      forget: (transaction, account) => this.#forget(transaction, account),
      ...given("limits", options.accountLimits),
      ...given("tokenS", options.tokenS),
      ...given("guestTokenS", options.guestTokenS),
    });
    this.#listen();
    this.#answer();
  }

  // ── for the game's server ──────────────────────────────────────────────────────────────────────────────────────

  /** For `serve({ authenticate })`: takes the credentials for a token of `accounts`, and keeps to the places of players' rooms. */
  readonly authenticate: Authenticate = async ({ credentials, room }) => {
    if (credentials === "") return refuse("credentials", "log in first: a token is needed to join");
    try {
      const { account, name, isGuest } = await this.accounts.identify(credentials);
      const full = this.#rooms?.closedFor(room, account);
      return full === undefined ? { account, attributes: { name, isGuest } } : refuse("denied", full);
    } catch (error) {
      if (!(error instanceof SocialError)) throw error;
      return refuse(error.code === "expired" ? "expired" : "credentials", error.message);
    }
  };

  /** Serves the players of a room from now on. Attach every room whose players use the social space. */
  attach(room: Room): void {
    this.#desk.attach(room);
    room.onJoin((player) => {
      const account = player.identity?.account;
      if (account !== undefined) this.presence.enter(account, player);
    });
    room.onLeave((player) => {
      const account = player.identity?.account;
      if (account !== undefined) this.presence.leave(account, player);
    });
    room.onRound(() => this.#tick());
  }

  /** Lets players open rooms on this server. The rooms are attached too, and so are those of matches. */
  openRooms(server: Server, options: Omit<RoomsOptions, "server" | "now" | "randomId">): Rooms {
    const { now, randomId } = this.#machine;
    const prepare: RoomsOptions["prepare"] = (room, view) => {
      this.attach(room);
      options.prepare(room, view);
    };
    const { prepareMatch } = options;
    const prepareAttached: RoomsOptions["prepareMatch"] = (room, match) => {
      this.attach(room);
      prepareMatch?.(room, match);
    };
    const matchRooms = prepareMatch === undefined ? {} : { prepareMatch: prepareAttached };
    this.#rooms = new Rooms({ ...options, ...matchRooms, prepare, server, now, randomId });
    return this.#rooms;
  }

  /** What the social space of a cluster has in place of this server's own: one lobby, and one list of rooms, for all servers. */
  spread(lobby: Lobby, rooms: OpenRooms): void {
    this.#lobby = lobby;
    this.#openRooms = rooms;
  }

  /** Parties and queues: this server's own, or those of the cluster. */
  get lobby(): Lobby {
    return this.#lobby;
  }

  /** Where a lobby that is kept elsewhere tells its news to players of this server. */
  get lobbyNews(): LobbyNews {
    return this.#lobbyNews;
  }

  /** Opens the room of a match, if the game wants one, and tells the game. Throws `busy` where there is no room for it. */
  beginMatch(match: QueuedMatch): QueuedMatch {
    const room = this.#rooms?.openMatch(match);
    const begun = room === undefined ? match : { ...match, room };
    this.matching.begin(begun);
    return begun;
  }

  /** Tells the players of a match that are on this server. Returns who is. */
  tellMatch(match: QueuedMatch): string[] {
    const here = match.teams.flat().filter((account) => this.presence.isHere(account));
    for (const account of here) this.#news(account, "match", match);
    return here;
  }

  /** Pays the result of an action space, once. See `Settlements.settle`. */
  settle(
    space: string,
    verdict: SpaceVerdict,
    also?: (transaction: Transaction, settlement: Settlement) => Promise<void>,
  ): Promise<Settlement> {
    return this.settlements.settle(space, verdict, also);
  }

  /** Action spaces of these kinds are paid in goods, by what the players signed. One for each `ActionSpaces`. */
  openPaidSpaces(spaces: ActionSpaces, options: PaidSpacesOptions): PaidSpaces {
    const { now, randomId } = this.#machine;
    const verifier = options.verifier ?? this.#machine.verifier;
    if (verifier === undefined) throw new SpaceError("bad-option", "verifier is missing: who verifies signatures?");
    return new PaidSpaces(options, {
      spaces,
      dockets: new Dockets(this.#store, now),
      verifier,
      settle: (id, verdict) => this.settle(id, verdict),
      near: (account) => this.#near(account),
      randomId,
      now,
      onError: this.#onError,
    });
  }

  /** The game answers this kind of question itself; pages ask it with `askGame`. Throw `SocialError` to refuse. */
  answers<Asks>(kind: string, answers: GameAnswers<Asks>): void {
    this.#desk.answersGame(kind, answers);
  }

  /** Tells every player of an account; pages hear it with `onGameNews`. */
  tell(account: string, kind: string, news: unknown): void {
    this.presence.tell(account, kind, news);
  }

  /** The name that others see: from the login, so that nobody can choose another's. */
  nameOf(player: Player): string {
    const name = player.identity?.attributes?.["name"];
    return typeof name === "string" ? name : player.nickname;
  }

  // ── within ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #listen(): void {
    this.accounts.onEnded((account) => {
      for (const player of [...this.presence.playersOf(account)]) player.kick("your login has ended; log in again");
    });
    this.presence.onChange((account, isHere) => {
      if (isHere) this.ties.keep(account);
      void this.#tellFriends(account, isHere);
      this.#lobby.note(account, isHere);
      if (isHere) return;
      this.ties.drop(account);
      this.trades.leave(account);
    });
    this.goods.onMoved((changes) => {
      for (const account of new Set(changes.map((change) => change.account))) {
        if (!this.presence.isHere(account)) continue;
        const own = changes.filter((change) => change.account === account).map(({ account: _, ...holding }) => holding);
        this.#news(account, "goods", { changes: own });
      }
    });
    this.settlements.onSettled(({ space, paid, denied }) => {
      for (const { account, goods } of paid) this.#news(account, "settled", { space, goods });
      for (const { account, reason } of denied) this.#news(account, "settled", { space, goods: [], denied: reason });
    });
  }

  #answer(): void {
    const desk = this.#desk;
    const { presence, ties, chat } = this;
    const personOf = ({ account, player }: Asker): Person => ({ account, name: this.nameOf(player) });
    desk.answers("me", record({}), (asker) => ({
      ...personOf(asker),
      isGuest: asker.player.identity?.attributes?.["isGuest"] === true,
    }));
    desk.answers("find", record({ name: textUpTo(NAME_CHARACTERS) }), async (_, { name }) => {
      const found = await this.accounts.find(name);
      if (found === undefined) throw new SocialError("unknown-account", "nobody has this name");
      return { account: found.account, name: found.name };
    });
    answerGoods(desk, this.goods);
    answerTrades(desk, this.trades, async (asker, other) => {
      await ties.mayBother(asker.account, other);
      if (!presence.isHere(other)) throw new SocialError("not-here", "this player is not here");
      return () => this.#news(other, "trade.asked", personOf(asker));
    });
    answerPeople(desk, { chat, ties, lobby: () => this.#lobby, presence, personOf });
    answerScores(desk, this.scores);
    answerMatching(desk, this.matching);
    answerRooms(desk, () => this.#openRooms ?? this.#rooms);
  }

  #tick(): void {
    const nowMs = this.#machine.now();
    if (nowMs - this.#tickedMs < TICK_MS) return;
    this.#tickedMs = nowMs;
    this.#lobby.tick();
    this.#rooms?.tick();
  }

  #news<Kind extends NewsKind>(account: string, kind: Kind, news: SocialNews[Kind]): void {
    this.presence.tell(account, kind, news);
  }

  async #tellFriends(account: string, isHere: boolean): Promise<void> {
    try {
      for (const [other, { standing }] of await this.ties.of(account))
        if (standing === "friend") this.#news(other, "friend", { account, isHere });
    } catch (error) {
      this.#onError(error, "friends");
    }
  }

  async #near(account: string): Promise<ReadonlySet<string>> {
    const near = new Set((await this.#lobby.partyOf(account))?.members.map((member) => member.account));
    for (const [other, { standing }] of await this.ties.of(account)) if (standing === "friend") near.add(other);
    return near;
  }

  /** What an account leaves behind, in the transaction that deletes it. */
  async #forget(transaction: Transaction, account: string): Promise<void> {
    await this.goods.forget(transaction, account);
    await this.ties.forget(transaction, account);
    await this.scores.forget(transaction, account);
    await this.matching.skills.forget(transaction, account);
  }
}

/** An option that is passed on only where it was given. */
function given<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value };
}
