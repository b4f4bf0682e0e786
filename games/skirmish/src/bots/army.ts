/** A bot's army: it gathers before the base, defends it, attacks when it is strong enough, and hunts for what is left of the enemy. */

import type { Dice } from "@nearfield/kit";
import { COST, FIRST_BUILDING, KIND } from "../rules/kinds.ts";
import { ORDER_UNITS_MOST, STEP_MS } from "../state.ts";
import type { Spot } from "../terrain/layout.ts";
import { distance, type Eyes, nearest, type OwnPiece, type Sighting } from "./eyes.ts";
import type { Hands } from "./hands.ts";
import type { Traits } from "./strengths.ts";

/** Enemies this near to an own building are an attack. */
const ALARM_REACH = 200;
/** How much stronger than its attackers an army must be to defend an outpost. */
const ODDS = 1.2;
/** So many attackers at once are more than a scout that passes by. */
const REAL_ATTACK = 6;
/** Share of the usual strength with which an army strikes back after such an attack. */
const CHANCE = 0.35;
/** The longer an army waits, the less strength it needs to attack: after so many steps only this share of it. So a match does not stand still. */
const PATIENCE_STEPS = 480_000 / STEP_MS;
const LEAST_PATIENCE = 0.1;
/** The army gathers this far from its base, towards the middle. */
const MUSTER_DISTANCE = 90;
/** An attack is over when the army has shrunk to this share of what attacked. */
const BEATEN = 0.3;
/** A target counts as reached within this distance. */
const REACHED = 90;

export class Army {
  readonly #dice: Dice;
  #attackAt: number;
  /** Handles of the units that are out on an attack; who is trained meanwhile stays at home until the next one. */
  readonly #party = new Set<number>();
  /** Ore that the party cost when it left. */
  #sent = 0;
  #goal: Spot | undefined;
  /** Most attackers that were seen at once since the last quiet moment. */
  #attackersMost = 0;
  /** Steps since the last attack left. */
  #waitedSteps = 0;

  constructor(dice: Dice, { attackAt }: Traits) {
    this.#dice = dice;
    this.#attackAt = attackAt;
  }

  run(eyes: Eyes, hands: Hands, traits: Traits, scout: number): void {
    const soldiers = eyes.units.filter(({ kind, handle }) => kind !== KIND.builder && handle !== scout);
    const party = soldiers.filter(({ handle }) => this.#party.has(handle));
    const home = soldiers.filter(({ handle }) => !this.#party.has(handle));
    if (this.#party.size > 0) this.#press(eyes, hands, party);
    const attackers = attackersOf(eyes);
    this.#attackersMost = Math.max(this.#attackersMost, attackers.length);
    if (attackers.length > 0 && isWorthMeeting(eyes, attackers, home)) return send(hands, home, attackers[0]!);
    // An enemy whose attack has just failed has few left at home.
    const isChance = this.#attackersMost >= REAL_ATTACK;
    const patience = Math.max(LEAST_PATIENCE, 1 - this.#waitedSteps / PATIENCE_STEPS);
    const needed = this.#attackAt * (isChance ? Math.min(CHANCE, patience) : patience);
    this.#attackersMost = 0;
    this.#waitedSteps += traits.thinkSteps;
    if (this.#party.size === 0 && costOf(home) >= needed) this.#attack(eyes, hands, traits, home);
    else this.#muster(eyes, hands, home);
  }

  #attack(eyes: Eyes, hands: Hands, { growth, most }: Traits, soldiers: readonly OwnPiece[]): void {
    for (const { handle } of soldiers) this.#party.add(handle);
    this.#sent = costOf(soldiers);
    this.#waitedSteps = 0;
    this.#attackAt = Math.min(most, this.#attackAt * growth);
    this.#goal = this.#nextGoal(eyes, eyes.home);
    send(hands, soldiers, this.#goal);
  }

  /** Goes on from target to target; comes home when too few are left. */
  #press(eyes: Eyes, hands: Hands, party: readonly OwnPiece[]): void {
    if (costOf(party) < this.#sent * BEATEN) {
      this.#party.clear();
      return this.#muster(eyes, hands, party);
    }
    const goal = this.#goal ?? eyes.home;
    const first = nearest(party, goal) ?? goal;
    if (distance(first, goal) < REACHED && !hasBuildingNear(eyes, goal)) {
      this.#goal = this.#nextGoal(eyes, first);
      return send(hands, party, this.#goal);
    }
    const idle = party.filter(({ isFree }) => isFree);
    if (idle.length > 0) send(hands, idle, goal);
  }

  /** The nearest enemy building that is known; else a start or a field that was never seen; else any place. */
  #nextGoal(eyes: Eyes, from: Spot): Spot {
    const building = nearest(eyes.remembered.values(), from);
    if (building !== undefined) return building;
    const starts = eyes.otherStarts.filter((start) => !eyes.hasSeen(start));
    const unseen =
      nearest(starts, from) ??
      nearest(
        eyes.patches.filter((patch) => !eyes.hasSeen(patch)),
        from,
      );
    if (unseen !== undefined) return unseen;
    const all = [...eyes.starts, ...eyes.patches].filter((spot) => !eyes.sees(spot));
    const anywhere = () => 40 + this.#dice.int(eyes.size - 80);
    return all.length > 0 && this.#dice.chance(0.5) ? this.#dice.pick(all) : { x: anywhere(), y: anywhere() };
  }

  #muster(eyes: Eyes, hands: Hands, soldiers: readonly OwnPiece[]): void {
    const base = eyes.buildings[0] ?? eyes.home;
    const half = eyes.size / 2;
    const away = Math.max(1, distance(base, { x: half, y: half }));
    const spot = {
      x: base.x + ((half - base.x) / away) * MUSTER_DISTANCE,
      y: base.y + ((half - base.y) / away) * MUSTER_DISTANCE,
    };
    const strays = soldiers.filter((soldier) => soldier.isFree && distance(soldier, spot) > 2 * REACHED);
    if (strays.length > 0) send(hands, strays, spot);
  }
}

/** Armed enemy units near own buildings. Scouts that pass by are left to the towers. */
function attackersOf(eyes: Eyes): Sighting[] {
  const armed = eyes.enemies.filter(
    ({ kind }) => kind < FIRST_BUILDING && kind !== KIND.builder && kind !== KIND.scout,
  );
  return armed.filter((enemy) => eyes.buildings.some((own) => distance(own, enemy) < ALARM_REACH));
}

/** The base is defended in any case; an outpost only against what the army can beat. */
function isWorthMeeting(eyes: Eyes, attackers: readonly Sighting[], home: readonly OwnPiece[]): boolean {
  return distance(attackers[0]!, eyes.home) < 1.5 * ALARM_REACH || costOf(home) > costOf(attackers) * ODDS;
}

function costOf(soldiers: readonly Sighting[]): number {
  return soldiers.reduce((sum, { kind }) => sum + COST[kind]!, 0);
}

function hasBuildingNear(eyes: Eyes, spot: Spot): boolean {
  for (const building of eyes.remembered.values()) if (distance(building, spot) < 2 * REACHED) return true;
  return false;
}

function send(hands: Hands, soldiers: readonly OwnPiece[], { x, y }: Spot): void {
  for (let from = 0; from < soldiers.length; from += ORDER_UNITS_MOST) {
    const units = soldiers.slice(from, from + ORDER_UNITS_MOST).map(({ handle }) => handle);
    hands.order({ units, what: "attackMove", x, y });
  }
}
