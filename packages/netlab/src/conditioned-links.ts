/**
 * Two MemoryLinks through a conditioned network: the smallest scenario, and what the stepper gives each of its clients.
 */

import { type MemoryLink, type MemoryLinkOptions, memoryLinks } from "@nearfield/transport/internal";
import { ConditionedPipe } from "./conditioned-pipe.ts";
import type { Conditions } from "./conditions.ts";
import type { Dice } from "./dice.ts";
import type { Clock } from "./virtual-clock.ts";

/** Alike in both directions, or each on its own: `up` from client to server, `down` from server to client. */
export type PathConditions = Conditions | { readonly up: Conditions; readonly down: Conditions };

export interface ConditionedPath {
  readonly up: ConditionedPipe;
  readonly down: ConditionedPipe;
}

/**
 * The two pipes of one client, ready for `listener.connect({ pipes: [up, down] })`. Each direction has dice of its own.
 */
export function conditionedPath(clock: Clock, dice: Dice, conditions: PathConditions = {}): ConditionedPath {
  const { up, down } = eachWay(conditions);
  return {
    up: new ConditionedPipe(clock, dice.fork("up"), up),
    down: new ConditionedPipe(clock, dice.fork("down"), down),
  };
}

export interface ConditionedLinks extends ConditionedPath {
  readonly client: MemoryLink;
  readonly server: MemoryLink;
}

export function conditionedLinks(
  clock: Clock,
  dice: Dice,
  conditions: PathConditions = {},
  options: Omit<MemoryLinkOptions, "pipes"> = {},
): ConditionedLinks {
  const { up, down } = conditionedPath(clock, dice, conditions);
  const [client, server] = memoryLinks({ ...options, pipes: [up, down] });
  return { client, server, up, down };
}

/** Changes a path while it is in use. */
export function changePath(path: ConditionedPath, conditions: PathConditions): void {
  const { up, down } = eachWay(conditions);
  path.up.change(up);
  path.down.change(down);
}

function eachWay(conditions: PathConditions): { readonly up: Conditions; readonly down: Conditions } {
  return "up" in conditions ? conditions : { up: conditions, down: conditions };
}
