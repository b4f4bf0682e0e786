import { expect, test } from "vitest";
import { PeerSession } from "../session/peer-session.ts";
import { ed25519, type Signer } from "./keys.ts";

const keys = ed25519(crypto.subtle);

test("what a key signed is verified with that key, and with no other", async () => {
  const [one, other] = [await keys.createSigner(), await keys.createSigner()];
  const statement = Uint8Array.of(1, 2, 3);
  const signature = await one.sign(statement);
  expect([one.publicKey.length, signature.length]).toEqual([32, 64]);
  expect(await keys.verify(one.publicKey, statement, signature)).toBe(true);
  expect(await keys.verify(one.publicKey, Uint8Array.of(1, 2, 4), signature)).toBe(false);
  expect(await keys.verify(other.publicKey, statement, signature)).toBe(false);
});

test("bytes that are no key or no signature are refused, and nothing is thrown", async () => {
  const { publicKey } = await keys.createSigner();
  expect(await keys.verify(new Uint8Array(5), new Uint8Array(1), new Uint8Array(64))).toBe(false);
  expect(await keys.verify(publicKey, new Uint8Array(1), new Uint8Array(3))).toBe(false);
  expect(await keys.verify(new Uint8Array(32).fill(255), new Uint8Array(1), new Uint8Array(64))).toBe(false);
});

/** Two sessions that hand each other all messages in every tick. */
function pair(signers: readonly Signer[], publicKeys: readonly Uint8Array[]): PeerSession[] {
  const common = { players: 2, inputBytes: 1, stepMs: 50, startMs: 0 };
  return [0, 1].map((own) => {
    const seals = { space: new Uint8Array(16), keys: publicKeys, signer: signers[own]!, verifier: keys };
    return new PeerSession({ ...common, own, seals });
  });
}

async function play(sessions: readonly PeerSession[], ticks: number): Promise<void> {
  for (let tick = 1; tick <= ticks; tick++) {
    sessions.forEach((session, own) => {
      for (const { kind, step } of session.tick(tick * 50, Uint8Array.of(own + tick)))
        if (kind === "settle") session.settled(step, () => 0, new Uint8Array(8).fill(step));
    });
    for (const own of [0, 1]) sessions[1 - own]!.receive(own, sessions[own]!.messageTo(1 - own));
    // Signing and verifying go on in the background; a tick of a real game leaves time for it.
    await crypto.subtle.digest("SHA-256", new Uint8Array(1));
  }
}

test("sessions whose host signs in the background come to final states", async () => {
  const signers = [await keys.createSigner(), await keys.createSigner()];
  const sessions = pair(
    signers,
    signers.map(({ publicKey }) => publicKey),
  );
  await expect
    .poll(async () => {
      await play(sessions, 40);
      return sessions.map(({ timeline }) => timeline.tail >= 32);
    })
    .toEqual([true, true]);
  expect(sessions.flatMap(({ disputes }) => disputes)).toEqual([]);
});

test("a signer whose key is not the player's is refused", async () => {
  const signers = [await keys.createSigner(), await keys.createSigner()];
  const publicKeys = signers.map(({ publicKey }) => publicKey);
  expect(() => pair([...signers].reverse(), publicKeys)).toThrow("signer must be that of player 0");
  expect(() => pair(signers, publicKeys.slice(1))).toThrow("keys must be those of 2 players, not of 1");
});
