/**
 * What reports prove: logs whose signatures are good, the one chain of each player that they agree upon, and players who signed two. Nothing here trusts the one who
 * reported: a log that its players did not sign is a fault of whoever handed it in.
 */

import type { MessageForm } from "../session/peer-message.ts";
import type { Verifier } from "./keys.ts";
import { firstHead, headAfter, isSameBytes, nextHead, type Seal, statementOf } from "./seal.ts";
import type { SignedLog } from "./signed-log.ts";

/** A player by its number, or an observer by its name. */
export type Reporter = number | string;

/** A part of a player's chain that its signature stands under: from a head over some rows to a seal. */
export interface SignedPart {
  readonly head: Uint8Array;
  /** Rows from the checkpoint of that head to the seal. */
  readonly rows: readonly Uint8Array[];
  readonly seal: Seal;
}

/** Two signed parts of one player's chain with different heads at the same checkpoint: it told different players different inputs. */
export interface Equivocation {
  readonly player: number;
  readonly state: number;
  readonly parts: readonly [SignedPart, SignedPart];
}

/** One player's chain in one log. */
export interface Chain {
  readonly by: Reporter;
  readonly rows: readonly Uint8Array[];
  /** By checkpoint, from state 0 on. */
  readonly heads: readonly Uint8Array[];
  readonly seal: Seal;
}

/** What it takes to judge a signature. */
export interface Signatures {
  readonly space: Uint8Array;
  /** Every player's public key. */
  readonly keys: readonly Uint8Array[];
  readonly verifier: Verifier;
  readonly sealSteps?: number;
}

export interface Court extends Signatures {
  readonly form: MessageForm;
  readonly sealSteps: number;
}

/** The chains of a log by player; undefined where a player signed nothing. `"unsigned"`: it holds inputs that their player did not sign. */
export async function chainsOf(
  court: Court,
  by: Reporter,
  { players }: SignedLog,
): Promise<(Chain | undefined)[] | "unsigned"> {
  const chains: (Chain | undefined)[] = [];
  for (let player = 0; player < court.form.players; player++) {
    const { rows, seal, first } = players[player]!;
    if (!seal) {
      chains.push(undefined);
      continue;
    }
    if (first !== 0 || seal.through !== rows.length || rows.length % court.sealSteps !== 0) return "unsigned";
    const heads = headsOf(court, player, rows);
    if (!(await isSigned(court, seal, heads.at(-1)!))) return "unsigned";
    chains.push({ by, rows, heads, seal });
  }
  return chains;
}

/** The heads of a player's chain at every checkpoint. */
export function headsOf(court: Court, player: number, rows: readonly Uint8Array[]): Uint8Array[] {
  const heads = [firstHead(court.space, player)];
  for (let at = 0; at + court.sealSteps <= rows.length; at += court.sealSteps)
    heads.push(nextHead(heads.at(-1)!, rows.slice(at, at + court.sealSteps)));
  return heads;
}

/** Whether a seal is its player's, under the chain with this head. */
export async function isSigned(court: Signatures, seal: Seal, head: Uint8Array): Promise<boolean> {
  return court.verifier.verify(court.keys[seal.player]!, statementOf(court.space, seal, head), seal.signature);
}

/** The first checkpoint at which two chains of one player part. */
export function equivocationOf(court: Court, a: Chain, b: Chain): Equivocation | undefined {
  const common = Math.min(a.heads.length, b.heads.length);
  for (let at = 1; at < common; at++) {
    if (isSameBytes(a.heads[at]!, b.heads[at]!)) continue;
    const state = at * court.sealSteps;
    const part = ({ heads, rows, seal }: Chain): SignedPart => ({ head: heads[at]!, rows: rows.slice(state), seal });
    return { player: a.seal.player, state, parts: [part(a), part(b)] };
  }
  return undefined;
}

/** Checks a proof by itself: both parts are signed by the player, and they differ. */
export async function isEquivocation(court: Signatures, { player, state, parts }: Equivocation): Promise<boolean> {
  if (isSameBytes(parts[0].head, parts[1].head)) return false;
  for (const { head, rows, seal } of parts) {
    if (seal.player !== player || seal.through !== state + rows.length) return false;
    if (!(await isSigned(court, seal, headAfter(head, rows, court.sealSteps)))) return false;
  }
  return true;
}
