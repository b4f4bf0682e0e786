/**
 * One paid fight before the server: what members claim, what they prove when they are asked, and who is paid for it. Nobody is believed alone.
 *
 *   claims agree, of all who must claim ─────────────────────────────────→ pay
 *   one differs, doubts, or is silent → demand evidence → verdict → pay, or deny whose fault is proven
 *
 * Each slot is settled once, under the fight's name and the slot's number; the store sees to that. So asking again is always safe, also after a restart.
 */

import type { Outcome, Report, Reporter, Verdict, Verifier } from "@nearfield/rollback/trust";
import { verdict } from "@nearfield/rollback/trust";
import { WireError } from "@nearfield/schema/internal";
import type { SpaceVerdict } from "../settlement/settlement.ts";
import { verdictFor } from "../settlement/verdict-for.ts";
import { MOST_EVIDENCE_PARTS } from "../spaces/messages.ts";
import type { Court } from "./court.ts";
import { bytesOf, type Docket } from "./docket.ts";
import { decodeEvidence, type Evidence } from "./evidence.ts";
import { type PaidRules, readWorth, worthOf } from "./rules.ts";

export interface PaidTimes {
  /** Ms from the first claim of a state until those that are missing are missing. Default 6,000. */
  readonly claimMs: number;
  /** Ms that members have to prove what they claimed. Default 15,000. */
  readonly evidenceMs: number;
}

export interface HearingParts {
  readonly name: Uint8Array;
  readonly docket: Docket;
  readonly rules: PaidRules;
  readonly verifier: Verifier;
  readonly times: PaidTimes;
  readonly now: () => number;
  /** Where disputes are heard. */
  readonly court: Court;
  /** Who must claim now. Undefined: nobody knows, since the server was restarted meanwhile. */
  readonly required: (() => readonly Reporter[]) | undefined;
  /** Asks a member for evidence. */
  readonly demand: (by: Reporter, number: number) => void;
  /** Settles a slot, once; resolves when it is on disk. */
  readonly settle: (slot: number, verdict: SpaceVerdict) => Promise<unknown>;
  /** More slots are settled: all of them, a bit each. */
  readonly onPaid: (slots: number) => void;
  readonly onVerdict: (verdict: Verdict) => void;
  readonly onError: (error: unknown, where: string) => void;
}

interface Told extends Outcome {
  readonly isDoubted: boolean;
  /** Trials that it was claimed in. Default 1. */
  readonly tries?: number;
}

interface Trial {
  readonly number: number;
  readonly sinceMs: number;
  readonly expected: readonly Reporter[];
  readonly asked: ReadonlySet<Reporter>;
  readonly parts: Map<Reporter, (Uint8Array | undefined)[]>;
  readonly evidence: Map<Reporter, Evidence | "nonsense">;
}

const RETRY_MS = 1000;
const DEMANDS = 256;
/** Trials in which a player may be silent about its own claim. */
const MOST_TRIES = 3;
const NOT_SIGNED = "no result is signed by all";

export class Hearing {
  #parts: HearingParts;
  /** By state: who claims what of it, and since when. */
  readonly #claims = new Map<number, { sinceMs: number; readonly told: Map<Reporter, Told> }>();
  readonly #claimsBy = new Map<Reporter, number>();
  /** Slots whose own player claims that they are decided. */
  #wanted = 0;
  readonly #denied = new Map<number, SpaceVerdict>();
  /** Settlements that are on their way or failed: when they may be tried again. */
  readonly #unsettled = new Map<number, { readonly verdict: SpaceVerdict; againMs: number }>();
  #paid = 0;
  #trial: Trial | undefined;
  #isJudging = false;
  #trials = 0;
  #quietMs: number;

  constructor(parts: HearingParts) {
    this.#parts = parts;
    this.#quietMs = parts.now();
  }

  /** Slots that are settled, a bit each. */
  get paid(): number {
    return this.#paid >>> 0;
  }

  /** Whether nothing is under way. */
  get isIdle(): boolean {
    return this.#claims.size === 0 && this.#trial === undefined && !this.#isJudging && this.#unsettled.size === 0;
  }

  /** When something last happened. */
  get quietMs(): number {
    return this.#quietMs;
  }

  /** Keys or accounts have changed. */
  renew(docket: Docket): void {
    this.#parts = { ...this.#parts, docket };
  }

  /** What a member claims of a state. At most one claim for each slot, and one more. */
  claim(by: Reporter, told: Told): void {
    const made = this.#claimsBy.get(by) ?? 0;
    const known = this.#claims.get(told.state);
    if (made > this.#parts.docket.slots || known?.told.has(by) || this.#denied.has(by as number)) return;
    this.#quietMs = this.#parts.now();
    this.#claimsBy.set(by, made + 1);
    if (typeof by === "number" && this.#worthOf(told).some(([slot]) => slot === by)) this.#wanted |= 1 << by;
    const claim = known ?? { sinceMs: this.#parts.now(), told: new Map<Reporter, Told>() };
    claim.told.set(by, told);
    this.#claims.set(told.state, claim);
  }

  /** A part of what a member was asked for. */
  part(by: Reporter, demand: number, part: number, parts: number, bytes: Uint8Array): void {
    const trial = this.#trial;
    if (trial?.number !== demand || !trial.asked.has(by) || trial.evidence.has(by)) return;
    if (parts < 1 || parts > MOST_EVIDENCE_PARTS || part >= parts) return;
    const list = trial.parts.get(by) ?? Array.from({ length: parts }, () => undefined as Uint8Array | undefined);
    if (list.length !== parts || list[part] !== undefined) return;
    list[part] = bytes;
    trial.parts.set(by, list);
    if (list.includes(undefined)) return;
    trial.parts.delete(by);
    trial.evidence.set(by, this.#read(list as Uint8Array[]));
  }

  /** What a member inside the server proves. */
  prove(by: Reporter, evidence: Evidence | undefined): void {
    if (evidence !== undefined) this.#trial?.evidence.set(by, evidence);
  }

  /** The fight is over: those who claimed goods and cannot get them are told so. */
  close(): void {
    const { accounts, slots } = this.#parts.docket;
    for (let slot = 0; slot < slots; slot++)
      if ((this.#wanted >>> slot) & 1 && !this.#isPaidOrDenied(slot))
        this.#settle(slot, { accepted: [], denied: [{ account: accounts[slot]!, reason: NOT_SIGNED }] });
  }

  round(): void {
    const nowMs = this.#parts.now();
    for (const [slot, { verdict: found, againMs }] of this.#unsettled) if (nowMs >= againMs) this.#settle(slot, found);
    if (this.#isJudging) return;
    if (this.#trial === undefined) this.#compare(nowMs);
    else if (this.#trial.evidence.size >= this.#trial.asked.size || this.#isOver(this.#trial, nowMs)) {
      this.#isJudging = true;
      this.#judge(this.#trial)
        .catch((error: unknown) => this.#parts.onError(error, "verdict"))
        .finally(() => {
          this.#isJudging = false;
          this.#trial = undefined;
          this.#parts.court.leave(this);
          this.#quietMs = this.#parts.now();
        });
    }
  }

  // ── claims ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Looks at the oldest state that is claimed, and pays it or doubts it. */
  #compare(nowMs: number): void {
    const state = Math.min(...this.#claims.keys());
    const claim = this.#claims.get(state);
    if (claim === undefined) return;
    const required = this.#parts.required?.().filter((by) => !this.#denied.has(by as number));
    const told = [...claim.told.values()];
    const [first] = told;
    const isSame = told.every((one) => !one.isDoubted && isSameOutcome(one, first!));
    const isWhole = required?.every((by) => claim.told.has(by)) ?? false;
    if (isWhole && isSame && required!.length > 0 && this.#isWorth(first!)) {
      this.#claims.delete(state);
      // What was missing may have come while this fight waited for its trial.
      this.#parts.court.leave(this);
      this.#carryOut({ outcome: first, faults: [], denied: [] });
    } else if (isWhole || nowMs - claim.sinceMs >= this.#parts.times.claimMs)
      this.#demand(nowMs, required ?? this.#everybody());
  }

  /** Asks for evidence, as soon as the court has a place. */
  #demand(nowMs: number, expected: readonly Reporter[]): void {
    if (!this.#parts.court.admit(this)) return;
    this.#trials = (this.#trials + 1) % DEMANDS;
    const claimants = [...this.#claims.values()].flatMap(({ told }) => [...told.keys()]);
    const asked = new Set([...expected, ...claimants]);
    const number = this.#trials;
    this.#trial = { number, sinceMs: nowMs, expected, asked, parts: new Map(), evidence: new Map() };
    for (const by of asked) this.#parts.demand(by, number);
  }

  /** All of the docket: what is known after a restart. */
  #everybody(): Reporter[] {
    const { accounts, observers } = this.#parts.docket;
    return [...accounts.keys(), ...observers];
  }

  #isOver({ sinceMs }: Trial, nowMs: number): boolean {
    return nowMs - sinceMs >= this.#parts.times.evidenceMs;
  }

  // ── verdicts ───────────────────────────────────────────────────────────────────────────────────────────────────

  async #judge({ expected, evidence }: Trial): Promise<void> {
    if (this.#parts.required === undefined && !this.#isEnough(evidence)) {
      for (const claim of this.#claims.values()) claim.sinceMs = this.#parts.now();
      return;
    }
    const claims = [...this.#claims];
    const reports: Report[] = claims.flatMap(([, { told }]) =>
      Array.from(told, ([by, { state, digest, result }]) => ({ by, outcome: { state, digest, result } })),
    );
    for (const [by, proof] of evidence) if (proof !== "nonsense") reports.push({ by, ...proof });
    const found = await verdict(this.#court(expected), reports);
    this.#parts.onVerdict(found);
    for (const [state, { told }] of claims) if (this.#claims.get(state)?.told === told) this.#claims.delete(state);
    this.#carryOut(found);
    for (const [, { told }] of claims) for (const [by, one] of told) this.#answer(by, one, evidence.has(by));
  }

  /**
   * Who claimed goods that a verdict did not reach, although its own log was heard, gets no better verdict: what all signed ends before. It is told so, and need not wait. Whoever was not heard in
   * time, on a busy machine, is asked again.
   */
  #answer(by: Reporter, told: Told, isHeard: boolean): void {
    if (typeof by !== "number" || this.#isPaidOrDenied(by) || !this.#worthOf(told).some(([slot]) => slot === by))
      return;
    const { tries = 1 } = told;
    if (isHeard || tries === MOST_TRIES) {
      const account = this.#parts.docket.accounts[by]!;
      this.#settle(by, { accepted: [], denied: [{ account, reason: NOT_SIGNED }] });
      return;
    }
    const claim = this.#claims.get(told.state) ?? { sinceMs: this.#parts.now(), told: new Map<Reporter, Told>() };
    claim.told.set(by, { ...told, tries: tries + 1 });
    this.#claims.set(told.state, claim);
  }

  /** After a restart nobody knows who was there to the end. An observer's word is enough; if there is none, that of most players. */
  #isEnough(evidence: Trial["evidence"]): boolean {
    const heard = [...evidence].filter(([, proof]) => proof !== "nonsense").map(([by]) => by);
    const players = this.#parts.docket.accounts.filter((account) => account !== "").length;
    return (
      heard.some((by) => typeof by === "string") || heard.filter((by) => typeof by === "number").length * 2 > players
    );
  }

  #court(expected: readonly Reporter[]): Parameters<typeof verdict>[0] {
    const { name, docket, rules, verifier, court } = this.#parts;
    const { slots, seed } = docket;
    const { inputBytes, hasLags = false, still = new Uint8Array(inputBytes) } = rules;
    const form = { slots, seed, data: bytesOf(docket.data) };
    const all = docket.keys.map((keys) => keys.map(bytesOf));
    const newest = all.map((keys) => keys.at(-1) ?? new Uint8Array(0));
    return {
      space: name,
      keys: newest,
      // Who came back with another key signed with both.
      verifier: {
        verify: async (key, statement, signature) => {
          const slot = newest.indexOf(key);
          for (const one of all[slot] ?? [key]) if (await verifier.verify(one, statement, signature)) return true;
          return false;
        },
      },
      inputBytes,
      hasLags,
      still,
      expected,
      fight: () => rules.fight(form),
      result: (fight, state) => worthOf(rules, fight, slots, state),
      pause: () => court.pause(),
    };
  }

  // ── payment ────────────────────────────────────────────────────────────────────────────────────────────────────

  #carryOut(found: Pick<Verdict, "outcome" | "denied" | "faults">): void {
    const { accounts, slots } = this.#parts.docket;
    const worth = found.outcome ? this.#worthOf(found.outcome) : [];
    const goods = new Map(worth);
    const { accepted, denied = [] } = verdictFor(found, accounts, () => accounts.map((_, slot) => goods.get(slot)));
    for (let slot = 0; slot < slots; slot++) {
      const mine = <One extends { readonly account: string }>(all: readonly One[]): One[] =>
        all.filter(({ account }) => account === accounts[slot]);
      const whole = { accepted: mine(accepted), denied: mine(denied) };
      if (found.denied.includes(slot)) this.#denied.set(slot, whole);
      const isDecided = goods.has(slot) || this.#denied.has(slot);
      if (isDecided && !this.#isPaidOrDenied(slot)) this.#settle(slot, this.#denied.get(slot) ?? whole);
    }
  }

  #settle(slot: number, found: SpaceVerdict): void {
    const { settle, onPaid, onError, now } = this.#parts;
    const entry = { verdict: found, againMs: Number.POSITIVE_INFINITY };
    this.#unsettled.set(slot, entry);
    settle(slot, found).then(
      () => {
        this.#unsettled.delete(slot);
        this.#paid |= 1 << slot;
        this.#quietMs = now();
        onPaid(this.paid);
      },
      (error: unknown) => {
        entry.againMs = now() + RETRY_MS;
        onError(error, "settlement");
      },
    );
  }

  #isPaidOrDenied(slot: number): boolean {
    return ((this.#paid >>> slot) & 1) === 1 || this.#unsettled.has(slot);
  }

  #worthOf({ result }: Outcome): NonNullable<ReturnType<typeof readWorth>> {
    return readWorth(result, this.#parts.docket.slots) ?? [];
  }

  #isWorth({ result }: Outcome): boolean {
    return readWorth(result, this.#parts.docket.slots) !== undefined;
  }

  #read(parts: readonly Uint8Array[]): Evidence | "nonsense" {
    const { docket, rules } = this.#parts;
    const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    try {
      const { inputBytes, hasLags = false } = rules;
      return decodeEvidence({ players: docket.slots, inputBytes, hasLags }, whole);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return "nonsense";
    }
  }
}

function isSameOutcome(a: Outcome, b: Outcome): boolean {
  return a.state === b.state && a.digest.join() === b.digest.join() && a.result.join() === b.result.join();
}
