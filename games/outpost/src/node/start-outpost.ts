/** Starts the game on a web server that somebody else runs, and tells how it is going. */

import { randomBytes, randomInt } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import type { Verdict } from "@nearfield/rollback/trust";
import type { Player, Room } from "@nearfield/server";
import { type NodeServer, serve } from "@nearfield/server/node";
import { type NodeSocial, openSocial, tokenSecret } from "@nearfield/social/node";
import { ActionSpaces } from "@nearfield/social/spaces";
import { LmdbStore, MemoryStore, type Store } from "@nearfield/store/node";
import { MOST_PLAYERS } from "../dungeon/numbers.ts";
import { Expeditions } from "../expeditions.ts";
import { CATALOGUE } from "../goods.ts";
import { makeDeal, readDeal } from "../merchant.ts";
import { dungeonRules } from "../paid-dungeon.ts";
import { DEAL, DESCEND, DUNGEON_KIND, protocol, RETURN } from "../shared.ts";
import { TownHost, townOptions } from "../town/host.ts";
import { type Credentials, NodeCompany } from "./company.ts";

/** The folder of the built page. */
export const pageFolder: string = fileURLToPath(new URL("../../dist/page/", import.meta.url));

export interface OutpostOptions {
  /** The web server to share; it is the caller's to close. */
  readonly server: Server;
  /** Path of the WebSocket, e.g. "/outpost/ws". Accounts are beside it, at "/outpost/accounts". */
  readonly path: string;
  /** Where accounts and goods are kept; the caller's to close. Default: the embedded store in `folder`. */
  readonly store?: Store;
  /** The folder of the embedded store, which is made if there is none. Default: in memory, so that a restart forgets everything. */
  readonly folder?: string;
  /** People of the town who walk about and go down with parties. Default 6. Each is a client in this process: about half a percent of a core, and some more in a dungeon. */
  readonly bots?: number;
  /** People who may join at once. Default 64. */
  readonly mostPeople?: number;
  /** Seed of dungeons. Default: a new one for each. For tests. */
  readonly seed?: () => number;
  /** Told of every dungeon whose signed inputs had to be replayed: who lied, and whether that is proven. */
  readonly onVerdict?: (verdict: Verdict) => void;
}

export interface OutpostStatus {
  readonly people: number;
  readonly bots: number;
  /** Dungeons that are open now. */
  readonly dungeons: number;
}

export interface RunningOutpost {
  /** For instruments: its rooms, telemetry and models. */
  readonly game: NodeServer;
  readonly town: TownHost;
  readonly social: NodeSocial;
  readonly expeditions: Expeditions;
  status(): OutpostStatus;
  /** Answers what pages ask about accounts; false for any other request. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Says goodbye to everybody and stops the rounds. */
  close(): Promise<void>;
}

type OnError = (error: unknown, where: string) => void;

/** What the accounts of those begin with who have none. */
const VISITOR = "visitor-";
/** Companions come from this machine's own address, besides the people who may. */
const PEOPLE_PER_ADDRESS = 64;
const TOKEN_S = 30 * 24 * 3600;
const BOTS_AT_MOST = MOST_PLAYERS * 2;

export async function startOutpost(options: OutpostOptions): Promise<RunningOutpost> {
  const { server, path, folder, bots = 6, mostPeople = 64 } = options;
  const embedded = folder === undefined ? new MemoryStore() : await LmdbStore.open(folder);
  const store = options.store ?? embedded;
  const { seed = () => randomInt(2 ** 32) } = options;
  const onError: OnError = (error, where) => console.error(`outpost, ${where}:`, error);
  const credentials: Credentials = { word: randomBytes(24).toString("hex"), prefix: "bot-" };
  const social = openSocial({
    store,
    goods: CATALOGUE,
    secret: await tokenSecret(store, "outpost"),
    partySize: MOST_PLAYERS,
    // Who plays every month stays logged in.
    tokenS: TOKEN_S,
    http: { path: path.replace(/\/[^/]*$/, "/accounts") },
    onError,
  });
  const game = await serve({
    ...townOptions,
    protocol,
    server,
    path,
    onError,
    limits: { players: mostPeople + BOTS_AT_MOST, perAddress: PEOPLE_PER_ADDRESS + BOTS_AT_MOST, hellosPerSecond: 32 },
    // Companions of this process say a word that nobody else knows. Who says nothing is a visitor: it walks, and has no account.
    authenticate: (asked) => {
      if (asked.credentials === "") return { account: `${VISITOR}${randomBytes(8).toString("hex")}` };
      if (asked.credentials.startsWith(credentials.word))
        return { account: `${credentials.prefix}${asked.credentials.slice(credentials.word.length)}` };
      return social.authenticate(asked);
    },
  });
  const town = new TownHost({
    room: game.main,
    isBot: (account) => account.startsWith(credentials.prefix),
    isVisitor: (account) => account.startsWith(VISITOR),
  });
  social.attach(game.main);
  const spaces = new ActionSpaces(game);
  const hasKey = (player: Player): boolean => spaces.keyOf(player).length > 0;
  const company = new NodeCompany({
    server,
    path,
    town,
    credentials,
    strolling: bots,
    most: BOTS_AT_MOST,
    hasKey,
    onError,
  });
  const paid = social.openPaidSpaces(spaces, {
    kinds: { [DUNGEON_KIND]: dungeonRules },
    pays: (account) => !account.startsWith(credentials.prefix),
    onVerdict: (_, verdict) => options.onVerdict?.(verdict),
  });
  const expeditions = new Expeditions({ town, parties: social.parties, paid, company, hasKey, seed });
  answerGame(social, expeditions);
  showLanterns(game.main, social, town, onError);
  company.begin();
  return {
    game,
    town,
    social,
    expeditions,
    status: () => ({ people: town.people, bots: town.bots, dungeons: expeditions.open }),
    answer: social.answerAccounts,
    close: async () => {
      company.end();
      await game.close();
      await embedded.close();
    },
  };
}

function answerGame(social: NodeSocial, expeditions: Expeditions): void {
  social.answers(DESCEND, {
    reads: readHeroes,
    answer: ({ player, account }, heroes) => expeditions.descend(player, account, heroes),
  });
  social.answers(DEAL, {
    reads: readDeal,
    answer: ({ account }, deal) => makeDeal(social.goods, account, deal),
  });
  social.answers(RETURN, { reads: () => undefined, answer: ({ player }) => expeditions.back(player) });
}

/** Who has a lantern is seen with it: from the moment it comes, and from the moment it buys one. */
function showLanterns(room: Room, social: NodeSocial, town: TownHost, onError: OnError): void {
  const look = async (account: string): Promise<void> => {
    const held = await social.goods.list(account);
    town.setLantern(
      account,
      held.some(({ item }) => item === "lantern"),
    );
  };
  const lookSoon = (account: string): void => void look(account).catch((error: unknown) => onError(error, "lanterns"));
  room.onJoin(({ identity }) => {
    if (identity !== undefined) lookSoon(identity.account);
  });
  social.goods.onMoved((changes) => {
    for (const { account, item } of changes) if (item === "lantern") lookSoon(account);
  });
}

/** How many go down, of what a stranger wrote. */
function readHeroes(body: unknown): number {
  const heroes = typeof body === "object" && body !== null && "heroes" in body ? body.heroes : undefined;
  return Number.isInteger(heroes) ? Math.max(1, Math.min(MOST_PLAYERS, heroes as number)) : 4;
}
