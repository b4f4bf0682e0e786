/**
 * Who signs and who verifies. Both may answer at once or with a promise: browsers sign in the background, tests at once.
 *
 * `ed25519` makes them of a host's WebCrypto: `ed25519(crypto.subtle)`. Node has Ed25519 there since 18.4, Chromium since 137, Firefox since 129, Safari since 17.
 */

export type Soon<T> = T | PromiseLike<T>;

export interface Signer {
  /** 32 bytes. The server learns it before the fight and tells it to all. */
  readonly publicKey: Uint8Array;
  /** 64 bytes. */
  sign(statement: Uint8Array): Soon<Uint8Array>;
}

export interface Verifier {
  verify(publicKey: Uint8Array, statement: Uint8Array, signature: Uint8Array): Soon<boolean>;
}

export const KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;
/** Keys that are kept ready: those of eight fights of 32 players. */
const MOST_IMPORTED = 256;

/** What is used of `crypto.subtle`; a key is whatever the host takes for one. */
export interface HostCrypto<Key> {
  generateKey(algorithm: "Ed25519", extractable: boolean, usages: ("sign" | "verify")[]): Promise<unknown>;
  exportKey(format: "raw", key: Key): Promise<ArrayBuffer>;
  importKey(
    format: "raw",
    bytes: Uint8Array<ArrayBuffer>,
    algorithm: "Ed25519",
    extractable: boolean,
    usages: "verify"[],
  ): Promise<Key>;
  sign(algorithm: "Ed25519", key: Key, bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>;
  verify(
    algorithm: "Ed25519",
    key: Key,
    signature: Uint8Array<ArrayBuffer>,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<boolean>;
}

export interface Ed25519 extends Verifier {
  /** A new pair of keys; the private one cannot be read out. It is meant for one fight. */
  createSigner(): Promise<Signer>;
}

export function ed25519<Key>(subtle: HostCrypto<Key>): Ed25519 {
  /** By the key's bytes, oldest first. A server meets new keys for as long as it runs. */
  const imported = new Map<string, Promise<Key>>();
  const keyOf = (bytes: Uint8Array): Promise<Key> => {
    const name = bytes.join();
    let key = imported.get(name);
    if (!key) {
      key = subtle.importKey("raw", bytes.slice(), "Ed25519", false, ["verify"]);
      imported.set(name, key);
      if (imported.size > MOST_IMPORTED) imported.delete(imported.keys().next().value!);
    }
    return key;
  };
  return {
    async createSigner() {
      const pair = (await subtle.generateKey("Ed25519", false, ["sign", "verify"])) as {
        readonly publicKey: Key;
        readonly privateKey: Key;
      };
      const publicKey = new Uint8Array(await subtle.exportKey("raw", pair.publicKey));
      const sign = async (statement: Uint8Array) =>
        new Uint8Array(await subtle.sign("Ed25519", pair.privateKey, statement.slice()));
      return { publicKey, sign };
    },
    async verify(publicKey, statement, signature) {
      if (publicKey.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
      try {
        return await subtle.verify("Ed25519", await keyOf(publicKey), signature.slice(), statement.slice());
      } catch {
        return false;
      }
    },
  };
}

/** Goes on when the answer is there: at once, if it was given at once. A host that fails answers nothing. */
export function whenThere<T>(answer: Soon<T>, then: (value: T) => void, failed: () => void): void {
  if (typeof answer === "object" && answer !== null && "then" in answer) answer.then(then, failed);
  else then(answer as T);
}
