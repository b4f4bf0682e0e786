/** Drives one subject: lets its clients in, then runs rounds in lockstep, turn by turn, and takes its figures. */

import { ROUND_MS, type SceneSize } from "./scene.ts";
import type { Staleness } from "./staleness.ts";
import type { Spent } from "./subject.ts";
import { type SubjectName, SubjectProcess } from "./subject-process.ts";

/** Clients that come in at once. */
const DOOR = 100;
/** Between two rounds while they do, ms. */
const DOOR_MS = 25;
/** Calls that do nothing, to learn what a call itself costs the host. */
const IDLE_CALLS = 100;
/** Rounds that stand still once all are in: whatever was to come has come. */
const QUIET_ROUNDS = 12;
/** Replicas are looked at every so many rounds; it shares no divisor with the tiers' rounds, so that all their phases are met. */
const LOOK_EVERY = 3;

/** What one turn of a subject cost. */
export interface Turn {
  readonly rounds: number;
  /** Processor time of the host's process per round, ms, without the cost of the calls between the processes. */
  readonly cpuMs: number;
  /** Busy time of the host's main thread per round, wall time. */
  readonly busyMs: number;
  readonly interestMs: number;
  /** Per client and second. */
  readonly downBytes: number;
  readonly upBytes: number;
  readonly downPackets: number;
  readonly downWireBytes: number;
}

export class RunningSubject {
  readonly name: SubjectName;
  readonly turns: Turn[] = [];
  /** Rounds in which replicas were looked at. */
  looks = 0;
  readonly #size: SceneSize;
  readonly #host: SubjectProcess = new SubjectProcess();
  readonly #crowd: SubjectProcess = new SubjectProcess();
  #round = 0;
  /** What a call costs the host, whatever it does, ms. */
  #callMs: Pick<Spent, "cpuMs" | "busyMs"> = { cpuMs: 0, busyMs: 0 };

  constructor(name: SubjectName, size: SceneSize) {
    this.name = name;
    this.#size = size;
  }

  async start(): Promise<void> {
    const { name } = this;
    const size = this.#size;
    const url = await this.#host.call({ kind: "host", name, size });
    await this.#crowd.call({ kind: "crowd", name, size, url });
    let rounds = 0;
    for (let inside = 0; inside < size.clients; inside += DOOR) {
      const count = Math.min(DOOR, size.clients - inside);
      let isDone = false;
      const joining = this.#crowd.call({ kind: "join", count }).finally(() => {
        isDone = true;
      });
      joining.catch(() => {});
      for (; !isDone; rounds++) await this.#standStill();
      await joining;
    }
    let sent = 0;
    for (let quiet = 0; quiet < QUIET_ROUNDS; quiet++, rounds++) sent = await this.#standStill();
    await this.#crowd.call({ kind: "begin", rounds, sent });
  }

  /** Learns what a call costs; once it is warm. */
  async calibrate(): Promise<void> {
    const before = await this.#host.call({ kind: "measure", collects: true });
    for (let i = 0; i < IDLE_CALLS; i++) await this.#host.call({ kind: "nothing" });
    const after = await this.#host.call({ kind: "measure", collects: false });
    this.#callMs = {
      cpuMs: (after.spent.cpuMs - before.spent.cpuMs) / IDLE_CALLS,
      busyMs: (after.spent.busyMs - before.spent.busyMs) / IDLE_CALLS,
    };
  }

  /** Collects the host's garbage, so that what was left by joins and warm-up counts for nobody. */
  async collect(): Promise<void> {
    await this.#host.call({ kind: "measure", collects: true });
  }

  /**
   * Runs rounds; counts what they cost and shows if `counts` says so. Nothing is collected between turns: what a host's rounds leave
   * behind, it collects in its own time.
   */
  async run(rounds: number, counts: boolean): Promise<void> {
    const before = await this.#host.call({ kind: "measure", collects: false });
    for (let done = 0; done < rounds; done++) {
      this.#round += 1;
      const sent = await this.#host.call({ kind: "round", walks: true });
      const looks = counts && this.#round % LOOK_EVERY === 0;
      if (looks) this.looks += 1;
      await this.#crowd.call({ kind: "look", round: this.#round, counts: looks, sent });
    }
    if (!counts) return;
    const after = await this.#host.call({ kind: "measure", collects: false });
    const perClientSecond = (bytes: number): number => (bytes / this.#size.clients / rounds) * (1000 / ROUND_MS);
    this.turns.push({
      rounds,
      cpuMs: (after.spent.cpuMs - before.spent.cpuMs) / rounds - this.#callMs.cpuMs,
      busyMs: (after.spent.busyMs - before.spent.busyMs) / rounds - this.#callMs.busyMs,
      interestMs: (after.spent.interestMs - before.spent.interestMs) / rounds,
      downBytes: perClientSecond(after.volume.down - before.volume.down),
      upBytes: perClientSecond(after.volume.up - before.volume.up),
      downPackets: perClientSecond(after.volume.packets - before.volume.packets),
      downWireBytes: perClientSecond(after.volume.wire - before.volume.wire),
    });
  }

  staleness(): Promise<Staleness> {
    return this.#crowd.call({ kind: "staleness" });
  }

  end(): void {
    this.#crowd.end();
    this.#host.end();
  }

  async #standStill(): Promise<number> {
    const sent = await this.#host.call({ kind: "round", walks: false });
    await new Promise((resolve) => {
      setTimeout(resolve, DOOR_MS);
    });
    return sent;
  }
}
