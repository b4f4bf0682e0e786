/** Which buttons the command card has: by what is selected, which menu is open, and what the side can pay. Pure. */

import { KIND, KINDS } from "../../rules/kinds.ts";
import { BUILDING_KINDS, BUILDINGS, type BuildingKind, type Refusal, UNITS, type UnitKind } from "../../state.ts";
import type { Action } from "../input/intent.ts";
import type { Aim } from "../orders/commander.ts";
import type { Squad } from "../select/squad.ts";
import { BUILD_KEYS, KIND_NAMES, KIND_WORDS, REFUSAL_WORDS, TRAIN_KEYS } from "../words.ts";
import type { IconName } from "./icons.ts";

/** What a press of a button does. */
export type Press =
  | { readonly do: "act"; readonly action: Action }
  | { readonly do: "place"; readonly kind: BuildingKind }
  | { readonly do: "train"; readonly kind: UnitKind }
  | { readonly do: "cancel" | "rally" | "back" };

export interface CardButton {
  readonly key: string;
  readonly icon: IconName;
  readonly name: string;
  readonly words: string;
  /** Ore; 0: nothing. */
  readonly cost: number;
  /** Why it cannot be pressed; "" if it can. */
  readonly disabled: string;
  /** It waits for its place now. */
  readonly isOn: boolean;
  readonly press: Press;
}

export interface CardState {
  readonly squad: Squad;
  readonly menu: "orders" | "build";
  readonly aim: Aim | undefined;
  readonly placing: BuildingKind | undefined;
  canPay(cost: number): boolean;
  trainingRefusal(kind: UnitKind): Refusal | undefined;
  /** Units in the queues of the selected buildings. */
  readonly queued: number;
}

export function buttonsOf(state: CardState): CardButton[] {
  const { squad } = state;
  if (!squad.isOwn || squad.focus < 0) return [];
  if (squad.isBuilding) return buildingButtons(state);
  return state.menu === "build" && squad.counts[KIND.builder]! > 0 ? buildButtons(state) : orderButtons(state);
}

function orderButtons({ squad, aim }: CardState): CardButton[] {
  const hasBuilders = squad.counts[KIND.builder]! > 0;
  const hasFighters = squad.total > squad.counts[KIND.builder]!;
  const order = (
    action: Action,
    key: string,
    icon: IconName,
    name: string,
    words: string,
    isOn = false,
  ): CardButton => ({
    ...{ key, icon, name, words, isOn, cost: 0, disabled: "" },
    press: { do: "act", action },
  });
  const buttons = [
    order("go", "G", "go", "Go", "Goes there and ignores what it meets. Also: right click.", aim === "move"),
  ];
  if (hasFighters)
    buttons.push(
      order("attack", "A", "attack", "Attack", "Goes there and fights what it meets.", aim === "attackMove"),
      order("patrol", "P", "patrol", "Patrol", "Goes there and back, and fights what it meets.", aim === "patrol"),
      order("hold", "H", "hold", "Hold", "Stays here and shoots at what comes into range."),
    );
  buttons.push(order("stop", "S", "stop", "Stop", "Drops all orders."));
  if (hasBuilders)
    buttons.push(
      order(
        "repair",
        "R",
        "repair",
        "Repair",
        "Mends own pieces and goes on with unfinished buildings.",
        aim === "repair",
      ),
      order("build", "B", "build", "Build", "What shall be built?"),
    );
  return buttons;
}

function buildButtons({ canPay, placing }: CardState): CardButton[] {
  const buttons = BUILDING_KINDS.map((kind): CardButton => {
    const { cost } = BUILDINGS[kind];
    return {
      ...{ key: BUILD_KEYS[kind], icon: kind, name: KIND_NAMES[kind], words: KIND_WORDS[kind], cost },
      disabled: canPay(cost) ? "" : REFUSAL_WORDS.noOre,
      isOn: placing === kind,
      press: { do: "place", kind },
    };
  });
  return [...buttons, plain("back", "Esc", "back", "Back", "Back to the orders.")];
}

function buildingButtons({ squad, aim, trainingRefusal, queued }: CardState): CardButton[] {
  const kind = KINDS[squad.focus] as BuildingKind;
  const isFinished = squad.firstBuilt >= 100;
  const buttons = BUILDINGS[kind].trains.map((unit): CardButton => {
    const refusal = trainingRefusal(unit);
    return {
      ...{ key: TRAIN_KEYS[unit], icon: unit, name: KIND_NAMES[unit], words: KIND_WORDS[unit], cost: UNITS[unit].cost },
      disabled: isFinished ? (refusal === undefined ? "" : REFUSAL_WORDS[refusal]) : "Still under construction",
      isOn: false,
      press: { do: "train", kind: unit },
    };
  });
  if (buttons.length === 0) return [];
  return [
    ...buttons,
    { ...plain("rally", "Y", "rally", "Rally", "Where new units go. Also: right click."), isOn: aim === "rally" },
    {
      ...plain("cancel", "X", "cancel", "Cancel", "Takes the last unit out of the queue; its ore comes back."),
      disabled: queued > 0 ? "" : "Nothing is in the queue",
    },
  ];
}

function plain(
  what: "back" | "rally" | "cancel",
  key: string,
  icon: IconName,
  name: string,
  words: string,
): CardButton {
  return { key, icon, name, words, cost: 0, disabled: "", isOn: false, press: { do: what } };
}
