/**
 * Gives orders to what is selected. Each order is seen and heard at once: a mark on the ground, a path, a sound. What this page knows to be impossible it
 * refuses itself; the rest the server decides.
 */

import { KIND } from "../../rules/kinds.ts";
import {
  BUILDING_KINDS,
  BUILDINGS,
  type BuildingKind,
  ORDER_UNITS_MOST,
  type OrderName,
  type Refusal,
  TRAINING_MOST,
  UNITS,
  type UnitKind,
} from "../../state.ts";
import type { Field } from "../field.ts";
import type { Network } from "../network.ts";
import { OWN, SELECTED } from "../picture.ts";
import type { Found } from "../select/pick.ts";
import type { Squad } from "../select/squad.ts";
import type { Sound } from "../sound.ts";
import { meaningOf } from "./context.ts";
import { Marks } from "./marks.ts";
import { Routes } from "./routes.ts";

/** An order that waits for its place. */
export type Aim = "move" | "attackMove" | "patrol" | "repair" | "rally";

export interface CommanderParts {
  readonly network: Network;
  readonly squad: Squad;
  readonly sound: Sound;
  /** Says why not, beside the place if there is one. */
  readonly refuse: (reason: Refusal, x?: number, y?: number) => void;
}

export class Commander {
  readonly marks: Marks = new Marks();
  readonly routes: Routes = new Routes();
  readonly #parts: CommanderParts;
  /** Orders given since the match began. */
  given = 0;

  constructor(parts: CommanderParts) {
    this.#parts = parts;
  }

  /** Right click, or a tap on the ground: what it means follows from what is there. */
  orderAt(field: Field, found: Found, x: number, y: number, queued: boolean, nowMs: number): void {
    const { squad } = this.#parts;
    if (!squad.isOwn) return;
    const { what, target } = meaningOf(found, field, squad);
    if (what === "rally") this.#rally(field, x, y, nowMs);
    else this.#order(field, { what, x, y, target, queued }, nowMs);
  }

  /** An order that was chosen first and placed then. */
  aimAt(field: Field, aim: Aim, found: Found, x: number, y: number, queued: boolean, nowMs: number): void {
    if (aim === "rally") return this.#rally(field, x, y, nowMs);
    const meaning = meaningOf(found, field, this.#parts.squad);
    const isAttack = aim === "attackMove" && meaning.what === "attack";
    if (aim === "repair" && meaning.what !== "repair") return this.#refuse("noTarget", x, y, nowMs);
    const what: OrderName = isAttack ? "attack" : aim;
    const target = isAttack || aim === "repair" ? meaning.target : 0;
    this.#order(field, { what, x, y, target, queued }, nowMs);
  }

  /** `stop` or `hold`. */
  stand(field: Field, what: "stop" | "hold", queued: boolean, nowMs: number): void {
    const { squad } = this.#parts;
    if (squad.isOwn && !squad.isBuilding)
      this.#order(field, { what, x: squad.x, y: squad.y, target: 0, queued }, nowMs);
  }

  build(field: Field, building: BuildingKind, x: number, y: number, queued: boolean, nowMs: number): void {
    if (!this.canPay(BUILDINGS[building].cost)) return this.#refuse("noOre", x, y, nowMs);
    this.#order(field, { what: "build", x, y, target: 0, queued, building }, nowMs);
  }

  /** In the selected buildings of the kind that trains it: each time in the one with the shortest queue. */
  train(field: Field, kind: UnitKind, count: number): void {
    const { network, sound } = this.#parts;
    const waiting = new Map<number, number>();
    for (const id of selectedBuildings(field, kind)) waiting.set(id, network.queueOf(id));
    if (waiting.size === 0) return;
    for (let made = 0; made < count; made++) {
      const [building, queue] = [...waiting].reduce((best, next) => (next[1] < best[1] ? next : best));
      const refusal = this.trainingRefusal(kind, queue, made);
      if (refusal !== undefined) {
        if (made === 0) this.#parts.refuse(refusal);
        return;
      }
      waiting.set(building, queue + 1);
      network.train({ building, kind, count: 1 });
      if (made === 0) sound.play("click");
      this.given += 1;
    }
  }

  /** Why a unit cannot be trained now, as far as this page knows; `more` are asked for already. */
  trainingRefusal(kind: UnitKind, queue: number, more = 0): Refusal | undefined {
    const { purse } = this.#parts.network;
    if (queue >= TRAINING_MOST) return "queueFull";
    if (purse !== undefined && purse.units >= purse.unitsMost) return "unitLimit";
    return this.canPay(UNITS[kind].cost * (more + 1)) ? undefined : "noOre";
  }

  /** A building does not fit there. */
  refuseRoom(x: number, y: number, nowMs: number): void {
    this.#refuse("noRoom", x, y, nowMs);
  }

  canPay(cost: number): boolean {
    return (this.#parts.network.purse?.ore ?? 0) >= cost;
  }

  cancelTraining(building: number): void {
    this.#parts.network.cancelTraining(building);
    this.#parts.sound.play("click");
  }

  /** The server refused the last order. */
  refused(reason: Refusal, nowMs: number): void {
    const mark = this.marks.refuse(nowMs);
    this.#parts.refuse(reason, mark?.x, mark?.y);
  }

  clear(): void {
    this.marks.clear();
    this.routes.clear();
    this.given = 0;
  }

  #rally(field: Field, x: number, y: number, nowMs: number): void {
    const { network, sound } = this.#parts;
    const { buildings, terrain } = field;
    if (!terrain.isInside(x, y)) return this.#refuse("outside", x, y, nowMs);
    for (let row = 0; row < buildings.count; row++)
      if (isOwnSelected(buildings.flags[row]!)) network.rally({ building: buildings.id[row]!, x, y });
    this.marks.add("rally", x, y, nowMs);
    this.given += 1;
    sound.play("order");
  }

  #order(
    field: Field,
    order: Pick<Parameters<Network["order"]>[0], "what" | "x" | "y" | "target" | "queued"> & {
      building?: BuildingKind;
    },
    nowMs: number,
  ): void {
    const { network, sound } = this.#parts;
    const { what, x, y, queued } = order;
    const ids = this.#obeying(field, what);
    if (ids.length === 0) return this.#refuse("wrongKind", x, y, nowMs);
    if (!field.terrain.isInside(x, y)) return this.#refuse("outside", x, y, nowMs);
    for (let from = 0; from < ids.length; from += ORDER_UNITS_MOST)
      network.order({ building: "base", ...order, units: ids.slice(from, from + ORDER_UNITS_MOST) });
    this.given += 1;
    if (what === "stop" || what === "hold") this.routes.stop(ids);
    else {
      this.routes.send(what === "build" ? ids.slice(0, 1) : ids, x, y, queued, nowMs);
      this.marks.add(what, x, y, nowMs);
    }
    sound.play("order");
  }

  /** Ids of the selected own units that can do it. */
  #obeying({ units }: Field, what: OrderName): number[] {
    const needsBuilder = what === "gather" || what === "build" || what === "repair";
    const ids: number[] = [];
    for (let row = 0; row < units.count; row++) {
      if (!isOwnSelected(units.flags[row]!)) continue;
      if (!needsBuilder || units.kind[row] === KIND.builder) ids.push(units.id[row]!);
    }
    return ids;
  }

  #refuse(reason: Refusal, x: number, y: number, nowMs: number): void {
    this.marks.refuseAt("move", x, y, nowMs);
    this.#parts.refuse(reason, x, y);
  }
}

function isOwnSelected(flags: number): boolean {
  return (flags & (SELECTED | OWN)) === (SELECTED | OWN);
}

/** Ids of the selected own buildings that are finished and train a kind. */
function* selectedBuildings({ buildings }: Field, kind: UnitKind): Generator<number> {
  for (let row = 0; row < buildings.count; row++) {
    const { trains } = BUILDINGS[BUILDING_KINDS[buildings.kind[row]!]!];
    const isReady = isOwnSelected(buildings.flags[row]!) && buildings.built[row]! >= 100;
    if (isReady && trains.includes(kind)) yield buildings.id[row]!;
  }
}
