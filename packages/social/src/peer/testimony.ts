/**
 * What a member of a paid fight tells the server: claims, as soon as somebody's goods are decided, and the signed inputs, if the server demands them. Claims are kept until the server
 * says that they are paid, so they can be told again after the server was restarted.
 */

import type { Client } from "@nearfield/client";
import type { Report, SignedLog, Signer, Verifier } from "@nearfield/rollback/trust";
import { encodeEvidence } from "../paid/evidence.ts";
import type { PaidRules } from "../paid/rules.ts";
import { type Claim, Witness } from "../paid/witness.ts";
import {
  EVIDENCE_PART_BYTES,
  MOST_EVIDENCE_PARTS,
  SpaceClaim,
  SpaceDemand,
  SpaceEvidence,
  SpacePaid,
} from "../spaces/messages.ts";
import type { Invitation } from "./invitation.ts";

/** How a member takes part in a fight that is paid. */
export interface PaidMember {
  /** The same on all machines, the server's among them. */
  readonly rules: PaidRules;
  /** `ed25519(crypto.subtle)` of @nearfield/rollback/trust. */
  readonly verifier: Verifier;
  /** The own key, whose public half `tellKey` told the server. Observers have none. */
  readonly signer?: Signer;
}

/** What a session or an observer can prove. */
export interface Proof {
  readonly log: SignedLog;
  readonly omissions: NonNullable<Report["omissions"]>;
  /** Whether it knows of something that does not fit. */
  readonly isDoubted: boolean;
}

const PARTS_PER_FRAME = 2;

export class Testimony {
  readonly witness: Witness;
  readonly #invitation: Invitation;
  readonly #rules: PaidRules;
  readonly #proof: () => Proof | undefined;
  readonly #offs: (() => void)[] = [];
  #client: Client | undefined;
  #claims: Claim[] = [];
  #demand = 0;
  #parts: Uint8Array[] = [];
  #sent = 0;

  constructor(invitation: Invitation, rules: PaidRules, proof: () => Proof | undefined) {
    this.#invitation = invitation;
    this.#rules = rules;
    this.#proof = proof;
    this.witness = new Witness(rules, invitation, (claim) => {
      this.#claims.push(claim);
      this.#tell(claim);
    });
  }

  /** Claims that the server has not paid yet. */
  get open(): number {
    return this.#claims.length;
  }

  /** Tells the server over this connection from now on, beginning with what is not paid yet. */
  over(client: Client): void {
    this.end();
    this.#client = client;
    this.#offs.push(
      client.onEvent(SpaceDemand, ({ name, demand }) => {
        if (this.#isOurs(name)) this.#prepare(demand);
      }),
      client.onEvent(SpacePaid, ({ name, slots }) => {
        if (this.#isOurs(name)) this.#claims = this.#claims.filter((claim) => (claim.slots & ~slots) !== 0);
      }),
      client.activity(() => this.#send()),
    );
    for (const claim of this.#claims) this.#tell(claim);
  }

  /** Tells nothing any more. */
  end(): void {
    for (const off of this.#offs.splice(0)) off();
  }

  #tell({ state, digest, result: worth }: Claim): void {
    if (this.#client === undefined || this.#client.state === "ended") return;
    const isDoubted = this.#proof()?.isDoubted ?? false;
    this.#client.send(SpaceClaim, { name: this.#invitation.name, state, digest, worth, isDoubted });
  }

  #prepare(demand: number): void {
    const proof = this.#proof();
    const { outcome } = this.witness;
    if (proof === undefined || outcome === undefined) return;
    const { inputBytes, hasLags = false } = this.#rules;
    const form = { players: this.#invitation.slots, inputBytes, hasLags };
    const bytes = encodeEvidence(form, { outcome, omissions: proof.omissions, log: proof.log });
    const parts = Math.ceil(bytes.length / EVIDENCE_PART_BYTES);
    this.#demand = demand;
    this.#sent = 0;
    // A fight that is too long to be told is not told.
    this.#parts = Array.from({ length: parts > MOST_EVIDENCE_PARTS ? 0 : parts }, (_, part) =>
      bytes.slice(part * EVIDENCE_PART_BYTES, (part + 1) * EVIDENCE_PART_BYTES),
    );
  }

  #send(): void {
    const { name } = this.#invitation;
    const parts = this.#parts.length;
    if (this.#client?.state !== "active") return;
    const until = Math.min(parts, this.#sent + PARTS_PER_FRAME);
    for (; this.#sent < until; this.#sent++)
      this.#client.send(SpaceEvidence, {
        name,
        demand: this.#demand,
        part: this.#sent,
        parts,
        bytes: this.#parts[this.#sent]!,
      });
  }

  #isOurs(name: Uint8Array): boolean {
    return name.join() === this.#invitation.name.join();
  }
}
