/**
 * Brings back what a dead server owned. One server does it, the *executor* of the dead one (`Membership`):
 *
 *     seal and read the dead server's log → ask every living server what it knows (inquest, testimonies) → adopt the newest state of each object
 *     → make that safe in the own log → bury
 *
 * Then the objects go where their places belong, like any others. Nobody else adopts copies of a dead server's objects: so no object comes back
 * twice. What decides is (hop, version). An object that a living server owns, or that another dead server's log has newer, is left alone. The log lists
 * what the dead server owned; about objects that only an old copy tells of, everybody is asked once more, since a living server may own them by now.
 *
 * A server testifies only once it knows that the other one is dead. From then on it takes nothing over from it and hands nothing to it, so its
 * testimony stays true. If the executor dies on the way the next one does all of it again; what the first one had made safe is in *its* log by then.
 */

import type { WorldId } from "@nearfield/schema";
import type { RoomSeam } from "@nearfield/server/seam";
import type { Bus } from "../bus/bus.ts";
import type { Estate } from "../journal/entries.ts";
import type { Journal } from "../journal/journal.ts";
import { readEstate } from "../journal/read-estate.ts";
import type { Membership } from "../slices/membership.ts";
import type { Ledger } from "./ledger.ts";
import type { Inquest, Statement, Testimony, Word } from "./messages.ts";
import { isOpen, type Kept } from "./objects-codec.ts";
import { stateOf } from "./primary.ts";
import type { Sessions } from "./sessions.ts";
import type { Transfers } from "./transfers.ts";

/** A server that has not answered is asked again after this many rounds. */
const ROUNDS_TO_ASK_AGAIN = 6;
/** Objects that one question lists, and states that one answer holds. */
const MOST_LISTED = 20_000;
const MOST_STATES = 1000;

/** What is known of one dead server's objects. */
class Case {
  /** By server: the parts of the question that it has answered. */
  readonly answers = new Map<number, Set<number>>();
  readonly askedInRound = new Map<number, number>();
  /** States that living servers have of its objects. */
  readonly states = new Map<WorldId, Kept>();
  /** Questions about objects that only copies told of: one of the servers may own them by now. */
  readonly more: Inquest[] = [];
  /** Objects that a living server owns. */
  readonly owned = new Set<WorldId>();
  /** The highest hop of which somebody remembers that the object moved on; and of those in other executors' hands. */
  readonly movedOn = new Map<WorldId, number>();
  readonly open = new Map<WorldId, number>();
  decidedInRound = 0;
}

export interface ExecutorOptions {
  readonly bus: Bus;
  readonly seam: RoomSeam;
  readonly membership: Membership;
  readonly ledger: Ledger;
  readonly sessions: Sessions;
  readonly transfers: Transfers;
  readonly journal: Journal;
  readonly send: (to: number, statement: Statement) => void;
  readonly adopt: (object: Kept) => void;
}

export class Executor {
  /** Objects brought back so far. */
  recovered = 0;
  readonly #options: ExecutorOptions;
  readonly #cases = new Map<number, Case>();
  /** Of dead servers that are not buried; undefined while the log is being read. */
  readonly #estates = new Map<number, Estate | undefined>();

  constructor(options: ExecutorOptions) {
    this.#options = options;
  }

  /** To be called in every round, after messages were read. */
  tick(round: number): void {
    const { membership } = this.#options;
    const dead = membership.unburied;
    const mine = dead.filter((server) => membership.isExecutorOf(server));
    for (const server of this.#cases.keys()) if (!mine.includes(server)) this.#cases.delete(server);
    for (const server of this.#estates.keys()) if (!dead.includes(server)) this.#estates.delete(server);
    if (mine.length === 0) return;
    for (const server of dead) this.#readLog(server);
    for (const server of mine) this.#work(server, round, dead);
  }

  #readLog(dead: number): void {
    const { bus, seam, membership } = this.#options;
    if (this.#estates.has(dead)) return;
    this.#estates.set(dead, undefined);
    readEstate({ bus, protocol: seam.world.protocol, dead, by: membership.number }, (estate) => {
      if (!this.#estates.has(dead)) return;
      if (estate === undefined) this.#estates.delete(dead);
      else this.#estates.set(dead, estate);
    });
  }

  #work(server: number, round: number, dead: readonly number[]): void {
    const estate = this.#estates.get(server);
    if (estate === undefined) return;
    const known = this.#cases.get(server) ?? new Case();
    this.#cases.set(server, known);
    if (known.decidedInRound > 0) return this.#finish(server, known, round);
    const questions = [...questionsOf(server, [...estate.objects.values()], 0), ...known.more];
    const { membership, send } = this.#options;
    let isComplete = true;
    for (const witness of membership.alive.keys()) {
      const answers = known.answers.get(witness);
      if (witness === membership.number || answers?.size === questions.length) continue;
      isComplete = false;
      if (round < (known.askedInRound.get(witness) ?? 0)) continue;
      known.askedInRound.set(witness, round + ROUNDS_TO_ASK_AGAIN);
      for (const question of questions) if (answers?.has(question.part) !== true) send(witness, question);
    }
    if (!isComplete || dead.some((other) => this.#estates.get(other) === undefined)) return;
    for (const question of questions) this.#hearWords(known, this.#words(question));
    const listed = new Set(questions.flatMap((question) => question.listed.map(({ id }) => id)));
    const unlisted = [...known.states.values()].filter(({ id }) => !listed.has(id));
    if (unlisted.length > 0) {
      known.more.push(...questionsOf(server, unlisted, questions.length));
      known.askedInRound.clear();
    } else if (this.#decide(server, estate, known)) known.decidedInRound = round;
    // Somebody else is about to bring an object back: what comes of it is asked for anew.
    else this.#cases.delete(server);
  }

  /** Adopts what nobody has. Returns false if some object is in another executor's hands. */
  #decide(dead: number, estate: Estate, known: Case): boolean {
    const { seam, adopt, journal, sessions } = this.#options;
    const { world } = seam;
    let isDone = true;
    for (const id of new Set([...estate.objects.keys(), ...known.states.keys()])) {
      const here = world.byWorldId(id);
      if (known.owned.has(id) || (here !== undefined && !world.isForeign(here))) continue;
      const best = newest(estate.objects.get(id), known.states.get(id))!;
      if ((known.open.get(id) ?? -1) > best.hop) isDone = false;
      else if ((known.movedOn.get(id) ?? -1) > best.hop || this.#isNewerElsewhere(dead, best)) continue;
      else {
        // A dead server's locks end. What was released is part of the state.
        adopt({ ...best, hop: best.hop + 1, claims: best.claims.filter((claim) => !isOpen(claim)) });
        this.recovered += 1;
      }
    }
    if (!isDone) return false;
    for (const [player, session] of estate.sessions) {
      // It may have gone on elsewhere by now.
      if (sessions.nowOf(player) === player) journal.refugees.set(player, session);
    }
    return true;
  }

  #isNewerElsewhere(dead: number, object: Kept): boolean {
    for (const [server, estate] of this.#estates) {
      const other = estate?.objects.get(object.id);
      if (server !== dead && other !== undefined && newest(other, object) === other && other.hop > object.hop)
        return true;
    }
    return false;
  }

  /** What was adopted is written at the commit of its round. Once that is in the log the dead server is buried. */
  #finish(server: number, { decidedInRound }: Case, round: number): void {
    if ((round - decidedInRound) % ROUNDS_TO_ASK_AGAIN !== 1) return;
    this.#options.journal.afterAll(() => this.#options.membership.bury(server));
  }

  // ── testimonies ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Answers another executor. Who does not know yet that the server is dead is asked again later. */
  asked(from: number, inquest: Inquest): void {
    const { membership, send } = this.#options;
    if (membership.alive.has(inquest.dead)) return;
    const words = this.#words(inquest);
    for (let start = 0; start === 0 || start < words.length; start += MOST_STATES) {
      const isLast = start + MOST_STATES >= words.length;
      const { dead, part } = inquest;
      send(from, { kind: "testimony", dead, part, isLast, words: words.slice(start, start + MOST_STATES) });
    }
  }

  heard(from: number, { dead, part, isLast, words }: Testimony): void {
    const known = this.#cases.get(dead);
    if (known === undefined || !this.#options.membership.alive.has(from)) return;
    this.#hearWords(known, words);
    if (!isLast) return;
    const parts = known.answers.get(from) ?? new Set();
    known.answers.set(from, parts.add(part));
  }

  #hearWords(known: Case, words: readonly Word[]): void {
    for (const word of words) {
      const { id } = word;
      if (word.kind === "own") known.owned.add(id);
      else if (word.kind === "state") known.states.set(id, newest(known.states.get(id), word.object)!);
      else {
        const hops = word.kind === "open" ? known.open : known.movedOn;
        hops.set(id, Math.max(hops.get(id) ?? 0, word.hop));
      }
    }
  }

  /** What this server knows of a dead one's objects. */
  #words({ dead, part, listed }: Inquest): Word[] {
    const { seam, ledger, sessions, transfers } = this.#options;
    const { world } = seam;
    const words: Word[] = [];
    const versions = new Map(listed.map((one) => [one.id, one]));
    const pending = transfers.pendingTo(dead);
    for (const { id, hop } of listed) {
      const here = world.byWorldId(id);
      const open = this.#openHop(dead, id);
      const remembered = transfers.newestHop(id);
      if (here !== undefined && !world.isForeign(here)) words.push({ kind: "own", id });
      else if (open > hop) words.push({ kind: "open", id, hop: open });
      else if (remembered > hop && ledger.get(id)?.source !== dead && !pending.has(id))
        words.push({ kind: "movedOn", id, hop: remembered });
    }
    if (part > 0) return words;
    // The dead server may have told that its new object is out of sight here, and not have made it safe.
    for (const [id, object] of pending) words.push({ kind: "state", id, object: { ...object, version: 0 } });
    for (const [id, record] of ledger) {
      const one = versions.get(id);
      if (record.source !== dead || (one !== undefined && !isNewer(record, one))) continue;
      const object = stateOf(world, ledger, sessions, id);
      if (object !== undefined && world.isForeign(world.byWorldId(id)!)) words.push({ kind: "state", id, object });
    }
    return words;
  }

  /** The hop of an object that this server is about to bring back for another dead one. */
  #openHop(dead: number, id: WorldId): number {
    let hop = -1;
    for (const [server, { states, decidedInRound }] of this.#cases) {
      if (server !== dead && decidedInRound === 0) hop = Math.max(hop, states.get(id)?.hop ?? -1);
    }
    return hop;
  }
}

/** Objects in questions that each fit into a message, at least one, with parts from this number on. */
function questionsOf(dead: number, objects: readonly Kept[], firstPart: number): Inquest[] {
  const all = objects.map(({ id, hop, version }) => ({ id, hop, version }));
  const questions: Inquest[] = [];
  for (let start = 0; start === 0 || start < all.length; start += MOST_LISTED) {
    const listed = all.slice(start, start + MOST_LISTED);
    questions.push({ kind: "inquest", dead, part: firstPart + questions.length, listed });
  }
  return questions;
}

function newest(a: Kept | undefined, b: Kept | undefined): Kept | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return isNewer(b, a) ? b : a;
}

function isNewer(
  a: { readonly hop: number; readonly version: number },
  b: { readonly hop: number; readonly version: number },
): boolean {
  return a.hop > b.hop || (a.hop === b.hop && a.version > b.version);
}
