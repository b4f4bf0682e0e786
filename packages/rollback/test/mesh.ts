/**
 * A full mesh of replicas on virtual time: every peer sends in each tick all inputs that the other has not acknowledged, over a link that delays and loses.
 * All dice are seeded, so a seed replays to the last byte.
 */

import { checksumOf, EVERYBODY, Replica, Timeline, type TimelineSettings } from "@nearfield/rollback";
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
  /** Side of the square in which the pods begin. */
  readonly spread?: number;
  /** Chance that a pod changes what it does in a step. */
  readonly changes?: number;
}

interface Packet {
  readonly atMs: number;
  readonly from: number;
  readonly first: number;
  readonly inputs: readonly number[];
  /** What the sender has of the receiver. */
  readonly ack: number;
}

export class Peer {
  readonly replica: Replica;
  readonly checksums: number[] = [];
  readonly inputs: number[] = [];
  readonly acked: number[];
  inbox: Packet[] = [];
  /** Steps of all kinds in the busiest tick, and the sum of all. */
  busiest = 0;
  steps = 0;

  constructor(mesh: MeshOptions) {
    const timeline = new Timeline({ players: mesh.peers, inputBytes: 1, ...mesh.settings });
    this.replica = new Replica(timeline, new Pods(mesh.peers, mesh.spread), (state, checksum) => {
      this.checksums[state] = checksum();
    });
    this.acked = new Array(mesh.peers).fill(0);
  }
}

/** Runs a session to its end, and on until all inputs have arrived everywhere. */
export function playMesh(options: MeshOptions): Peer[] {
  const { seed, peers: count, steps, stepMs = 50, delayMs, loss = 0, changes = 0.1 } = options;
  const dice = new Dice(seed);
  const peers = Array.from({ length: count }, () => new Peer(options));
  const pressed = new Array<number>(count).fill(0);
  const lag = options.settings?.lag ?? 0;
  for (let tick = 0; tick < steps * 12; tick++) {
    const nowMs = tick * stepMs;
    peers.forEach((peer, own) => {
      const { timeline } = peer.replica;
      const due = peer.inbox.filter(({ atMs }) => atMs <= nowMs);
      peer.inbox = peer.inbox.filter(({ atMs }) => atMs > nowMs);
      for (const { from, first, inputs, ack } of due) {
        peer.acked[from] = Math.max(peer.acked[from]!, ack);
        inputs.forEach((input, at) => {
          if (first + at < timeline.openTo) timeline.put(from, first + at, Uint8Array.of(input));
        });
      }
      const step = lag + peer.inputs.length;
      // A peer acts for the step after its head; who waits for others does not act.
      if (peer.inputs.length < steps && step <= timeline.head + lag && step < timeline.openTo) {
        if (dice.next() < changes) pressed[own] = pressedBy(dice);
        peer.inputs.push(pressed[own]!);
        timeline.put(own, step, Uint8Array.of(pressed[own]!));
      }
      const before = total(timeline);
      peer.replica.tick(Math.min(tick + 1, steps + lag));
      peer.busiest = Math.max(peer.busiest, total(timeline) - before);
      peer.steps = total(timeline);
      peers.forEach((other, to) => {
        if (to === own || dice.next() < loss) return;
        const first = Math.max(lag, peer.acked[to]!);
        const inputs = peer.inputs.slice(first - lag);
        const ack = timeline.confirmedOf(to);
        other.inbox.push({ atMs: nowMs + delayMs(own, to, dice), from: own, first, inputs, ack: Math.min(ack, 1e9) });
      });
    });
    if (peers.every((peer) => peer.replica.timeline.tail === steps + lag)) return peers;
  }
  throw new Error(
    `seed ${seed}: after ${steps * 12} ticks the tails are ${peers.map((peer) => peer.replica.timeline.tail)}`,
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
  const saved = new Uint8Array(pods.state.byteLength);
  const row = new Uint8Array(1);
  const checksums: number[] = [];
  for (let step = 0; step < steps + lag; step++) {
    const of = (player: number) => {
      row[0] = step < lag ? 0 : peers[player]!.inputs[step - lag]!;
      return row;
    };
    pods.advance(step, { of, lag: () => 0 }, EVERYBODY);
    pods.state.save(saved);
    checksums[step + 1] = checksumOf(saved);
  }
  return checksums;
}
