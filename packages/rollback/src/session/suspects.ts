/**
 * The vote on peers that hold up the others. Each peer tells, in every message, whom it suspects and how much it has of each suspect's inputs. A vote is
 * won when all who are not suspected name the same suspects. Then everybody knows the same numbers, and so the same step from which the suspect is gone:
 * the first that none of the voters has an input for. Whoever has fewer inputs gets the rest from the others.
 *
 * A peer that suspects another takes nothing more from it directly: what it told the others stays true. Suspicion is not taken back, until a player is let
 * in anew: then all votes begin again.
 *
 * A vote counts among peers who know of the same admissions. What a peer lacks of a suspect is heard always: the input that lets somebody in may be the suspect's, and stand in what the peer lacks.
 */

/** A player whom a peer suspects, and how much that peer has of the player's inputs. */
export interface Suspicion {
  readonly player: number;
  readonly through: number;
}

interface Vote {
  readonly suspects: ReadonlySet<number>;
  readonly through: ReadonlyMap<number, number>;
}

export class Suspects {
  readonly #own: number;
  readonly #players: number;
  readonly #suspects = new Set<number>();
  readonly #votes = new Map<number, Vote>();
  /** By peer: what it said last, and how many admissions it knew of. */
  readonly #told = new Map<number, { readonly admissions: number; readonly suspicions: readonly Suspicion[] }>();
  /** By player who was let in: how many admissions there were then. */
  readonly #admittedAt = new Map<number, number>();
  #admissions = 0;

  constructor(own: number, players: number, admissions: number) {
    this.#own = own;
    this.#players = players;
    this.#admissions = admissions;
  }

  get all(): ReadonlySet<number> {
    return this.#suspects;
  }

  has(player: number): boolean {
    return this.#suspects.has(player);
  }

  add(player: number): void {
    this.#suspects.add(player);
  }

  /** How many players have been let in so far. */
  get admissions(): number {
    return this.#admissions;
  }

  /** A player is let in: what was said of it before holds no longer, and whoever is still suspected is suspected anew. */
  admit(player: number): void {
    this.#admissions++;
    this.#admittedAt.set(player, this.#admissions);
    this.#suspects.delete(player);
    this.#votes.clear();
  }

  /** What another peer says now. A message that is older than the last says nothing new: suspicion only grows. */
  hear(from: number, admissions: number, told: readonly Suspicion[]): void {
    this.#told.set(from, { admissions, suspicions: told });
    if (admissions !== this.#admissions) return;
    const before = this.#votes.get(from);
    if (before && before.suspects.size > told.length) return;
    const suspects = new Set(told.map(({ player }) => player));
    const through = new Map(told.map(({ player, through }) => [player, through]));
    for (const [player, step] of before?.through ?? []) through.set(player, Math.max(step, through.get(player) ?? 0));
    this.#votes.set(from, { suspects, through });
  }

  /** Whom another peer suspects, and how much it has of each. Of a player who was let in since, it means the life before, of which nothing is missing. */
  toldBy(peer: number): readonly Suspicion[] {
    const { admissions = 0, suspicions = [] } = this.#told.get(peer) ?? {};
    return suspicions.filter(({ player }) => (this.#admittedAt.get(player) ?? 0) <= admissions);
  }

  /** The step from which a suspect is gone; undefined while the vote is open. */
  stepOf(suspect: number, ownThrough: number): number | undefined {
    let step = ownThrough;
    for (let peer = 0; peer < this.#players; peer++) {
      if (peer === this.#own || this.#suspects.has(peer)) continue;
      const vote = this.#votes.get(peer);
      if (!vote || !isSame(vote.suspects, this.#suspects)) return undefined;
      step = Math.max(step, vote.through.get(suspect)!);
    }
    return step;
  }

  /** Whether all who are not suspected along with this peer want it gone. */
  get isVotedOut(): boolean {
    for (const { suspects } of this.#votes.values()) {
      if (!suspects.has(this.#own)) continue;
      let agree = true;
      for (let peer = 0; peer < this.#players; peer++)
        if (peer !== this.#own && !suspects.has(peer))
          agree &&= isSame(this.#votes.get(peer)?.suspects ?? new Set(), suspects);
      if (agree) return true;
    }
    return false;
  }
}

function isSame(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size === b.size && [...a].every((player) => b.has(player));
}
