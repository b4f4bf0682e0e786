/**
 * The server's judgement of a fight (H7). If all who must report say the same, that is the result. If not, the server replays what is signed, and names who said something
 * else. One honest report is enough: nobody can sign for another, so no group gains more than the signed inputs yield.
 *
 *   compare → read logs → find who signed twice or was left out → replay → judge every claim and every seal
 */

import { type MessageForm, rowBytes } from "../session/peer-message.ts";
import {
  type Chain,
  type Court,
  chainsOf,
  type Equivocation,
  equivocationOf,
  headsOf,
  isSigned,
  type Reporter,
  type Signatures,
} from "./evidence.ts";
import type { Omission } from "./observer.ts";
import { type FightRules, type Outcome, outcomesOf } from "./replay-log.ts";
import { inputsDigest, isSameBytes, SEAL_STEPS, type Seal } from "./seal.ts";
import type { SignedLog } from "./signed-log.ts";

/** What one player or observer told the server, over its own connection. */
export interface Report {
  readonly by: Reporter;
  readonly outcome: Outcome;
  /** Needed when reports differ only. */
  readonly log?: SignedLog;
  /** An observer's. */
  readonly omissions?: readonly Omission[];
}

export interface VerdictOptions extends FightRules, Signatures {
  readonly inputBytes: number;
  readonly hasLags?: boolean;
  readonly still?: Uint8Array;
  /** Who must report: players who were there to the end, and the observers. */
  readonly expected: readonly Reporter[];
  /** Awaited after every 16 checkpoints of a replay, and after each player's inputs were hashed, so that a server's rounds go on meanwhile. Default: the replay does not stop. */
  readonly pause?: () => Promise<void>;
}

/** Checkpoints that are replayed without a pause: 128 steps, 6.4 s of a fight in steps of 50 ms. */
const PAUSE_CHECKPOINTS = 16;

export type FaultReason =
  /** No report came, or one without the log that was asked for. It may have crashed; its silence changes nothing. */
  | "withheld"
  /** Its log is that of another fight. */
  | "other-space"
  /** Its log has inputs that their player did not sign. */
  | "altered-inputs"
  /** It signed different inputs for the same step. */
  | "equivocation"
  /** It says that a player was gone who went on sending signed inputs. */
  | "omitted-inputs"
  /** It vouched for inputs that others did not sign. */
  | "forged-inputs"
  /** It vouched for, or reported, a state that the signed inputs do not give. */
  | "forged-state"
  /** It reported goods that the state is not worth. */
  | "forged-result"
  /** It reported a state for which inputs are not signed. */
  | "forged-time";

export interface Fault {
  readonly by: Reporter;
  readonly why: FaultReason;
  /** Whether the server has seen it for itself; if not, a bad connection may look the same. */
  readonly isProven: boolean;
  /** What the culprit signed: the seals, or both versions of its inputs. */
  readonly seal?: Seal;
  readonly equivocation?: Equivocation;
}

export interface Verdict {
  /** Goods are moved by this, and by nothing else; undefined: nothing is signed by all. */
  readonly outcome: Outcome | undefined;
  /** Whether the server had to replay. */
  readonly isReplayed: boolean;
  readonly faults: readonly Fault[];
  /** Reporters who told the same lie. */
  readonly groups: readonly (readonly Reporter[])[];
  /** Players whose goods are denied: a fault of theirs is proven. */
  readonly denied: readonly number[];
}

export async function verdict(options: VerdictOptions, reports: readonly Report[]): Promise<Verdict> {
  const { expected } = options;
  const told = reports.filter(({ by }) => expected.includes(by));
  const isWhole = expected.every((by) => told.some((report) => report.by === by));
  const first = told[0];
  if (first && isWhole && told.every((report) => isSameReport(report, first)))
    return { outcome: first.outcome, isReplayed: false, faults: [], groups: [], denied: [] };
  return new Trial(options, reports).judge();
}

/** A log whose signatures are good. */
interface Held {
  readonly by: Reporter;
  readonly log: SignedLog;
  readonly chains: readonly (Chain | undefined)[];
  /** The newest state that all players vouched for in it. */
  vouched: number;
}

class Trial {
  readonly #options: VerdictOptions;
  readonly #reports: readonly Report[];
  readonly #court: Court;
  readonly #faults: Fault[] = [];
  /** By what was told wrongly: who told it. */
  readonly #lies = new Map<string, Set<Reporter>>();
  readonly #logs: Held[] = [];
  /** Up to this state all that is signed is the same for all. */
  #cap = Number.POSITIVE_INFINITY;

  constructor(options: VerdictOptions, reports: readonly Report[]) {
    const { space, keys, verifier, inputBytes, hasLags = false, sealSteps = SEAL_STEPS } = options;
    const form: MessageForm = { players: keys.length, inputBytes, hasLags, isSealed: true };
    this.#options = options;
    this.#reports = reports;
    this.#court = { space, keys, form, sealSteps, verifier };
  }

  async judge(): Promise<Verdict> {
    this.#findWithheld();
    await this.#readLogs();
    const chains = this.#agreedChains();
    const gone = this.#whoIsGone();
    const end = this.#endOf(chains, gone);
    const rows = chains.map((chain, player) => (chain?.rows ?? []).slice(0, Math.min(end, gone.get(player) ?? end)));
    const outcomes = await this.#replay(rows, end);
    this.#judgeReports(outcomes, end, gone);
    await this.#judgeSeals(outcomes, rows, end, gone);
    return {
      outcome: this.#best(outcomes),
      isReplayed: true,
      faults: this.#faults,
      groups: [...this.#lies.values()].filter(({ size }) => size > 1).map((group) => [...group]),
      denied: [...new Set(this.#faults.filter(isDenying).map(({ by }) => by as number))].sort((a, b) => a - b),
    };
  }

  async #replay(rows: readonly (readonly Uint8Array[])[], end: number): Promise<Outcome[]> {
    const { form, sealSteps } = this.#court;
    const outcomes: Outcome[] = [];
    for (const outcome of outcomesOf(this.#options, form, rows, end, { ...this.#options, sealSteps })) {
      outcomes.push(outcome);
      if (outcomes.length % PAUSE_CHECKPOINTS === 0) await this.#options.pause?.();
    }
    return outcomes;
  }

  #findWithheld(): void {
    for (const by of this.#options.expected)
      if (!this.#reports.some((report) => report.by === by && report.log)) this.#blame(by, "withheld", false);
  }

  async #readLogs(): Promise<void> {
    for (const { by, log } of this.#reports) {
      if (!log) continue;
      if (!isSameBytes(log.space, this.#court.space)) {
        this.#blame(by, "other-space", true);
        continue;
      }
      // Who came later has no beginning; the others have.
      if (log.players.some(({ first, rows }) => rows.length > 0 && first > 0)) continue;
      const chains = await chainsOf(this.#court, by, log);
      if (chains === "unsigned") this.#blame(by, "altered-inputs", true);
      else this.#logs.push({ by, log, chains, vouched: 0 });
    }
  }

  /**
   * Of each player one chain. Whoever signed two is found. What all players vouched for in one log stands, and nothing that is signed later takes it back; otherwise
   * nothing counts from where two chains part.
   */
  #agreedChains(): (Chain | undefined)[] {
    for (const held of this.#logs) held.vouched = this.#vouchedIn(held);
    this.#logs.sort((a, b) => b.vouched - a.vouched);
    return this.#court.keys.map((_, player) => {
      let best: Chain | undefined;
      let isTwice = false;
      for (const { chains, vouched } of this.#logs) {
        const chain = chains[player];
        if (!chain) continue;
        best ??= chain;
        const equivocation = equivocationOf(this.#court, best, chain);
        if (equivocation) {
          isTwice = true;
          this.#blame(player, "equivocation", true, { equivocation });
          const parting = equivocation.state - this.#court.sealSteps;
          const stands = this.#logs[0]!.vouched;
          this.#cap = Math.min(this.#cap, vouched > parting ? parting : Math.max(parting, stands));
        } else if (!isTwice && chain.rows.length > best.rows.length) best = chain;
      }
      return best;
    });
  }

  /** The newest state for which all players signed that they have the inputs of this log. */
  #vouchedIn({ log, chains }: Held): number {
    let state = Number.POSITIVE_INFINITY;
    for (const [player, chain] of chains.entries()) {
      if (log.gone.has(player)) continue;
      const seal = chain?.seal;
      const at = (seal?.state ?? 0) / this.#court.sealSteps;
      const heads = chains.map((other, of) =>
        log.gone.has(of) ? this.#headsWithStill(of, other?.rows ?? [], at)[at] : other?.heads[at],
      );
      if (!seal || at === 0 || heads.includes(undefined)) return 0;
      if (!isSameBytes(inputsDigest(heads as Uint8Array[]), seal.inputs)) return 0;
      state = Math.min(state, seal.state);
    }
    return Number.isFinite(state) ? state : 0;
  }

  /** A vote holds if all players who are left signed states without the player, or say so. Who went on signing for an observer was left out. */
  #whoIsGone(): Map<number, number> {
    const gone = new Map<number, number>();
    for (const { log } of this.#logs)
      for (const [player, step] of log.gone) {
        if (gone.has(player)) continue;
        const claimants = this.#logs.filter((held) => held.log.gone.get(player) === step);
        const isVote = claimants.some(({ vouched }) => vouched > step) || this.#isUnanimous(player, step, log);
        const isOmitted = this.#isOmitted(player, step, isVote);
        if (isVote && !isOmitted) gone.set(player, step);
        if (isVote && isOmitted) this.#cap = Math.min(this.#cap, step);
        for (const { by } of isOmitted ? claimants : [])
          if (typeof by === "number") this.#blame(by, "omitted-inputs", !isVote, {}, `gone ${player} ${step}`);
      }
    return gone;
  }

  #isUnanimous(player: number, step: number, { gone }: SignedLog): boolean {
    const left = this.#logs.filter(({ by }) => typeof by === "number" && !gone.has(by));
    return left.every(({ log }) => log.gone.get(player) === step);
  }

  /** Whether inputs came that the vote denies: to an observer; without a vote, to anybody else. */
  #isOmitted(player: number, step: number, isVote: boolean): boolean {
    const spare = 2 * this.#court.sealSteps;
    return (
      this.#reports.some(({ omissions }) => omissions?.some((one) => one.player === player && one.step === step)) ||
      this.#logs.some(
        ({ by, log, chains }) =>
          by !== player &&
          !(isVote && typeof by === "number") &&
          !log.gone.has(player) &&
          (chains[player]?.rows.length ?? 0) > step + spare,
      )
    );
  }

  #endOf(chains: readonly (Chain | undefined)[], gone: ReadonlyMap<number, number>): number {
    let end = this.#cap;
    chains.forEach((chain, player) => {
      if (!gone.has(player)) end = Math.min(end, chain?.rows.length ?? 0);
    });
    return Math.max(0, Number.isFinite(end) ? end - (end % this.#court.sealSteps) : 0);
  }

  #judgeReports(outcomes: readonly Outcome[], end: number, gone: ReadonlyMap<number, number>): void {
    for (const { by, outcome } of this.#reports) {
      // Who was voted out went on alone.
      if (typeof by === "number" && gone.has(by)) continue;
      const { state, digest, result } = outcome;
      const lie = `claim ${state} ${digest.join()} ${result.join()}`;
      const truth = outcomes.find((known) => known.state === state);
      if (!truth) {
        // Where the signed inputs part, nobody can know.
        if (state > end && this.#cap === Number.POSITIVE_INFINITY) this.#blame(by, "forged-time", true, {}, lie);
      } else if (!isSameBytes(truth.digest, digest)) this.#blame(by, "forged-state", true, {}, lie);
      else if (!isSameBytes(truth.result, result)) this.#blame(by, "forged-result", true, {}, lie);
    }
  }

  async #judgeSeals(
    outcomes: readonly Outcome[],
    rows: readonly (readonly Uint8Array[])[],
    end: number,
    gone: ReadonlyMap<number, number>,
  ): Promise<void> {
    const { sealSteps } = this.#court;
    const heads: Uint8Array[][] = [];
    for (const [player, own] of rows.entries()) {
      heads.push(this.#headsWithStill(player, own, end / sealSteps));
      if (end > PAUSE_CHECKPOINTS * sealSteps) await this.#options.pause?.();
    }
    for (const { log, chains } of this.#logs)
      for (const seal of [...log.players.flatMap(({ seal }) => seal ?? []), ...log.disputed]) {
        // Who was voted out went on alone.
        const until = Math.min(end, gone.get(seal.player) ?? end);
        if (seal.state === 0 || seal.state > until || seal.state % sealSteps !== 0) continue;
        const head = chains[seal.player]?.heads[seal.through / sealSteps];
        if (!head || !(await isSigned(this.#court, seal, head))) continue;
        const inputs = inputsDigest(heads.map((own) => own[seal.state / sealSteps]!));
        const lie = `seal ${seal.state} ${seal.inputs.join()} ${seal.digest.join()}`;
        const truth = outcomes.find(({ state }) => state === seal.state)!;
        if (!isSameBytes(inputs, seal.inputs)) this.#blame(seal.player, "forged-inputs", true, { seal }, lie);
        else if (!isSameBytes(truth.digest, seal.digest)) this.#blame(seal.player, "forged-state", true, { seal }, lie);
      }
  }

  /** The heads of a player who stands still after its last row, for so many checkpoints. */
  #headsWithStill(player: number, rows: readonly Uint8Array[], checkpoints: number): Uint8Array[] {
    const { form, sealSteps } = this.#court;
    const still = new Uint8Array(rowBytes(form));
    still.set(this.#options.still ?? []);
    const left = Math.max(0, checkpoints * sealSteps - rows.length);
    return headsOf(this.#court, player, [...rows, ...Array.from({ length: left }, () => still)]);
  }

  /** The newest state that somebody reported truly; if nobody did, the newest for which all inputs are signed. */
  #best(outcomes: readonly Outcome[]): Outcome | undefined {
    const honest = outcomes.filter((known) => this.#reports.some(({ outcome }) => isSameOutcome(outcome, known)));
    return honest.at(-1) ?? outcomes.at(-1);
  }

  #blame(
    by: Reporter,
    why: FaultReason,
    isProven: boolean,
    proof: Pick<Fault, "seal" | "equivocation"> = {},
    lie?: string,
  ): void {
    if (lie !== undefined) {
      const liars = this.#lies.get(lie) ?? new Set();
      this.#lies.set(lie, liars.add(by));
    }
    if (!this.#faults.some((known) => known.by === by && known.why === why))
      this.#faults.push({ by, why, isProven, ...proof });
  }
}

function isDenying({ by, isProven }: Fault): boolean {
  return isProven && typeof by === "number";
}

function isSameReport(a: Report, b: Report): boolean {
  return isSameOutcome(a.outcome, b.outcome) && (a.omissions ?? []).length === 0;
}

function isSameOutcome(a: Outcome, b: Outcome): boolean {
  return a.state === b.state && isSameBytes(a.digest, b.digest) && isSameBytes(a.result, b.result);
}
