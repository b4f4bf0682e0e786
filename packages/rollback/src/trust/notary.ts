/**
 * One machine's part in what is signed: it makes the own seals, judges those of others, and keeps the signed log. A player's inputs count as final only under a valid seal
 * (`Timeline.promise`), so no final state rests on an input that its player could deny.
 *
 *   own inputs → seal; rows and seals that came → verify → promise; final states → heads and digests → compare with the seals of others
 *
 * An observer has a notary too, which makes no seals.
 */

import { RollbackError } from "../errors.ts";
import type { MessageForm, Rows, SignedRows } from "../session/peer-message.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { KEY_BYTES, type Signer, type Verifier, whenThere } from "./keys.ts";
import {
  DIGEST_BYTES,
  firstHead,
  inputsDigest,
  isSameBytes,
  nextHead,
  SEAL_STEPS,
  type Seal,
  SPACE_BYTES,
  stateDigest,
  statementOf,
} from "./seal.ts";
import { LOG_STEPS, type SignedLog } from "./signed-log.ts";

export interface SealOptions {
  /** 16 bytes that name this fight and no other; from the server. */
  readonly space: Uint8Array;
  /** Every player's public key, from the server; empty while nobody plays there. Whoever owns the list may change it when a seat has a new holder. */
  readonly keys: readonly Uint8Array[];
  /** The own player's; an observer has none. */
  readonly signer?: Signer;
  readonly verifier: Verifier;
  /** Steps between two seals; 8. More cost fewer bytes, and a forger is found later. All must have the same. */
  readonly sealSteps?: number;
}

/** Another player's seal does not agree with what this machine knows. */
export interface Dispute {
  readonly player: number;
  readonly state: number;
  readonly why: DisputeReason;
  readonly seal: Seal;
}

export type DisputeReason =
  /** It is not signed by that player, or under other inputs than that player sent here. */
  | "bad-signature"
  /** That player vouches for other inputs of somebody: one of both was lied to, or lies. */
  | "other-inputs"
  /** The same inputs, and another state: that player forges, or this machine does. */
  | "other-state";

/** Where the chains stand at a checkpoint, and the rows since: for a newcomer. */
export interface ChainHeads {
  readonly state: number;
  readonly heads: readonly Uint8Array[];
  /** By player: the rows from that state to the snapshot's. */
  readonly since: readonly (readonly Uint8Array[])[];
}

/** The session, or the observer, that has a notary. */
export interface NotaryHost {
  /** Signed rows are to take the place of those that their player sent without a seal. */
  take(rows: Rows): void;
  /** All rows of the player before this step are signed now. */
  signed(player: number, through: number): void;
}

interface View {
  readonly digest: Uint8Array;
  readonly inputs: Uint8Array;
}

interface Pending {
  readonly seal: Seal;
  /** Rows that another player relayed with it. */
  readonly relayed: Rows | undefined;
}

/** Checkpoints that are kept for seals that come late. */
const VIEWS = 64;
/** Seals of one player that may wait: for rows, or until this machine has the state that they vouch for. The oldest falls out. */
const WAITING = 4;

export class Notary {
  readonly sealSteps: number;
  readonly #timeline: Timeline;
  readonly #form: MessageForm;
  readonly #options: SealOptions;
  readonly #own: number | undefined;
  readonly #host: NotaryHost;
  /** The newest final checkpoint. */
  #final: number;
  /** By player: the head at that checkpoint. */
  #heads: readonly Uint8Array[];
  readonly #views = new Map<number, View>();
  readonly #seals: (Seal | undefined)[];
  readonly #pending: Pending[][];
  readonly #vouched: Seal[][];
  /** Players whose own word is no longer taken: what this peer told of them must stay true. */
  readonly #frozen = new Set<number>();
  /** By player who was voted out: the step of the vote, and what it had signed beyond that, under the seal of then. Its seal does not fit the log without these rows. */
  readonly #beyond = new Map<number, { readonly step: number; readonly rows: readonly Uint8Array[] }>();
  /** By player: until this step it stood still, and there was nothing to sign. */
  readonly #stillTo: number[];
  readonly #disputes: Dispute[] = [];
  readonly #first: number;
  /** By player, from `#first` on. */
  readonly #rows: Uint8Array[][];
  /** Rows before the timeline's first step. */
  readonly #since: ChainHeads | undefined;

  constructor(
    timeline: Timeline,
    form: MessageForm,
    options: SealOptions,
    own: number | undefined,
    host: NotaryHost,
    since?: ChainHeads,
  ) {
    const { space, keys, sealSteps = SEAL_STEPS } = options;
    check(options, form.players, own);
    this.sealSteps = sealSteps;
    this.#timeline = timeline;
    this.#form = form;
    this.#options = options;
    this.#own = own;
    this.#host = host;
    this.#since = since;
    this.#final = since?.state ?? 0;
    this.#first = this.#final;
    this.#heads = since?.heads ?? keys.map((_, player) => firstHead(space, player));
    this.#seals = keys.map(() => undefined);
    this.#stillTo = keys.map(() => timeline.settings.from);
    this.#pending = keys.map(() => []);
    this.#vouched = keys.map(() => []);
    this.#rows = keys.map((_, player) => [...(since?.since[player] ?? [])]);
  }

  /** What others vouch for and this machine has otherwise, as found so far. */
  get disputes(): readonly Dispute[] {
    return this.#disputes;
  }

  /** All inputs of the player before this step are signed, or known to be none. */
  sealedOf(player: number): number {
    return Math.max(this.#seals[player]?.through ?? 0, this.#stillTo[player]!);
  }

  /** The newest valid seal of a player. */
  sealOf(player: number): Seal | undefined {
    return this.#seals[player];
  }

  /** Own inputs before `next` are in the timeline. */
  act(next: number): void {
    const { signer, space } = this.#options;
    if (next % this.sealSteps !== 0 || next <= this.#first || !signer) return;
    const player = this.#own!;
    const head = this.#headAt(player, next, undefined);
    if (!head) return;
    const none = new Uint8Array(DIGEST_BYTES);
    const view = this.#views.get(this.#final);
    const state = view ? this.#final : 0;
    const told = { player, through: next, state, digest: view?.digest ?? none, inputs: view?.inputs ?? none };
    // A host that cannot sign now is made up for by the next seal.
    whenThere(
      signer.sign(statementOf(space, told, head)),
      (signature) => this.#accept({ ...told, signature }),
      () => {},
    );
  }

  /** A seal that a player sent, or that another relayed with rows that nobody has looked at yet. */
  hear(seal: Seal, relayed?: Rows): void {
    const { player, through } = seal;
    if (player === this.#own || through % this.sealSteps !== 0 || through <= this.sealedOf(player)) return;
    if (!relayed && this.#frozen.has(player)) return;
    const pending = this.#pending[player]!;
    if (pending.some((known) => known.seal.through === through && !relayed)) return;
    pending.push({ seal, relayed });
    if (pending.length > WAITING) pending.shift();
    this.recheck(player);
  }

  /** Rows of a player came: seals that waited for them can be judged. */
  recheck(player: number): void {
    const pending = this.#pending[player]!;
    for (let at = pending.length - 1; at >= 0; at--) {
      const claim = pending[at]!;
      const head = this.#headAt(player, claim.seal.through, claim.relayed);
      const key = this.#options.keys[player]!;
      if (!head || key.length === 0) continue;
      pending.splice(at, 1);
      const { space, verifier } = this.#options;
      const statement = statementOf(space, claim.seal, head);
      const refuse = () => this.#refuse(claim);
      whenThere(
        verifier.verify(key, statement, claim.seal.signature),
        (isGood) => (isGood ? this.#admit(claim) : refuse()),
        refuse,
      );
    }
  }

  /** From now on only relayed rows of the player are taken, as its vote needs. */
  freeze(player: number): void {
    this.#frozen.add(player);
  }

  /** The player is about to be gone from a step on, whatever more it signed. */
  cut(player: number, step: number): void {
    const rows: Uint8Array[] = [];
    for (let at = step; at < this.sealedOf(player); at++) rows.push(this.#rowAt(player, at, undefined)!);
    this.#beyond.set(player, { step, rows });
  }

  /** The player is back from a step on, and stood still until then. */
  welcome(player: number, step: number): void {
    this.#frozen.delete(player);
    this.#pending[player]!.length = 0;
    this.#stillTo[player] = step;
    this.#timeline.promise(player, step);
  }

  /** A state is final: in order, every one. */
  settle(state: number, saved: Uint8Array): void {
    this.#rows.forEach((rows, player) => {
      if (rows.length < LOG_STEPS) rows.push(this.#timeline.finalRowOf(player, state - 1, this.#form.hasLags));
    });
    if (state % this.sealSteps !== 0) return;
    this.#heads = this.#heads.map((head, player) => nextHead(head, this.#batch(player, this.#final, undefined)!));
    this.#final = state;
    this.#views.set(state, { digest: stateDigest(saved), inputs: inputsDigest(this.#heads) });
    this.#views.delete(state - VIEWS * this.sealSteps);
    for (const vouched of this.#vouched)
      for (const seal of vouched.splice(0)) if (seal.state >= state) this.#compare(seal);
  }

  /** What a newcomer needs to go on with the chains. */
  chainHeads(): ChainHeads {
    const { tail } = this.#timeline;
    const since = this.#heads.map((_, player) => {
      const rows: Uint8Array[] = [];
      for (let step = this.#final; step < tail; step++) rows.push(this.#rowAt(player, step, undefined)!);
      return rows;
    });
    return { state: this.#final, heads: this.#heads, since };
  }

  /** All that is signed so far. */
  log(gone: ReadonlyMap<number, number>): SignedLog {
    const players = this.#rows.map((kept, player): SignedRows => {
      const seal = this.#seals[player];
      const beyond = this.#beyond.get(player);
      const rows: Uint8Array[] = [];
      for (let step = this.#first; step < (seal?.through ?? 0); step++) {
        const row =
          beyond?.rows[step - beyond.step] ??
          kept[step - this.#first] ??
          this.#timeline.rowOf(player, step, this.#form.hasLags);
        if (!row) return { player, first: this.#first, rows: [], seal: undefined };
        rows.push(row);
      }
      return { player, first: this.#first, rows, seal };
    });
    const disputed = new Map<number, Seal>();
    for (const { player, why, seal } of this.#disputes)
      if (why !== "bad-signature" && !disputed.has(player)) disputed.set(player, seal);
    return { space: this.#options.space, players, disputed: [...disputed.values()], gone: new Map(gone) };
  }

  #accept(seal: Seal): void {
    const { player, through } = seal;
    if (through <= this.sealedOf(player)) return;
    const beyond = this.#beyond.get(player);
    // Signed before the vote and verified after it. Who is back signs for later steps.
    if (beyond && this.#stillTo[player]! <= beyond.step) return;
    this.#beyond.delete(player);
    this.#seals[player] = seal;
    this.#timeline.promise(player, through);
    this.#host.signed(player, through);
  }

  #admit({ seal, relayed }: Pending): void {
    if (!relayed && this.#frozen.has(seal.player)) return;
    if (relayed && seal.through > this.sealedOf(seal.player)) this.#replace(relayed);
    this.#accept(seal);
    if (seal.state > 0) this.#compare(seal);
  }

  /** Signed rows take the place of those that the player told this machine without a seal. */
  #replace({ player, first, rows }: Rows): void {
    const sealed = this.sealedOf(player);
    for (let step = sealed; step < this.#timeline.throughOf(player); step++) this.#timeline.withdraw(player, step);
    if (sealed >= first) this.#host.take({ player, first: sealed, rows: rows.slice(sealed - first) });
  }

  #refuse({ seal, relayed }: Pending): void {
    // Who relays nonsense is not the player whose seal it is said to be.
    if (!relayed) this.#dispute("bad-signature", seal);
  }

  #compare(seal: Seal): void {
    // Who was voted out went on alone.
    if (seal.state > (this.#beyond.get(seal.player)?.step ?? seal.state)) return;
    if (seal.state > this.#final) {
      const vouched = this.#vouched[seal.player]!;
      vouched.push(seal);
      if (vouched.length > WAITING) vouched.shift();
      return;
    }
    const view = this.#views.get(seal.state);
    if (!view) return;
    if (!isSameBytes(view.inputs, seal.inputs)) this.#dispute("other-inputs", seal);
    else if (!isSameBytes(view.digest, seal.digest)) this.#dispute("other-state", seal);
  }

  #dispute(why: DisputeReason, seal: Seal): void {
    const { player, state } = seal;
    if (!this.#disputes.some((known) => known.player === player && known.why === why))
      this.#disputes.push({ player, state, why, seal });
  }

  /** The head of a player's chain at a step; undefined while rows are missing. */
  #headAt(player: number, step: number, relayed: Rows | undefined): Uint8Array | undefined {
    let head = this.#heads[player]!;
    for (let at = this.#final; at < step; at += this.sealSteps) {
      const rows = this.#batch(player, at, relayed);
      if (!rows) return undefined;
      head = nextHead(head, rows);
    }
    return head;
  }

  #batch(player: number, from: number, relayed: Rows | undefined): Uint8Array[] | undefined {
    const rows: Uint8Array[] = [];
    for (let step = from; step < from + this.sealSteps; step++) {
      const row = this.#rowAt(player, step, relayed);
      if (!row) return undefined;
      rows.push(row);
    }
    return rows;
  }

  #rowAt(player: number, step: number, relayed: Rows | undefined): Uint8Array | undefined {
    const early = this.#since?.since[player]?.[step - this.#since.state];
    if (early) return early;
    if (relayed && step >= this.sealedOf(player) && step >= relayed.first) return relayed.rows[step - relayed.first];
    const { hasLags } = this.#form;
    return step < this.#timeline.tail
      ? this.#timeline.finalRowOf(player, step, hasLags)
      : this.#timeline.rowOf(player, step, hasLags);
  }
}

function check({ space, keys, signer, sealSteps = SEAL_STEPS }: SealOptions, players: number, own?: number): void {
  const bad = (text: string) => new RollbackError("bad-option", text);
  if (space.length !== SPACE_BYTES) throw bad(`space must have ${SPACE_BYTES} bytes, not ${space.length}`);
  if (keys.length !== players) throw bad(`keys must be those of ${players} players, not of ${keys.length}`);
  if (keys.some(({ length }) => length !== KEY_BYTES && length !== 0))
    throw bad(`every key must have ${KEY_BYTES} bytes, or none where nobody plays`);
  if (own !== undefined && !(signer && isSameBytes(signer.publicKey, keys[own]!)))
    throw bad(`signer must be that of player ${own}, whose key is in keys`);
  if (!(Number.isInteger(sealSteps) && sealSteps > 0)) throw bad(`sealSteps must be a whole number above 0`);
}
