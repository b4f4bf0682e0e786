/**
 * Keys for peers on virtual time: a signature is a hash under a secret, and whoever verifies asks the one who keeps all secrets. It is as hard to forge as
 * the secret is to guess, answers at once, and is the same in every run.
 */

import { type Signer, sha256, type Verifier } from "@nearfield/rollback/internal";
import { Dice, type Seed } from "../dice.ts";

export class LabKeys implements Verifier {
  readonly signers: readonly Signer[];
  readonly #secrets = new Map<string, Uint8Array>();

  constructor(seed: Seed, players: number) {
    const dice = new Dice(seed).fork("keys");
    this.signers = Array.from({ length: players }, () => {
      const secret = Uint8Array.from({ length: 32 }, () => dice.int(256));
      const publicKey = sha256(secret);
      this.#secrets.set(publicKey.join(), secret);
      return { publicKey, sign: (statement) => signatureOf(secret, statement) };
    });
  }

  get publicKeys(): Uint8Array[] {
    return this.signers.map(({ publicKey }) => publicKey);
  }

  verify(publicKey: Uint8Array, statement: Uint8Array, signature: Uint8Array): boolean {
    const secret = this.#secrets.get(publicKey.join());
    return secret !== undefined && signatureOf(secret, statement).join() === signature.join();
  }
}

function signatureOf(secret: Uint8Array, statement: Uint8Array): Uint8Array {
  const signature = new Uint8Array(64);
  signature.set(sha256(Uint8Array.of(...secret, ...statement)));
  return signature;
}
