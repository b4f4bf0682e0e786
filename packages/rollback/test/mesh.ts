/**
 * A full mesh of replicas on virtual time: every peer sends in each tick all inputs that the other has not acknowledged, over a link that delays and loses.
 * All dice are seeded, so a seed replays to the last byte.
 */

import {
  checksumOf,
  EVERYBODY,
  PeerSession,
  type PeerSessionOptions,
  Replica,
  type Timeline,
  type TimelineSettings,
} from "@nearfield/rollback";
import { Pods, Press } from "./pods.ts";

export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_769) >>> 0 || 1;
  }

  /** 0 ≤ … < 1. */
  next(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) / 0x1_0000_0000;
  }

  between(least: number, most: number): number {
    return least + (most - least) * this.next();
  }
}

export interface MeshOptions {
  readonly seed: number;
  readonly peers: number;
  readonly steps: number;
  /** Ms between two steps. */
  readonly stepMs?: number;
  /** One-way delay from one peer to another, ms. */
  readonly delayMs: (from: number, to: number, dice: Dice) => number;
  readonly loss?: number;
  readonly settings?: Partial<TimelineSettings>;
  readonly session?: Partial<PeerSessionOptions>;
  /** What befalls the peers before a tick. */
  readonly story?: (tick: number, peers: readonly Peer[]) => void;
  /** Side of the square in which the pods begin. */
  readonly spread?: number;
  /** Chance that a pod changes what it does in a step. */
  readonly changes?: number;
}

interface Packet {
  readonly atMs: number;
  readonly from: number;
  readonly bytes: Uint8Array;
}

export class Peer {
  readonly session: PeerSession;
  readonly replica: Replica;
  readonly checksums: number[] = [];
  readonly inputs: number[] = [];
  inbox: Packet[] = [];
  /** Whether its machine is asleep. */
  isAsleep = false;
  /** Steps of all kinds in the busiest tick, and the sum of all. */
  busiest = 0;
  steps = 0;
  bytes = 0;

  constructor(own: number, { peers, spread, stepMs = 50, settings, session }: MeshOptions) {
    this.session = new PeerSession({
      players: peers,
      inputBytes: 1,
      own,
      stepMs,
      startMs: 0,
      stallMs: 60_000,
      ...settings,
      ...session,
    });
    const { timeline } = this.session;
    this.replica = new Replica(timeline, new Pods(peers, spread), (state, checksum) => {
      this.checksums[state] = checksum();
      this.session.settled(state, checksum);
    });
  }

  play(own: number, nowMs: number, input: Uint8Array): void {
    const { timeline } = this.session;
    const before = total(timeline);
    this.replica.carryOut(this.session.tick(nowMs, input));
    this.steps = total(timeline);
    this.busiest = Math.max(this.busiest, this.steps - before);
    for (let row = this.#rowOf(own); row; row = this.#rowOf(own)) this.inputs.push(row[0]!);
  }

  #rowOf(own: number): Uint8Array | undefined {
    const { timeline } = this.session;
    return timeline.rowOf(own, timeline.settings.lag + this.inputs.length, false);
  }
}

/** Runs a session to its end, and on until all inputs have arrived everywhere. */
export function playMesh(options: MeshOptions): Peer[] {
  const { seed, peers: count, steps, stepMs = 50, delayMs, loss = 0, changes = 0.1 } = options;
  const dice = new Dice(seed);
  const peers = Array.from({ length: count }, (_, own) => new Peer(own, options));
  const pressed = new Uint8Array(count);
  const lag = options.settings?.lag ?? 0;
  for (let tick = 0; tick < steps * 12; tick++) {
    const nowMs = tick * stepMs;
    options.story?.(tick, peers);
    peers.forEach((peer, own) => {
      if (peer.isAsleep) return;
      const due = peer.inbox.filter(({ atMs }) => atMs <= nowMs);
      peer.inbox = peer.inbox.filter(({ atMs }) => atMs > nowMs);
      for (const { from, bytes } of due) peer.session.receive(from, bytes);
      if (dice.next() < changes) pressed[own] = pressedBy(dice);
      peer.play(own, Math.min(nowMs, (steps - 1) * stepMs) + stepMs, pressed.subarray(own, own + 1));
      peers.forEach((other, to) => {
        if (to === own) return;
        const bytes = peer.session.messageTo(to);
        peer.bytes += bytes.length;
        if (dice.next() >= loss) other.inbox.push({ atMs: nowMs + delayMs(own, to, dice), from: own, bytes });
      });
    });
    const awake = peers.filter((peer) => !peer.isAsleep);
    if (awake.every(({ session }) => session.timeline.tail >= steps && session.timeline.confirmed >= steps + lag))
      return peers;
  }
  throw new Error(
    `seed ${seed}: after ${steps * 12} ticks the tails are ${peers.map((peer) => peer.session.timeline.tail)}`,
  );
}

function total({ counts }: Timeline): number {
  return counts.optimistic + counts.conservative + counts.corrective;
}

function pressedBy(dice: Dice): number {
  const directions = [
    0,
    Press.left,
    Press.right,
    Press.up,
    Press.down,
    Press.left | Press.up,
    Press.right | Press.down,
  ];
  const way = directions[Math.floor(dice.next() * directions.length)]!;
  return dice.next() < 0.5 ? way | Press.fire : way;
}

/** The checksums that the inputs alone give, on a machine that knew all of them at once: no timeline is asked. */
export function replayed({ peers: count, steps, settings, spread }: MeshOptions, peers: readonly Peer[]): number[] {
  const pods = new Pods(count, spread);
  const lag = settings?.lag ?? 0;
  const gone = peers.find((peer) => !peer.isAsleep)!.session.gone;
  const saved = new Uint8Array(pods.state.byteLength);
  const row = new Uint8Array(1);
  const checksums: number[] = [];
  for (let step = 0; step < steps; step++) {
    const of = (player: number) => {
      row[0] = step < lag || step >= (gone.get(player) ?? Infinity) ? 0 : peers[player]!.inputs[step - lag]!;
      return row;
    };
    pods.advance(step, { of, lag: () => 0 }, EVERYBODY);
    pods.state.save(saved);
    checksums[step + 1] = checksumOf(saved);
  }
  return checksums;
}
