/**
 * One stay in the game on the page, from joining to leaving; matches come and go within it. Each animation frame:
 *
 *   steer → read → see → draw → write
 *
 * What the hands ask for is done between frames, by `Hand` and `Commander`, and shown in the next one.
 */

import type { LinkStatus } from "@nearfield/kit";
import { FrameTimes, type Sheets, type StageSize } from "@nearfield/kit/browser";
import { FIRST_BUILDING } from "../rules/kinds.ts";
import type { Phase } from "../state.ts";
import { Terrain } from "../terrain/terrain.ts";
import { Camera } from "./camera.ts";
import { Field } from "./field.ts";
import { Hand } from "./hand.ts";
import { Happenings } from "./happenings.ts";
import type { CardButton } from "./hud/card-buttons.ts";
import { Panels } from "./hud/panels.ts";
import type { Action } from "./input/intent.ts";
import type { Steering } from "./input/steering.ts";
import { Network } from "./network.ts";
import { Commander } from "./orders/commander.ts";
import { OWN, type Pieces } from "./picture.ts";
import type { PlayReport } from "./report.ts";
import { reportField } from "./reporting.ts";
import type { Scene } from "./scene.ts";
import { Chooser } from "./select/chooser.ts";
import { Selection } from "./select/selection.ts";
import { Squad } from "./select/squad.ts";
import type { Sound } from "./sound.ts";
import { Statistics } from "./statistics.ts";
import { ZonesShown } from "./zones-shown.ts";

/** Longest step of the camera, ms: a page that was hidden does not jump. */
const LONGEST_MS = 100;
const MANY = 5;

export interface PlayParts {
  readonly url: string;
  readonly name: string;
  readonly role: "player" | "spectator";
  readonly root: HTMLElement;
  readonly sheets: Sheets<LinkStatus>;
  readonly scene: Scene;
  readonly size: StageSize;
  readonly sound: Sound;
  readonly steering: Steering;
}

export class Play {
  readonly #parts: PlayParts;
  readonly #network: Network;
  readonly #camera = new Camera();
  readonly #selection = new Selection();
  readonly #squad = new Squad();
  readonly #chooser = new Chooser(this.#selection, this.#camera);
  readonly #commander: Commander;
  readonly hand: Hand;
  readonly #zones = new ZonesShown();
  readonly #statistics = new Statistics();
  readonly #times = new FrameTimes();
  readonly #life = new AbortController();
  readonly #happenings: Happenings;
  readonly #panels: Panels;
  #field: Field | undefined;
  #matchKey = "";
  #phase: Phase | "" = "";
  #menu: "orders" | "build" = "orders";
  /** A building that is placed closes the menu that it was chosen from. */
  #wasPlacing = false;
  #hasBegun = false;
  /** How long the match that is over lasted. */
  #duration = "";
  /** Whether the own side was out before the end, and whether its player has looked at that. */
  #isOut = false;
  #looksOn = false;
  #nowMs = 0;

  constructor(parts: PlayParts) {
    this.#parts = parts;
    const { sound, scene, root } = parts;
    const [camera, statistics] = [this.#camera, this.#statistics];
    const handlers = {
      press: (button: CardButton, many: boolean) => this.#press(button, many),
      only: (kind: number) => this.#selectOnly(kind),
      cancelTraining: () => this.#cancelTraining(),
      recall: (digit: number) => this.group(digit, "recall"),
      ready: () => this.#network.ready(),
      rematch: () => this.#network.rematch(),
    };
    const nowMs = () => this.#nowMs;
    // The parts below know each other; what they do to each other they do later.
    const self = this;
    const witness = {
      ...{ scene, camera, sound, statistics, nowMs },
      get toasts() {
        return self.#panels.toasts;
      },
      get alarms() {
        return self.#panels.alarms;
      },
      field: () => this.#field,
      ownSide: () => this.#network.ownSide,
      isPlaying: () => this.#phase === "play" && this.#hasBegun,
      refusedByServer: (reason: Parameters<Commander["refused"]>[0]) => this.#commander.refused(reason, this.#nowMs),
      joined: () => this.#forget(),
    };
    this.#happenings = new Happenings(witness);
    this.#network = new Network({ ...parts, nickname: parts.name, handlers: this.#happenings });
    this.#commander = new Commander({
      network: this.#network,
      squad: this.#squad,
      sound,
      refuse: (reason, x, y) => this.#happenings.refuse(reason, x, y),
    });
    const [network, chooser, commander, squad] = [this.#network, this.#chooser, this.#commander, this.#squad];
    this.hand = new Hand({ camera, chooser, commander, squad, sound, nowMs });
    const shared = { root, network, camera, chooser, commander, squad, zones: this.#zones, times: this.#times };
    this.#panels = new Panels({ ...shared, hand: this.hand, until: this.#life.signal }, handlers);
  }

  // ── the frame ──────────────────────────────────────────────────────────────────────────────────────────────────

  frame(nowMs: number): void {
    const startedMs = performance.now();
    const elapsedMs = Math.min(LONGEST_MS, nowMs - this.#nowMs);
    this.#nowMs = nowMs;
    this.#panels.sides.read(this.#network, nowMs);
    this.#enterMatch();
    const field = this.#field;
    if (field !== undefined) {
      this.#steer(elapsedMs);
      this.#read(field);
      field.see(nowMs);
      this.#draw(field, elapsedMs);
      this.#panels.write(field, this.#panelState);
    }
    this.#showSheet();
    this.#times.add(performance.now() - startedMs);
  }

  #steer(elapsedMs: number): void {
    const { size, steering, sheets } = this.#parts;
    size.fit(this.#camera);
    if (sheets.showing === "") steering.steer(this.#camera, elapsedMs);
    this.#camera.step(elapsedMs);
    this.#network.showCamera(this.#camera.rectangle());
  }

  #read(field: Field): void {
    const { purse } = this.#network;
    if (purse !== undefined) this.#statistics.watchOre(purse.ore);
    field.read(this.#network, this.#selection, this.hand.hovered(), this.#nowMs);
    const isThere = (id: number): boolean => this.#isKnown(field, id);
    this.#selection.prune(isThere);
    this.#chooser.groups.prune(isThere);
    if (this.#wasPlacing && this.hand.placing === undefined) this.#menu = "orders";
    this.#wasPlacing = this.hand.placing !== undefined;
    const { focus } = this.#squad;
    this.#squad.read(field);
    if (focus !== this.#squad.focus) this.#changed();
    this.#commander.routes.update(field, this.#nowMs);
    const works = this.#squad.isOwn && this.#squad.isBuilding ? this.#network.worksOf(this.#squad.firstId) : undefined;
    if (works !== undefined) this.#commander.routes.showRally(works.x, works.y, works.rallyX, works.rallyY);
    this.#commander.marks.prune(this.#nowMs);
  }

  #isKnown({ memory }: Field, id: number): boolean {
    const { units, buildings } = this.#network;
    return units.get(id) !== undefined || buildings.get(id) !== undefined || memory.get(id) !== undefined;
  }

  #draw(field: Field, elapsedMs: number): void {
    const { units, buildings, remembered, ore, fog, ownSide } = field;
    this.#parts.scene.draw(this.#camera, {
      nowMs: this.#nowMs,
      ownSide,
      colours: this.#panels.sides.colours,
      ...{ units, buildings, remembered, ore, fog },
      marks: this.#commander.marks.list,
      ghost: this.hand.ghost(),
      box: this.hand.box,
      paths: this.#commander.routes.shown,
      overlay: this.#zones.update(units, this.#camera, this.#nowMs, elapsedMs),
    });
  }

  get #panelState() {
    const { sound, steering } = this.#parts;
    return { nowMs: this.#nowMs, menu: this.#menu, muted: sound.muted, edges: steering.edges };
  }

  // ── matches ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Another client knows nothing of what the last one showed. */
  #forget(): void {
    this.#matchKey = "";
    this.#hasBegun = false;
  }

  #enterMatch(): void {
    const { match, ownSide, role } = this.#network;
    if (match === undefined) return;
    const key = `${match.seed} ${match.map} ${match.sides} ${ownSide}`;
    if (key !== this.#matchKey) {
      this.#matchKey = key;
      this.#layField(new Terrain({ seed: match.seed, map: match.map, sides: match.sides }), ownSide, role);
    }
    if (match.phase !== this.#phase) this.#turnPhase(match.phase);
    // What stands at the beginning has been told by now.
    if (this.#field !== undefined && this.#field.buildings.count > 0) this.#hasBegun = true;
    const own = this.#panels.sides.lines.find(({ side }) => side === ownSide);
    if (match.phase === "play" && own?.standing === false && !this.#isOut) {
      this.#isOut = true;
      this.#parts.sound.play("lose");
    }
  }

  #layField(terrain: Terrain, ownSide: number, role: string): void {
    const field = new Field(terrain, ownSide, role === "spectator");
    this.#field = field;
    this.#hasBegun = false;
    this.#selection.clear();
    this.#chooser.groups.clear();
    this.#commander.clear();
    this.hand.enter(field);
    this.#panels.enter(field);
    this.#parts.scene.enter(terrain);
    this.#parts.sound.listen(this.#camera);
    this.#parts.size.fit(this.#camera);
    this.#camera.fit(terrain);
    const start = terrain.starts[ownSide];
    if (start) this.#camera.cutTo(start.x, start.y);
  }

  #turnPhase(phase: Phase): void {
    const { sound } = this.#parts;
    if (phase === "over" && this.#phase === "play") {
      this.#duration = this.#statistics.duration(this.#nowMs);
      const hasWon = this.#network.match?.winner === this.#network.ownSide;
      if (!this.#isOut) sound.play(hasWon ? "win" : "lose");
    }
    if (phase !== "over") {
      this.#statistics.begin(this.#nowMs);
      this.#panels.lobby.reset();
      this.#panels.outcome.reset();
      this.#isOut = false;
    }
    this.#looksOn = false;
    this.#phase = phase;
  }

  /** Which sheet lies over the stage now. */
  #showSheet(): void {
    const { sheets } = this.#parts;
    const { status, match, role, ownSide, timeMs } = this.#network;
    if (status.kind !== "playing") return sheets.showStatus(status);
    if (match === undefined || this.#field === undefined) return sheets.showStatus({ kind: "joining" });
    const isSpectator = role === "spectator";
    const { sides, lobby, outcome } = this.#panels;
    if (match.phase === "waiting") {
      lobby.show(match, sides, ownSide, timeMs, isSpectator);
      return sheets.show("lobby");
    }
    const isDone = match.phase === "over" || this.#isOut;
    if (!isDone || this.#looksOn) return sheets.show("");
    outcome.show({
      ...{ match, ownSide, isSpectator, sides, timeMs, statistics: this.#statistics },
      orders: this.#commander.given,
      duration: this.#phase === "over" ? this.#duration : this.#statistics.duration(this.#nowMs),
    });
    sheets.show("outcome");
  }

  /** The result is put aside. */
  lookOn(): void {
    this.#looksOn = true;
  }

  // ── what keys and buttons ask for ──────────────────────────────────────────────────────────────────────────────

  act(action: Action, queued: boolean): void {
    const field = this.#field;
    if (field === undefined) return;
    const { hand } = this;
    switch (action) {
      case "attack":
      case "patrol":
      case "go":
      case "repair":
        if (this.#squad.isOwn && !this.#squad.isBuilding)
          hand.aimFor(({ attack: "attackMove", patrol: "patrol", go: "move", repair: "repair" } as const)[action]);
        break;
      case "stop":
      case "hold":
        hand.drop();
        this.#commander.stand(field, action, queued, this.#nowMs);
        break;
      case "build":
        this.#menu = "build";
        break;
      case "cycle":
        this.#squad.cycle();
        break;
      case "army":
        if (this.#chooser.army(field)) this.#parts.sound.play("select");
        break;
      case "idle":
        if (this.#chooser.idleBuilder(field)) this.#parts.sound.play("select");
        break;
      case "alarm":
        this.#goTo(this.#panels.alarms.last);
        break;
      case "centre":
        if (this.#squad.total > 0) this.#goTo(this.#squad);
        break;
      case "home":
        this.#goTo(homeOf(field.buildings) ?? field.terrain.starts[field.ownSide]);
        break;
      case "net":
        this.#zones.toggle();
        this.#parts.root.dataset["overlay"] = String(this.#zones.isOn);
        break;
      case "escape":
        this.#escape();
        break;
      default:
        break;
    }
    this.#panels.refreshCard();
  }

  /** A key of the command card. */
  card(key: string, many: boolean): boolean {
    const button = this.#panels.buttonOf(key);
    if (button === undefined) return false;
    this.#press(button, many);
    return true;
  }

  group(digit: number, how: "recall" | "set" | "add"): void {
    const field = this.#field;
    if (field === undefined) return;
    if (this.#network.role === "spectator") return this.#goTo(field.terrain.starts[digit - 1]);
    const { groups } = this.#chooser;
    if (how === "recall") {
      if (this.#chooser.recall(field, digit, this.#nowMs)) this.#parts.sound.play("select");
    } else if (this.#squad.isOwn) {
      groups[how](digit, this.#selection.ids);
      this.#panels.toasts.say(`${this.#selection.size} in group ${digit}`, "plain", this.#nowMs);
      this.#parts.sound.play("click");
    }
  }

  #goTo(place: { readonly x: number; readonly y: number } | undefined): void {
    if (place !== undefined) this.#camera.centre(place.x, place.y);
  }

  /** Lets go of the last thing begun: an aim, a menu, the selection. */
  #escape(): void {
    if (this.hand.drop()) return;
    if (this.#menu === "build") this.#menu = "orders";
    else this.#selection.clear();
  }

  #press(button: CardButton, many: boolean): void {
    const field = this.#field;
    const { press, disabled } = button;
    if (field === undefined) return;
    this.#parts.sound.wake();
    if (disabled !== "") {
      this.#panels.toasts.say(disabled, "bad", this.#nowMs);
      return this.#parts.sound.play("refused");
    }
    switch (press.do) {
      case "act":
        return this.act(press.action, many);
      case "place":
        this.hand.place(press.kind);
        break;
      case "train":
        this.#commander.train(field, press.kind, many ? MANY : 1);
        break;
      case "cancel":
        this.#cancelTraining();
        break;
      case "rally":
        this.hand.aimFor("rally");
        break;
      case "back":
        this.#escape();
        break;
    }
    this.#panels.refreshCard();
  }

  #cancelTraining(): void {
    if (this.#squad.isOwn && this.#squad.isBuilding) this.#commander.cancelTraining(this.#squad.firstId);
  }

  #selectOnly(kind: number): void {
    const field = this.#field;
    if (field === undefined) return;
    const isBuilding = kind >= FIRST_BUILDING;
    const pieces = isBuilding ? field.buildings : field.units;
    const wanted = isBuilding ? kind - FIRST_BUILDING : kind;
    const ids: number[] = [];
    for (let row = 0; row < pieces.count; row++)
      if (pieces.kind[row] === wanted && this.#selection.has(pieces.id[row]!)) ids.push(pieces.id[row]!);
    this.#selection.set(ids);
    this.#parts.sound.play("select");
  }

  /** Something else is in focus: what was begun with the last counts no more. */
  #changed(): void {
    this.#menu = "orders";
    this.hand.drop();
    this.#panels.refreshCard();
  }

  clearSelection(): void {
    this.hand.drop();
    this.#menu = "orders";
    this.#selection.clear();
  }

  close(): void {
    this.#parts.root.dataset["overlay"] = "false";
    this.#panels.clear();
    this.#life.abort();
    this.#network.close();
  }

  report(): PlayReport {
    const network = this.#network;
    const { x, y, zoom, rotation } = this.#camera;
    const { match } = network;
    return {
      status: network.status.kind,
      linkKind: network.linkKind,
      phase: match?.phase,
      winner: match?.winner,
      map: match?.map,
      seed: match?.seed,
      ownSide: network.ownSide,
      ore: network.purse?.ore ?? 0,
      ...reportField(this.#field, this.#camera),
      selected: this.#selection.size,
      aim: this.hand.aim ?? "",
      placing: this.hand.placing ?? "",
      fits: this.hand.ghost()?.fits,
      isBoxing: this.hand.box !== undefined,
      camera: { x, y, zoom, rotation },
      marks: this.#commander.marks.list.map(({ what, x, y, refused }) => ({ what, x, y, refused })),
      paths: this.#commander.routes.shown.length,
      overlay: this.#zones.isOn,
      orders: this.#commander.given,
      frame: { count: this.#times.count, p50: this.#times.percentile(0.5), p95: this.#times.percentile(0.95) },
    };
  }
}

/** The first own building: bases come first in a match. */
function homeOf({ count, flags, id, x, y }: Pieces): { readonly x: number; readonly y: number } | undefined {
  let best = -1;
  for (let row = 0; row < count; row++) if ((flags[row]! & OWN) !== 0 && (best < 0 || id[row]! < id[best]!)) best = row;
  return best < 0 ? undefined : { x: x[best]!, y: y[best]! };
}
