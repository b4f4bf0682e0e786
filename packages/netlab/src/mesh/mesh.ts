/**
 * A full mesh of peers on virtual time: in each tick every peer receives, ticks and sends, over links that delay, reorder and lose. The dice are seeded, so
 * a seed replays to the last byte.
 */

import {
  checksumOf,
  EVERYBODY,
  type Fight,
  PeerSession,
  type PeerSessionOptions,
  Replica,
  readSnapshot,
  type SealOptions,
  type Timeline,
} from "@nearfield/rollback/internal";
import { Dice, type Seed } from "../dice.ts";
import { LabError } from "../lab-error.ts";
import { LabKeys } from "./lab-keys.ts";
import { Pods, pressedBy } from "./pods.ts";

export interface MeshOptions {
  readonly seed: Seed;
  readonly peers: number;
  readonly steps: number;
  /** One-way delay of a message, ms. */
  readonly delayMs: (from: number, to: number, dice: Dice) => number;
  /** Share of messages that are lost; 0 if it is not given. */
  readonly loss?: number;
  readonly session?: Partial<PeerSessionOptions>;
  /** Side of the square in which the pods begin; the whole world if it is not given. */
  readonly spread?: number;
  /** Whether the fight tells its spheres of influence; it does if this is not given. */
  readonly hasSpheres?: boolean;
  /** Chance that a player changes what it does in a step. */
  readonly changes?: number;
  /** Whether inputs are signed. */
  readonly isSealed?: boolean;
  /** What befalls the peers before a tick. It may put others in their place. */
  readonly story?: (tick: number, peers: MeshPeer[]) => void;
}

interface Packet {
  readonly atMs: number;
  readonly from: number;
  readonly bytes: Uint8Array;
}

const STEP_MS = 50;
/** Times as many ticks as steps until a mesh is given up. */
const PATIENCE = 12;

export class MeshPeer {
  readonly id: number;
  readonly session: PeerSession;
  readonly replica: Replica;
  /** Of every final state, by its number. */
  readonly checksums: number[] = [];
  /** What the player did, from its first step on. */
  readonly inputs: number[] = [];
  /** Steps of everybody in each tick: optimistic, conservative and corrective together. */
  readonly stepsByTick: number[] = [];
  inbox: Packet[] = [];
  /** Whether its machine is asleep: it neither receives nor ticks. */
  isAsleep = false;
  bytesOut = 0;
  /** Of all bytes that it sent, in their order. */
  sentSum = 0x811c9dc5;

  /** `snapshot` is what a peer of the fight gave to one that comes later. */
  constructor(id: number, options: MeshOptions, snapshot?: Uint8Array) {
    const { peers: players, spread, session, hasSpheres = true } = options;
    this.id = id;
    const pods = new Pods(players, spread);
    const seals = options.isSealed ? { seals: labSeals(options.seed, players, id) } : {};
    const form = { players, inputBytes: 1, own: id, stepMs: STEP_MS, startMs: 0 };
    const common = { ...form, stallMs: 60_000, ...seals, ...session };
    if (snapshot) {
      const read = readSnapshot({ ...common, stateBytes: pods.state.byteLength }, snapshot);
      pods.state.load(read.saved);
      this.session = new PeerSession({ ...common, snapshot: read });
    } else this.session = new PeerSession(common);
    const advance: Fight["advance"] = (step, inputs, only) => pods.advance(step, inputs, only);
    const fight = hasSpheres ? pods : { state: pods.state, advance };
    this.replica = new Replica(this.session.timeline, fight, (state, checksum, saved) => {
      this.checksums[state] = checksum();
      this.session.settled(state, checksum, saved);
    });
  }

  snapshot(): Uint8Array {
    return this.session.snapshot(this.replica.final);
  }

  receive(nowMs: number): void {
    const due = this.inbox.filter(({ atMs }) => atMs <= nowMs);
    this.inbox = this.inbox.filter(({ atMs }) => atMs > nowMs);
    for (const { from, bytes } of due) this.session.receive(from, bytes);
  }

  tick(nowMs: number, input: Uint8Array): void {
    const { timeline } = this.session;
    const before = stepsOf(timeline);
    this.replica.carryOut(this.session.tick(nowMs, input));
    this.stepsByTick.push(stepsOf(timeline) - before);
    for (let row = this.#newInput(); row; row = this.#newInput()) this.inputs.push(row[0]!);
  }

  noteSent(bytes: Uint8Array): void {
    this.bytesOut += bytes.length;
    for (const byte of bytes) this.sentSum = Math.imul(this.sentSum ^ byte, 0x01000193);
  }

  #newInput(): Uint8Array | undefined {
    const { timeline } = this.session;
    return timeline.rowOf(this.id, timeline.settings.lag + this.inputs.length, false);
  }
}

/** Plays so many steps, and on until they are final everywhere. */
export function playMesh(options: MeshOptions): MeshPeer[] {
  const { seed, peers: count, steps, delayMs, loss = 0, changes = 0.1, story } = options;
  const dice = new Dice(seed);
  const peers = Array.from({ length: count }, (_, id) => new MeshPeer(id, options));
  const pressed = new Uint8Array(count);
  for (let tick = 0; tick < steps * PATIENCE; tick++) {
    const nowMs = tick * STEP_MS;
    story?.(tick, peers);
    for (const peer of peers) {
      if (peer.isAsleep) continue;
      const { id } = peer;
      peer.receive(nowMs);
      if (dice.chance(changes)) pressed[id] = pressedBy(dice);
      peer.tick(Math.min(tick + 1, steps) * STEP_MS, pressed.subarray(id, id + 1));
      for (const { id: to, inbox } of peers) {
        if (to === id) continue;
        const bytes = peer.session.messageTo(to);
        peer.noteSent(bytes);
        if (!dice.chance(loss)) inbox.push({ atMs: nowMs + delayMs(id, to, dice), from: id, bytes });
      }
    }
    if (peers.every((peer) => peer.isAsleep || isOver(peer, steps))) return peers;
  }
  const tails = peers.map(({ session }) => session.timeline.tail).join(", ");
  throw new LabError(
    "bad-mesh",
    `seed ${seed}: after ${steps * PATIENCE} ticks the tails are at ${tails}, not ${steps}`,
  );
}

/** The checksums that the inputs alone give, on a machine that knows all of them at once: no timeline is asked. */
export function replayInputs({ peers: count, steps, spread }: MeshOptions, peers: readonly MeshPeer[]): number[] {
  const pods = new Pods(count, spread);
  const { timeline, gone } = peers.find((peer) => !peer.isAsleep)!.session;
  const { lag } = timeline.settings;
  const saved = new Uint8Array(pods.state.byteLength);
  const row = new Uint8Array(1);
  const checksums: number[] = [];
  for (let step = 0; step < steps; step++) {
    const of = (player: number) => {
      const isThere = step >= lag && step < (gone.get(player) ?? Number.POSITIVE_INFINITY);
      row[0] = isThere ? peers[player]!.inputs[step - lag]! : 0;
      return row;
    };
    pods.advance(step, { of, lag: () => 0 }, EVERYBODY);
    pods.state.save(saved);
    checksums[step + 1] = checksumOf(saved);
  }
  return checksums;
}

function labSeals(seed: Seed, players: number, own: number): SealOptions {
  const keys = new LabKeys(seed, players);
  return { space: new Uint8Array(16).fill(7), keys: keys.publicKeys, signer: keys.signers[own]!, verifier: keys };
}

function isOver({ session: { timeline } }: MeshPeer, steps: number): boolean {
  const { players, lag } = timeline.settings;
  if (timeline.tail < steps) return false;
  for (let player = 0; player < players; player++)
    if (!timeline.isGone(player) && timeline.throughOf(player) < steps + lag) return false;
  return true;
}

function stepsOf({ counts }: Timeline): number {
  return counts.optimistic + counts.conservative + counts.corrective;
}
