/**
 * Ownership under faults: servers with clocks of different rates, pauses, partitions, deaths and newcomers. Never do two servers act for a place
 * that nobody gave away, nobody obeys an owner after a newer one, and the journal of a slice never goes back to an older owner.
 */

import { Dice } from "@nearfield/netlab";
import { VirtualClock } from "@nearfield/netlab/internal";
import { describe, expect, it } from "vitest";
import { seeds } from "../../netlab/test/seeds.ts";
import { type LocalBus, LocalHub, Membership, nextMap, type Slice } from "../src/internal/index.ts";

const ROUND_MS = 50;
const PLACES = [-900, -300, -1, 1, 250, 800].flatMap((x) => [-500, 20, 600].map((y) => [x, y] as const));

interface Act {
  readonly from: number;
  readonly slice: string;
  readonly fence: number;
}

class Node {
  readonly name: string;
  readonly bus: LocalBus;
  readonly membership: Membership;
  readonly obeyed: Act[] = [];
  isPaused = false;
  isGone = false;
  /** What it was about to say when it was paused. */
  #intended: Act[] = [];
  readonly #sequences = new Map<string, number>();

  constructor(hub: LocalHub, clock: VirtualClock, number: number, rate: number) {
    this.name = `s${number}`;
    this.bus = hub.join(this.name);
    this.membership = new Membership({ bus: this.bus, number, now: () => clock.nowMs * rate });
    this.bus.subscribe("acts", (payload) => {
      const act = JSON.parse(new TextDecoder().decode(payload)) as Act;
      if (this.membership.judge(act.from, act.slice, act.fence) === "obey") this.obeyed.push(act);
    });
    clock.every(ROUND_MS, () => {
      if (!this.isPaused && !this.isGone) this.round();
    });
  }

  get slices(): Slice[] {
    return this.membership.map?.slices.filter((slice) => this.membership.mayActFor(slice)) ?? [];
  }

  round(): void {
    this.membership.tick();
    for (const { id, fence } of this.slices) this.say({ from: this.membership.number, slice: id, fence });
  }

  pause(): void {
    this.#intended = this.slices.map(({ id, fence }) => ({ from: this.membership.number, slice: id, fence }));
    this.isPaused = true;
    this.bus.pause();
  }

  resume(): void {
    this.isPaused = false;
    if (this.isGone) return;
    for (const act of this.#intended.splice(0)) this.say(act);
    this.bus.resume();
  }

  say(act: Act): void {
    const payload = new TextEncoder().encode(JSON.stringify(act));
    this.bus.publish("acts", payload);
    const log = `slice.${act.slice}`;
    this.bus.logs.append(log, payload, this.#sequences.get(log) ?? 0, (outcome) => {
      if (outcome.kind === "written") this.#sequences.set(log, outcome.at);
      else
        this.bus.logs.read(
          log,
          this.#sequences.get(log) ?? 0,
          (_, sequence) => this.#sequences.set(log, sequence),
          () => {},
        );
    });
  }
}

function play(seed: number, moves: boolean) {
  const dice = new Dice(seed);
  const clock = new VirtualClock();
  const rolls = dice.fork("hub");
  const hub = new LocalHub({ clock, random: () => rolls.next(), delayMs: [1, 30], patienceMs: 1000 });
  const nodes: Node[] = [];
  const enter = (): void => void nodes.push(new Node(hub, clock, nodes.length + 1, dice.range(0.85, 1.15)));
  for (let i = 0; i < 4; i++) enter();
  const twice: string[] = [];
  const look = (): void => {
    for (const [x, y] of PLACES) {
      const acting = nodes.filter(
        ({ isPaused, isGone, membership }) =>
          !isPaused && !isGone && membership.map !== undefined && membership.mayActFor(membership.map.at(x, y)),
      );
      if (acting.length > 1)
        twice.push(`${clock.nowMs}: ${acting.map(({ name }) => name).join(" and ")} at ${x}, ${y}`);
    }
  };
  const balance = (node: Node): void => {
    const { membership } = node;
    membership.propose((map) => {
      if (map === undefined) return undefined;
      const own = PLACES.filter(([x, y]) => map.at(x, y).owner === membership.number).map(([x, y]) => ({
        x,
        y,
        z: 0,
        weight: 1,
      }));
      const loads = new Map(
        [...membership.alive.keys()].map((number) => [
          number,
          PLACES.filter(([x, y]) => map.at(x, y).owner === number).length,
        ]),
      );
      return nextMap(map, { me: membership.number, loads, hasCounted: () => true, own });
    });
  };
  clock.advance(3000);
  // Slices are dealt out before the faults begin. Without moves nobody gives a slice away later.
  for (let i = 0; i < 20; i++) {
    nodes.forEach(balance);
    clock.advance(200);
  }
  for (let step = 0; step < 250; step++) {
    const node = dice.pick(nodes);
    const roll = dice.next();
    if (roll < 0.02) hub.isolate(node.name);
    else if (roll < 0.03) hub.cut(node.name, dice.pick(nodes).name);
    else if (roll < 0.07) hub.heal();
    else if (roll < 0.09 && !node.isPaused && !node.isGone) {
      node.pause();
      clock.after(dice.range(100, 8000), () => node.resume());
    } else if (roll < 0.095 && nodes.filter(({ isGone }) => !isGone).length > 2) {
      node.isGone = true;
      node.bus.close();
    } else if (roll < 0.1) enter();
    else if (roll < 0.12)
      hub.setDelay(
        dice.pick([
          [1, 30],
          [1, 400],
          [0.3, 1.5],
        ]),
      );
    if (moves && dice.chance(0.3) && !node.isPaused && !node.isGone) balance(node);
    clock.advance(ROUND_MS);
    look();
  }
  hub.heal();
  hub.setDelay([1, 30]);
  for (let i = 0; i < 200; i++) {
    clock.advance(ROUND_MS);
    look();
  }
  const journals = new Map<string, Act[]>();
  const reader = hub.join("reader");
  for (const node of nodes) {
    for (const { slice } of node.obeyed) {
      if (journals.has(slice)) continue;
      const acts: Act[] = [];
      journals.set(slice, acts);
      reader.logs.read(
        `slice.${slice}`,
        0,
        (payload) => acts.push(JSON.parse(new TextDecoder().decode(payload)) as Act),
        () => {},
      );
    }
  }
  clock.advance(1000);
  return { nodes, journals, twice };
}

function goesBack(acts: readonly Act[]): string[] {
  return acts.flatMap((act, i) => {
    const before = acts[i - 1];
    const isBack =
      before !== undefined && (act.fence < before.fence || (act.fence === before.fence && act.from !== before.from));
    return isBack ? [`${JSON.stringify(before)} then ${JSON.stringify(act)}`] : [];
  });
}

describe("ownership", () => {
  it.each(seeds(1, 10))("is one server's under faults, while nobody moves slices (seed %i)", (seed) => {
    const { nodes, journals, twice } = play(seed, false);
    expect(twice).toEqual([]);
    check(nodes, journals);
  });

  it.each(seeds(1001, 10))("is one server's for everybody who obeys, while slices move (seed %i)", (seed) => {
    const { nodes, journals } = play(seed, true);
    check(nodes, journals);
  });
});

function check(nodes: readonly Node[], journals: ReadonlyMap<string, readonly Act[]>): void {
  for (const [slice, acts] of journals) expect(goesBack(acts), `the journal of ${slice}`).toEqual([]);
  const owners = new Map<string, number>();
  for (const node of nodes) {
    for (const { slice, fence, from } of node.obeyed) {
      const key = `${slice} ${fence}`;
      expect(owners.get(key) ?? from, `owner of ${key}`).toBe(from);
      owners.set(key, from);
    }
    for (const slice of journals.keys()) {
      expect(goesBack(node.obeyed.filter((act) => act.slice === slice)), `${node.name} of ${slice}`).toEqual([]);
    }
  }
  const living = nodes.filter(({ isGone, membership }) => !isGone && !membership.isDead);
  if (living.length === 0) return;
  for (const [x, y] of PLACES) {
    const acting = living.filter(({ membership }) => membership.mayActFor(membership.map!.at(x, y)));
    expect(acting, `who acts at ${x}, ${y} after everything is well again`).toHaveLength(1);
  }
}
