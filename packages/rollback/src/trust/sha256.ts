/**
 * SHA-256 (FIPS 180-4). Hosts have it, but as a promise, or only in Node; a fight hashes inputs in the middle of a tick, and on every host alike.
 */

const ROUND = words(64, 3);
const START = words(8, 2);
const BLOCK = 64;

export const HASH_BYTES = 32;

export function sha256(bytes: Uint8Array): Uint8Array {
  const state = START.slice();
  const schedule = new Int32Array(64);
  const whole = bytes.length - (bytes.length % BLOCK);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < whole; at += BLOCK) mix(state, view, at, schedule);
  mixEnd(state, bytes, whole, schedule);
  const hash = new Uint8Array(HASH_BYTES);
  const into = new DataView(hash.buffer);
  state.forEach((word, at) => {
    into.setInt32(at * 4, word);
  });
  return hash;
}

/** What is left after the whole blocks, a bit, zeros and the length. */
function mixEnd(state: Int32Array, bytes: Uint8Array, whole: number, schedule: Int32Array): void {
  const left = bytes.length - whole;
  const end = new Uint8Array(left < BLOCK - 8 ? BLOCK : 2 * BLOCK);
  end.set(bytes.subarray(whole));
  end[left] = 0x80;
  const view = new DataView(end.buffer);
  view.setUint32(end.length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(end.length - 4, (bytes.length << 3) >>> 0);
  for (let at = 0; at < end.length; at += BLOCK) mix(state, view, at, schedule);
}

function mix(state: Int32Array, view: DataView, at: number, w: Int32Array): void {
  for (let t = 0; t < 16; t++) w[t] = view.getInt32(at + t * 4);
  for (let t = 16; t < 64; t++) {
    const x = w[t - 15]!;
    const y = w[t - 2]!;
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    w[t] = (w[t - 16]! + s0 + w[t - 7]! + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let t = 0; t < 64; t++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[t]! + w[t]!) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => {
    state[at] = (state[at]! + word) | 0;
  });
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** For each of the first primes, the first 32 bits behind the point of its square or cube root. */
function words(count: number, power: 2 | 3): Int32Array {
  const all = new Int32Array(count);
  let prime = 2;
  for (let at = 0; at < count; prime++) if (isPrime(prime)) all[at++] = rootBits(BigInt(prime), power);
  return all;
}

function isPrime(number: number): boolean {
  for (let by = 2; by * by <= number; by++) if (number % by === 0) return false;
  return true;
}

/** The largest whole r with r^power ≤ prime · 2^(32 · power), without its whole part. */
function rootBits(prime: bigint, power: 2 | 3): number {
  const target = prime << BigInt(32 * power);
  let root = 0n;
  for (let bit = 1n << 37n; bit > 0n; bit >>= 1n) {
    const next = root | bit;
    if ((power === 2 ? next * next : next * next * next) <= target) root = next;
  }
  return Number(root & 0xffff_ffffn) | 0;
}
