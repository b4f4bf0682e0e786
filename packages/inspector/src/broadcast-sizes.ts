/**
 * How large an update is that a broadcast sends, counted through our own codec: a frame writer writes the updates of the round for one imagined client that
 * is sent everything and acknowledges it two rounds later. Nothing leaves. A broadcast's updates are smaller than ours, since each tells of one round only.
 *
 * To cost little in a room of any size, only objects in a window of neighbouring slots are written, and only in some rounds. Then the window moves on, so all objects have
 * their turn equally often. When it moves, the objects in it are first written whole; that and the next rounds are not counted, since the imagined client has had them for long.
 */

import { DecisionKind, type Decisions } from "@nearfield/core/internal";
import { Arrivals, EncodeCache, FrameWriter, type PacketAck, type SendModel } from "@nearfield/protocol/internal";
import type { RoomSeam } from "@nearfield/server/seam";
import { FRAME_HEAD_BYTES } from "./sizes.ts";
import type { WorldChanges } from "./world-changes.ts";

/** Slots of the window, rounds in which it is counted, and rounds until the next one is: one round in 32. */
const WINDOW = 32;
const STAY_ROUNDS = 24;
const CYCLE_ROUNDS = 768;
/** Rounds after a move that are not counted: until deltas build on several states, as those of a client that has been there for long. */
const SETTLING_ROUNDS = 8;
const ACK_ROUNDS = 2;
const FRAME = { heard: 0, pivots: 0, events: [], maxBytes: 1100 };

export class BroadcastSizes {
  /** Counted so far: updates, and their bytes without packet heads. */
  records = 0;
  bytes = 0;
  readonly #seam: RoomSeam;
  readonly #cache: EncodeCache;
  readonly #script: WindowScript = new WindowScript();
  #writer: FrameWriter;
  #arrivals = new Arrivals();
  #acks: PacketAck[] = [];
  #from = 0;
  #rounds = 0;
  /** Rounds since the window moved last. */
  #stayed = 0;

  constructor(seam: RoomSeam) {
    this.#seam = seam;
    this.#cache = new EncodeCache(seam.world);
    this.#writer = this.#newWriter();
  }

  /** Mean bytes of an update; `undefined` before the first. */
  get mean(): number | undefined {
    return this.records > 0 ? this.bytes / this.records : undefined;
  }

  /** A round has ended. Returns whether `look` is to be called for it. */
  roundEnded(): boolean {
    this.#stayed = this.#rounds++ % CYCLE_ROUNDS;
    return this.#stayed < STAY_ROUNDS;
  }

  look(changes: WorldChanges, round: number): void {
    const { store } = this.#seam.world;
    const stayed = this.#stayed;
    const isFirst = stayed === 0;
    if (isFirst) this.#moveOn(store.slotHigh);
    this.#cache.beginRound();
    this.#script.begin();
    for (let slot = this.#from; slot < Math.min(this.#from + WINDOW, store.slotHigh); slot++) {
      if (store.isLive(slot) && (isFirst || changes.hasUpdated(slot))) this.#script.add(store.idAt(slot), isFirst);
    }
    this.#write(round, stayed >= SETTLING_ROUNDS);
  }

  #write(round: number, counts: boolean): void {
    if (this.#acks.length >= ACK_ROUNDS) this.#writer.acknowledge(this.#acks.shift()!, round);
    const { ledger } = this.#writer;
    const first = ledger.nextPacket;
    if (this.#script.count > 0) this.#writer.writeTo({ round, ...FRAME }, NOWHERE);
    const packets = ledger.nextPacket - first;
    for (let packet = first; packet < ledger.nextPacket; packet++) this.#arrivals.admit(packet);
    this.#acks.push(this.#arrivals.ack());
    if (!counts || packets === 0) return;
    this.records += this.#script.count;
    this.bytes += Math.max(0, this.#writer.frameBytes - packets * FRAME_HEAD_BYTES);
  }

  /** To the next window; the first one again after the last. */
  #moveOn(slotHigh: number): void {
    this.#from = this.#rounds === 1 || this.#from + WINDOW >= slotHigh ? 0 : this.#from + WINDOW;
    this.#writer = this.#newWriter();
    this.#arrivals = new Arrivals();
    this.#acks = [];
  }

  #newWriter(): FrameWriter {
    const { world } = this.#seam;
    return new FrameWriter({
      world,
      model: this.#script,
      view: 0,
      session: 0,
      cache: this.#cache,
      ownerVersion: () => 0,
    });
  }
}

const NOWHERE = { packet: (): boolean => true };

/** What the imagined client is sent in a round. */
class WindowScript implements SendModel {
  count = 0;
  readonly #ids: Uint32Array = new Uint32Array(WINDOW);
  readonly #kinds: Uint8Array = new Uint8Array(WINDOW);
  readonly #zeros: Uint8Array = new Uint8Array(WINDOW);
  readonly #numbers: Float64Array = new Float64Array(WINDOW);
  readonly #waits: Uint32Array = new Uint32Array(WINDOW);

  begin(): void {
    this.count = 0;
  }

  add(id: number, isNew: boolean): void {
    this.#ids[this.count] = id;
    this.#kinds[this.count++] = isNew ? DecisionKind.create : DecisionKind.update;
  }

  decisions(): Decisions {
    return {
      count: this.count,
      ids: this.#ids,
      kinds: this.#kinds,
      causes: this.#zeros,
      zones: this.#zeros,
      urgencies: this.#numbers,
      waits: this.#waits,
      settled: this.#zeros,
      withheld: 0,
    };
  }

  baseVersion(): number {
    return 0;
  }

  acknowledgeAll(): void {}

  lose(): void {}

  withholdAll(): void {}
}
