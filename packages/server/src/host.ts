/**
 * The server as its rooms and its door see it: protocol, limits, rounds, and sessions by number and by token.
 */

import type { Protocol } from "@nearfield/schema";
import { WorldIds } from "@nearfield/schema/internal";
import { ServerError } from "./errors.ts";
import type { Resolved } from "./options.ts";
import { RoundLoad } from "./round-load.ts";
import type { Session } from "./session/session.ts";
import { DoorTelemetry } from "./telemetry/door-telemetry.ts";
import { ErrorReports, type OnError } from "./telemetry/error-reports.ts";

const LEAST_TOKEN_BYTES = 8;
const MOST_TOKEN_BYTES = 32;
/** The most that time limits advance from one round to the next, ms. */
const MOST_ELAPSED_MS = 1000;

export class Host {
  readonly resolved: Resolved;
  /** Gives world ids to the objects of all rooms. */
  readonly worldIds: WorldIds;
  /** Rounds run so far. */
  roundNumber = 0;
  readonly reports: ErrorReports;
  /** Every how many rounds each client is served. */
  readonly load: RoundLoad;
  readonly door: DoorTelemetry = new DoorTelemetry();
  /** Errors that `endRound` will throw. */
  readonly #toThrow: unknown[] = [];
  #elapsedMs = 0;
  /** The clock at the last round. */
  #roundAtMs: number;
  readonly #byToken = new Map<string, Session>();
  #sessions = 0;
  /** The clock at the nominal beginning of the last round, or at its real beginning if that was earlier. */
  #begunMs: number;
  /** What the clock by which rounds are measured said when this one began. */
  #startedMs = 0;

  /** @param onError `"throw"`: `endRound` throws what was reported. */
  constructor(resolved: Resolved, onError: OnError | "throw") {
    this.resolved = resolved;
    this.worldIds = new WorldIds(resolved.serverNumber);
    const tell: OnError = onError === "throw" ? (error) => void this.#toThrow.push(error) : onError;
    this.reports = new ErrorReports(tell, { perPlace: resolved.limits.reportsPerPlace, intervalMs: resolved.reportMs });
    this.load = new RoundLoad(resolved.roundMs * resolved.roundShare);
    this.#begunMs = resolved.now?.() ?? 0;
    this.#roundAtMs = this.#begunMs;
  }

  get protocol(): Protocol {
    return this.resolved.protocol;
  }

  /**
   * The server's time, ms. At a round it is the round's nominal time; between two rounds it advances with the clock. A late round does not
   * move it, and skipped rounds do not advance it.
   */
  get timeMs(): number {
    const { now, roundMs } = this.resolved;
    return this.roundNumber * roundMs + (now === undefined ? 0 : Math.max(0, now() - this.#begunMs));
  }

  /**
   * Ms from the server's start to this round, by its clock. Time limits are counted in it. Unlike `timeMs` it keeps the clock's pace when
   * rounds are slow. If the process stood still, at most one second is added, since messages that arrived meanwhile have not been read yet.
   * Without a clock it is the nominal time.
   */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** Counts the next round. */
  beginRound(): void {
    const { now, roundMs } = this.resolved;
    this.roundNumber += 1;
    this.#elapsedMs += now === undefined ? roundMs : Math.min(MOST_ELAPSED_MS, Math.max(0, now() - this.#roundAtMs));
    this.#startedMs = this.#workMs();
    if (now === undefined) return;
    const [nowMs, dueMs] = [now(), this.#begunMs + roundMs];
    this.#roundAtMs = nowMs;
    this.#begunMs = nowMs - dueMs < roundMs ? Math.min(nowMs, dueMs) : nowMs;
  }

  /** Measures the round. Throws what was reported since the last round, if the server was made with `onError: "throw"`. */
  endRound(): void {
    this.load.note(this.#workMs() - this.#startedMs);
    this.reports.sumUp(this.elapsedMs);
    if (this.#toThrow.length === 0) return;
    const [first] = this.#toThrow.splice(0);
    throw first;
  }

  /** The clock by which rounds are measured, ms. */
  #workMs(): number {
    const { now, processorMs } = this.resolved;
    return processorMs?.() ?? now?.() ?? 0;
  }

  /** Reports an exception of the game's code, or of the code that serves one client. Never throws. */
  report(error: unknown, where: string): void {
    this.reports.report(error, where, this.elapsedMs);
  }

  /** Session numbers are never used twice. */
  nextSession(): number {
    this.#sessions += 1;
    return this.#sessions;
  }

  newToken(): Uint8Array {
    const token = this.resolved.tokenSource();
    if (token.length < LEAST_TOKEN_BYTES || token.length > MOST_TOKEN_BYTES) {
      const rule = `${LEAST_TOKEN_BYTES} to ${MOST_TOKEN_BYTES} are needed`;
      throw new ServerError("bad-option", `tokenSource gave ${token.length} bytes, but ${rule}`);
    }
    return token;
  }

  remember(session: Session): void {
    this.#byToken.set(keyOf(session.token), session);
  }

  sessionOf(token: Uint8Array): Session | undefined {
    return this.#byToken.get(keyOf(token));
  }

  forget(session: Session): void {
    this.#byToken.delete(keyOf(session.token));
  }
}

function keyOf(token: Uint8Array): string {
  return Array.from(token, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
