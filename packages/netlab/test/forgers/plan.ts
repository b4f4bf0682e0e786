/** What happens in one seeded fight with forgers: who lies, how, and when. The same seed gives the same plan. */

import { Dice } from "@nearfield/netlab";
import { drawObservers } from "@nearfield/rollback/trust";

export const LIES = [
  /** They give their leader hits that it never scored, and vouch for that state. */
  "state",
  /** They alter an input of somebody else, as if it had been sent so. */
  "inputs",
  /** Their leader signs different inputs for different peers. */
  "equivocation",
  /** They do not hear somebody, and vote it out. */
  "omission",
  /** Their leader holds back what it does for a while, so that it knows what the others do. */
  "late",
  /** Their leader says nothing more, and plays on alone. */
  "silence",
  /** They report more goods than the state is worth. */
  "result",
  /** They report a state that is still to come. */
  "time",
  /** They hand in a log in which an input of somebody else is altered. */
  "log",
  /** Their leader signs another history after the fight. */
  "other history",
  /** They hand in the log of another fight. */
  "old fight",
  /** They hand in the log of another fight under the name of this one. */
  "renamed fight",
  /** They report nothing. */
  "withheld",
] as const;

export type Lie = (typeof LIES)[number];

export interface Plan {
  readonly seed: number;
  readonly lie: Lie;
  readonly players: number;
  readonly observers: readonly string[];
  readonly leader: number;
  /** Players who lie, the leader among them. */
  readonly liars: ReadonlySet<number>;
  /** Observers who report what the leader tells them. */
  readonly bought: ReadonlySet<string>;
  /** An honest player, where the lie is about one. */
  readonly victim: number;
  /** The step that is lied about. */
  readonly step: number;
  readonly slowestMs: number;
  readonly loss: number;
}

/** Lies about an honest player. */
const ABOUT_OTHERS: readonly Lie[] = ["inputs", "omission", "log"];

export function planOf(seed: number): Plan {
  const dice = new Dice(seed).fork("plan");
  const lie = LIES[seed % LIES.length]!;
  const players = 3 + dice.int(4);
  const candidates = Array.from({ length: 12 }, (_, at) => `observer ${at}`);
  const observers = drawObservers(candidates, 1 + dice.int(3), (sides) => dice.int(sides));
  const [victim, leader, ...others] = dice.shuffle(Array.from({ length: players }, (_, player) => player));
  const liars = new Set([leader!]);
  const size = dice.pick(["alone", "some", "all"] as const);
  if (size === "some") for (const other of others.slice(0, dice.int(others.length + 1))) liars.add(other);
  if (size === "all" || lie === "omission") for (const other of others) liars.add(other);
  if (size === "all" && !ABOUT_OTHERS.includes(lie)) liars.add(victim!);
  // Of those who observe, one at least is honest; if all players lie, it is the only one.
  const bought = new Set(size === "all" ? observers.slice(1) : []);
  return {
    seed,
    lie,
    players,
    observers,
    leader: leader!,
    liars,
    bought,
    victim: victim!,
    step: 16 + dice.int(32),
    slowestMs: dice.range(60, 600),
    loss: seed % 4 === 0 ? dice.range(0.05, 0.3) : 0,
  };
}
