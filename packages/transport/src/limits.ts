/**
 * The bounds of a link's queues, and what happens when one is reached. Every link takes the same four numbers;
 * `resolveLimits` fills in the defaults and refuses numbers that cannot work together.
 */

import { IS_DEVELOPMENT } from "#development";
import { TransportError } from "./link.ts";

export interface LinkLimits {
  /**
   * Bytes of backlog past which unreliable sends are dropped (`send` returns false). Default 64 KiB, that is half a
   * second at 1 Mbit/s: a larger value lets the state that does get through be that much older.
   */
  readonly staleAfterBytes: number;
  /**
   * Bytes of backlog that a reliable send may not pass: the link closes with "overflow". Default 8 MiB; costs that much
   * memory per stalled peer.
   */
  readonly overflowAfterBytes: number;
  /**
   * Bytes of messages kept until a message handler is set; one more closes the link with "overflow". Default 1 MiB.
   * Each message counts its length + 64, so that empty ones are bounded too.
   */
  readonly keptBytes: number;
  /**
   * Bytes of the longest message, sent (throws "too-large") or received (closes with "oversized"). Default 1 MiB; must
   * be alike on both sides.
   */
  readonly maxMessageBytes: number;
}

export const DEFAULT_LIMITS: LinkLimits = Object.freeze({
  staleAfterBytes: 64 * 1024,
  overflowAfterBytes: 8 * 1024 * 1024,
  keptBytes: 1024 * 1024,
  maxMessageBytes: 1024 * 1024,
});

/** What one kept message costs beside its bytes. */
export const KEPT_MESSAGE_COST = 64;

export function resolveLimits(options: Partial<LinkLimits> = {}): LinkLimits {
  const limits: LinkLimits = {
    staleAfterBytes: options.staleAfterBytes ?? DEFAULT_LIMITS.staleAfterBytes,
    overflowAfterBytes: options.overflowAfterBytes ?? DEFAULT_LIMITS.overflowAfterBytes,
    keptBytes: options.keptBytes ?? DEFAULT_LIMITS.keptBytes,
    maxMessageBytes: options.maxMessageBytes ?? DEFAULT_LIMITS.maxMessageBytes,
  };
  if (IS_DEVELOPMENT) checkLimits(limits);
  return limits;
}

function checkLimits(limits: LinkLimits): void {
  requireWhole("staleAfterBytes", limits.staleAfterBytes, 0);
  requireWhole("overflowAfterBytes", limits.overflowAfterBytes, 1);
  requireWhole("keptBytes", limits.keptBytes, 0);
  requireWhole("maxMessageBytes", limits.maxMessageBytes, 1);
  if (limits.maxMessageBytes >= limits.overflowAfterBytes) {
    throw new TransportError(
      "bad-option",
      `maxMessageBytes is ${limits.maxMessageBytes}, but must be below overflowAfterBytes (${limits.overflowAfterBytes}): the longest message has to fit into an empty backlog`,
    );
  }
}

/** A whole number of at least 1, or no limit at all. */
export function requireCap(name: string, value: number): void {
  if (value !== Number.POSITIVE_INFINITY) requireWhole(name, value, 1);
}

export function requireWhole(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new TransportError("bad-option", `${name} is ${value}, but must be a whole number of at least ${least}`);
  }
}
