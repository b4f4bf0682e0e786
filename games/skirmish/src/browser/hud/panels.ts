/** Everything of the page around the stage, written once a frame where it changed. */

import { type FrameTimes, find, Writer } from "@nearfield/kit/browser";
import { KIND } from "../../rules/kinds.ts";
import type { Camera } from "../camera.ts";
import type { Field } from "../field.ts";
import type { Hand } from "../hand.ts";
import type { Network } from "../network.ts";
import type { Commander } from "../orders/commander.ts";
import { OWN } from "../picture.ts";
import { type Chooser, isIdleBuilder } from "../select/chooser.ts";
import type { Squad } from "../select/squad.ts";
import { clockWords } from "../statistics.ts";
import type { ZonesShown } from "../zones-shown.ts";
import { Alarms } from "./alarms.ts";
import { Card } from "./card.ts";
import { buttonsOf, type CardButton } from "./card-buttons.ts";
import { Hud } from "./hud.ts";
import { Lobby } from "./lobby.ts";
import { Minimap } from "./minimap.ts";
import { NetPanel } from "./net-panel.ts";
import { Outcome } from "./outcome.ts";
import { SelectionPanel } from "./selection-panel.ts";
import { Sides } from "./sides.ts";
import { Toasts } from "./toasts.ts";

/** What the card says is worked out this often, and whenever something is pressed. */
const CARD_MS = 100;

export interface PanelHandlers {
  press(button: CardButton, many: boolean): void;
  only(kind: number): void;
  cancelTraining(): void;
  recall(digit: number): void;
  ready(): void;
  rematch(): void;
}

export interface PanelParts {
  readonly root: HTMLElement;
  readonly network: Network;
  readonly camera: Camera;
  readonly hand: Hand;
  readonly chooser: Chooser;
  readonly commander: Commander;
  readonly squad: Squad;
  readonly zones: ZonesShown;
  readonly times: FrameTimes;
  /** Until then the buttons of the page are for this play. */
  readonly until: AbortSignal;
}

export interface PanelState {
  readonly nowMs: number;
  readonly menu: "orders" | "build";
  readonly muted: boolean;
  readonly edges: boolean;
}

export class Panels {
  readonly #parts: PanelParts;
  readonly #write: Writer;
  readonly #hud: Hud;
  readonly #card: Card;
  readonly #selected: SelectionPanel;
  readonly #map: Minimap;
  readonly #net: NetPanel;
  readonly sides: Sides;
  readonly lobby: Lobby;
  readonly outcome: Outcome;
  readonly toasts: Toasts;
  readonly alarms: Alarms = new Alarms();
  #cardMs = Number.NEGATIVE_INFINITY;

  constructor(parts: PanelParts, handlers: PanelHandlers) {
    const { root, hand, until } = parts;
    this.#parts = parts;
    const write = new Writer(root);
    this.#write = write;
    this.#hud = new Hud(root, write, handlers.recall);
    this.#card = new Card(root, handlers.press);
    this.#selected = new SelectionPanel(root, write, { only: handlers.only, cancel: handlers.cancelTraining });
    this.#map = new Minimap(find<HTMLCanvasElement>("#map", root), until, {
      goTo: (x, y) => hand.goTo(x, y),
      order: (x, y, queued) => hand.orderOnMap(x, y, queued),
    });
    this.#net = new NetPanel(write);
    this.sides = new Sides(write);
    this.lobby = new Lobby(root, write, until, handlers.ready);
    this.outcome = new Outcome(root, write, until, handlers.rematch);
    this.toasts = new Toasts(root);
  }

  enter(field: Field): void {
    this.#map.enter(field.terrain);
    this.alarms.clear();
    this.toasts.clear();
  }

  /** The card shows something else from the next frame on. */
  refreshCard(): void {
    this.#cardMs = Number.NEGATIVE_INFINITY;
  }

  buttonOf(key: string): CardButton | undefined {
    return this.#card.byKey(key);
  }

  write(field: Field, state: PanelState): void {
    const { network, camera, chooser, squad, zones } = this.#parts;
    const { nowMs } = state;
    const match = network.match;
    this.#hud.show(
      {
        purse: network.purse,
        idleBuilders: idleBuilders(field),
        clock: match?.phase === "play" ? clockWords(match.endsMs - network.timeMs) : "",
        status: network.status,
        pingMs: network.roundTripMs,
        linkKind: network.linkKind,
        muted: state.muted,
        edges: state.edges,
      },
      chooser.groups,
    );
    this.#write.hidden("alarm", !this.alarms.isFresh(nowMs));
    this.#write.hidden("army", !hasFighters(field));
    this.sides.show(field, field.ownSide, network.role === "spectator");
    this.#map.draw(field, camera, this.sides.colours, this.alarms.list, nowMs);
    this.#selected.show(squad, field, network.worksOf(squad.firstId), this.sides.nameOf(squad.side));
    if (nowMs - this.#cardMs > CARD_MS) this.#showCard(state);
    this.#write.text("aim", this.#aimWords());
    this.#write.hidden("aim", this.#aimWords() === "");
    this.toasts.update(nowMs);
    if (!zones.isOn) return;
    this.#net.count(field, zones, network.roundMs, nowMs);
    const { linkKind, roundTripMs, roundMs, traffic } = network;
    this.#net.show({ ...traffic, linkKind, roundTripMs, roundMs, times: this.#parts.times }, nowMs);
  }

  clear(): void {
    this.toasts.clear();
    this.#card.show([]);
  }

  #showCard({ menu, nowMs }: PanelState): void {
    const { squad, hand, commander, network } = this.#parts;
    this.#cardMs = nowMs;
    const queued = network.queueOf(squad.firstId);
    this.#card.show(
      buttonsOf({
        squad,
        menu,
        queued,
        aim: hand.aim,
        placing: hand.placing,
        canPay: (cost) => commander.canPay(cost),
        trainingRefusal: (kind) => commander.trainingRefusal(kind, queued),
      }),
    );
    // Fingers have no key that lets go.
    this.#write.hidden("drop", squad.total === 0);
  }

  #aimWords(): string {
    const { aim, placing } = this.#parts.hand;
    if (placing !== undefined) return "Choose a place · Esc lets go";
    return aim === undefined ? "" : "Choose where · Esc lets go";
  }
}

function hasFighters({ units: { count, flags, kind } }: Field): boolean {
  for (let row = 0; row < count; row++) if ((flags[row]! & OWN) !== 0 && kind[row] !== KIND.builder) return true;
  return false;
}

function idleBuilders({ units }: Field): number {
  let count = 0;
  for (let row = 0; row < units.count; row++) if (isIdleBuilder(units, row)) count++;
  return count;
}
