/**
 * Data channels between members of a mesh, on virtual time: what a peer connection does, without a network. Each member has a name. A path between two
 * members can be closed, and opened again; an attempt to connect over a closed path comes to nothing, as behind a NAT that lets nothing through.
 */

import type { Description, OpenPeer, Peer, PeerEvents, PeerRequest } from "@nearfield/transport/internal";
import type { Dice } from "../dice.ts";
import type { VirtualClock } from "../virtual-clock.ts";

export interface SimulatedPeersOptions {
  /** One-way delay of a message, ms. Default 20. */
  readonly delayMs?: (from: string, to: string) => number;
  /** Share of messages that are lost. Default 0. */
  readonly loss?: number;
}

/** Ms until a description is complete. */
const GATHERING_MS = 5;

export class SimulatedPeers {
  readonly #clock: VirtualClock;
  readonly #dice: Dice;
  readonly #delayMs: (from: string, to: string) => number;
  readonly #loss: number;
  readonly #peers = new Map<string, SimulatedPeer>();
  readonly #closed = new Set<string>();
  /** Peer connections that were made. */
  made = 0;

  constructor(clock: VirtualClock, dice: Dice, options: SimulatedPeersOptions = {}) {
    this.#clock = clock;
    this.#dice = dice;
    this.#delayMs = options.delayMs ?? (() => 20);
    this.#loss = options.loss ?? 0;
  }

  /** What a member opens its peer connections with. */
  of(name: string): OpenPeer {
    return (request, events) => new SimulatedPeer(this, name, request, events);
  }

  close(one: string, other: string): void {
    this.#closed.add(pathOf(one, other));
  }

  open(one: string, other: string): void {
    this.#closed.delete(pathOf(one, other));
  }

  /** Whether packets pass between two members. */
  isOpen(one: string, other: string): boolean {
    return !this.#closed.has(pathOf(one, other));
  }

  /** For the peers themselves. */
  register(peer: SimulatedPeer): string {
    this.made += 1;
    const name = `peer${this.made}`.padEnd(8, "x");
    this.#peers.set(name, peer);
    return name;
  }

  find(description: Description): SimulatedPeer | undefined {
    return this.#peers.get(description.ufrag);
  }

  forget(name: string): void {
    this.#peers.delete(name);
  }

  after(ms: number, task: () => void): void {
    this.#clock.after(ms, task);
  }

  /** Brings something over, unless it is lost. */
  carry(from: string, to: string, task: () => void): void {
    if (!this.isOpen(from, to) || this.#dice.chance(this.#loss)) return;
    this.#clock.after(this.#delayMs(from, to), () => {
      if (this.isOpen(from, to)) task();
    });
  }
}

class SimulatedPeer implements Peer {
  readonly bufferedAmount = 0;
  readonly owner: string;
  readonly events: PeerEvents;
  readonly #network: SimulatedPeers;
  readonly #ufrag: string;
  #other: SimulatedPeer | undefined;
  #isOpen = false;
  #isClosed = false;

  constructor(network: SimulatedPeers, owner: string, { offer }: PeerRequest, events: PeerEvents) {
    this.#network = network;
    this.owner = owner;
    this.events = events;
    this.#ufrag = network.register(this);
    if (offer) this.#other = network.find(offer);
    network.after(GATHERING_MS, () => {
      if (!this.#isClosed) events.onDescription(describe(this.#ufrag));
    });
  }

  accept(answer: Description): void {
    this.#other = this.#network.find(answer);
    this.#shakeHands();
  }

  send(frame: Uint8Array): void {
    if (!this.#isOpen || this.#isClosed) throw new Error("the channel is closed");
    const other = this.#other!;
    const bytes = frame.slice();
    this.#network.carry(this.owner, other.owner, () => other.#hear(bytes));
  }

  close(): void {
    this.#isClosed = true;
    this.#network.forget(this.#ufrag);
    const other = this.#other;
    if (this.#isOpen && other) this.#network.carry(this.owner, other.owner, () => other.#lose());
  }

  /** Tried again until a handshake comes through; a closed path lets none through. */
  #shakeHands(): void {
    const other = this.#other;
    if (!other || this.#isOpen || this.#isClosed || other.#isClosed) return;
    this.#network.carry(this.owner, other.owner, () => {
      this.#begin();
      other.#begin();
    });
    this.#network.after(500, () => this.#shakeHands());
  }

  #begin(): void {
    if (this.#isOpen || this.#isClosed) return;
    this.#isOpen = true;
    this.events.onOpen();
  }

  #hear(bytes: Uint8Array): void {
    if (!this.#isClosed) this.events.onMessage(bytes);
  }

  #lose(): void {
    if (!this.#isClosed) this.events.onLost("closed");
  }
}

function pathOf(one: string, other: string): string {
  return [one, other].sort().join(" – ");
}

function describe(ufrag: string): Description {
  const fingerprint = Array.from({ length: 32 }, () => "00").join(":");
  return { ufrag, pwd: "p".repeat(22), fingerprint, candidates: [] };
}
