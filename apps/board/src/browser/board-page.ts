/**
 * The page at work. Each frame: confirm → send → suppose → look → draw. What the person asks for is shown at once (`suppose`), kept until the server
 * has confirmed it (`Outbox`), and can be taken back (`History`).
 */

import { find } from "@nearfield/kit/browser";
import type { RefusalOfBoard } from "../shared.ts";
import { Banner } from "./banner.ts";
import { type Box, Camera } from "./camera.ts";
import type { Desk, Tool, ToolName } from "./desk.ts";
import { Minimap } from "./draw/minimap.ts";
import { Scene } from "./draw/scene.ts";
import { Editor } from "./editor.ts";
import { type Action, History } from "./history.ts";
import { type KeyActions, listenToKeys } from "./input/keys.ts";
import { Pointers } from "./input/pointers.ts";
import { Jump } from "./jump.ts";
import { Leftovers } from "./leftovers.ts";
import { NetPanel } from "./net-panel.ts";
import { Network } from "./network.ts";
import { Outbox } from "./outbox.ts";
import { Paper } from "./paper.ts";
import { PeopleList } from "./people-list.ts";
import type { BoardReport } from "./report.ts";
import type { Request } from "./requests.ts";
import type { Screens } from "./screens.ts";
import { Scribe } from "./scribe.ts";
import type { ShownThing } from "./thing.ts";
import { Toasts } from "./toasts.ts";
import { Toolbar } from "./toolbar.ts";
import { EraserTool, erase, inParts } from "./tools/eraser.ts";
import { PenTool } from "./tools/pen.ts";
import { SelectTool } from "./tools/select.ts";
import { openNewNote, WritingTool } from "./tools/writing.ts";

const REFUSALS: Readonly<Record<RefusalOfBoard, string>> = {
  "too-fast": "That was too fast for the board; a part was left out.",
  "board-full": "The board is full. Erase something first.",
  "too-many": "You have as many things on the board as one person may have. Erase some first.",
  "not-yours": "Only its author can erase that, while they are here.",
  outside: "There the board ends.",
  "bad-ink": "The board could not read that stroke.",
};

export interface BoardPageOptions {
  readonly root: HTMLElement;
  readonly url: string;
  readonly name: string;
  readonly screens: Screens;
}

export class BoardPage implements Desk {
  readonly camera: Camera = new Camera();
  readonly paper: Paper = new Paper();
  readonly history: History = new History();
  readonly editor: Editor;
  readonly selection: Set<number> = new Set();
  readonly doomed: Set<number> = new Set();
  band: Box | undefined;
  colour = 1;
  size = 1;
  readonly #root: HTMLElement;
  readonly #screens: Screens;
  readonly #network: Network;
  readonly #outbox = new Outbox();
  readonly #scribe: Scribe;
  readonly #scene: Scene;
  readonly #minimap: Minimap;
  readonly #pointers: Pointers;
  readonly #toolbar: Toolbar;
  readonly #people: PeopleList;
  readonly #netPanel: NetPanel;
  readonly #banner: Banner;
  readonly #toasts: Toasts;
  readonly #leftovers: Leftovers;
  readonly #tools: Readonly<Record<ToolName, Tool>>;
  #tool: ToolName = "select";
  #overlay = false;
  #jump: Jump | undefined;
  #lastMs = 0;

  constructor({ root, url, name, screens }: BoardPageOptions) {
    this.#root = root;
    this.#screens = screens;
    this.#toasts = new Toasts(find("#toasts", root));
    this.#leftovers = new Leftovers(root, (words) => this.#putDown(words));
    this.#network = new Network(url, name, {
      joined: (client) => {
        this.paper.follow(client, () => performance.now());
        this.#outbox.renew();
        this.#scribe.follow(client);
      },
      refused: (_, reason) => this.say(REFUSALS[reason]),
    });
    this.#scribe = new Scribe({
      client: () => this.#network.client,
      changed: (_, id) => this.#network.client && this.paper.reread(this.#network.client, { id }),
      raise: (key) => this.#outbox.add({ kind: "raise", keys: [key] }),
      leftover: (words) => this.#leftovers.add(words),
    });
    this.editor = new Editor({
      root,
      network: this.#network,
      scribe: this.#scribe,
      put: (sheet) => this.#do({ kind: "add", things: [{ kind: "put", ...sheet }] }),
      wrote: (key, before, after) => this.history.add({ kind: "write", key, before, after }),
      say: (words) => this.say(words),
      writerOf: (key) => this.#writerOf(key),
    });
    const select = new SelectTool(this, () => performance.now());
    this.#tools = {
      select,
      pen: new PenTool(this),
      note: new WritingTool(this, false),
      text: new WritingTool(this, true),
      eraser: new EraserTool(this),
    };
    const canvas = find<HTMLCanvasElement>("#stage", root);
    this.#scene = new Scene(canvas, this.camera);
    this.#minimap = new Minimap(find<HTMLCanvasElement>("#map", root), this.camera);
    this.#pointers = new Pointers({
      canvas,
      camera: this.camera,
      tool: () => this.#tools[this.#tool],
      pans: (press) => press.isTouch && this.#tool === "select" && !select.wouldTake(press),
      pressed: () => this.editor.close(),
    });
    this.#toolbar = new Toolbar(root, this.#actions());
    this.#people = new PeopleList(find("#people", root), (number) => this.#jumpTo(number));
    this.#netPanel = new NetPanel(root);
    this.#banner = new Banner(root);
    listenToKeys(this.#actions());
  }

  retry(): void {
    this.#network.retry();
  }

  // ── the frame ──────────────────────────────────────────────────────────────────────────────────────────────────

  frame(nowMs: number): void {
    const elapsedMs = Math.min(100, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    const network = this.#network;
    this.#outbox.confirm(network.isLive ? network.client!.confirmed : 0);
    if (network.isLive) this.#outbox.pump(elapsedMs, (request) => network.send(request));
    this.#scribe.settle(nowMs);
    this.paper.suppose(this.#outbox.entries);
    for (const key of this.selection) if (this.paper.get(key) === undefined) this.selection.delete(key);
    this.camera.step(elapsedMs);
    network.look(this.camera.rectangle, this.#pointers.over, nowMs);
    this.#draw(nowMs);
  }

  #draw(nowMs: number): void {
    const { camera, paper, selection, doomed, band } = this;
    const network = this.#network;
    const people = network.people();
    const jump = this.#jump;
    if (
      jump?.aim(
        people.find(({ number }) => number === jump.number),
        nowMs,
      ) === false
    )
      this.#jump = undefined;
    const editing = this.editor.key;
    this.#scene.draw({
      camera,
      paper,
      network,
      people,
      selection,
      doomed,
      band,
      editing,
      overlay: this.#overlay,
      nowMs,
    });
    this.#minimap.draw(paper, people, camera, nowMs);
    this.editor.frame(camera, nowMs);
    this.#people.show(people, network.timeMs);
    this.#toolbar.show({
      tool: this.#tool,
      colour: this.colour,
      size: this.size,
      zoom: camera.goal.zoom,
      canUndo: this.history.canUndo,
      canRedo: this.history.canRedo,
      selected: selection.size,
      overlay: this.#overlay,
    });
    if (this.#overlay) this.#netPanel.show(network, nowMs);
    this.#banner.show(network.status, this.#outbox.waiting + this.#waitingTexts, network.silentMs(nowMs));
    this.#screens.show(network.status);
    const isEmpty = paper.count === 0 && editing === undefined && network.drafts().length === 0;
    find("#empty", this.#root).hidden = !isEmpty || !network.isLive;
    const stage = find("#stage", this.#root);
    stage.dataset["hand"] = String(this.#pointers.isPanning || this.#pointers.holdsSpace);
    find("#not-live", this.#root).hidden = this.#scene.notLive === 0 || this.#overlay;
  }

  get #waitingTexts(): number {
    return this.#network.isLive ? 0 : this.#scribe.unconfirmed;
  }

  // ── what tools work with ───────────────────────────────────────────────────────────────────────────────────────

  get self(): number {
    return this.#network.session;
  }

  mayErase({ author, id }: ShownThing): boolean {
    return id === undefined || author === this.self || !this.#network.people().some(({ number }) => number === author);
  }

  ask(request: Request): void {
    if (this.#outbox.add(request) === undefined) this.say("Too much waits to be sent. Wait for the connection.");
    this.paper.suppose(this.#outbox.entries);
  }

  newKey(): number {
    const [key] = crypto.getRandomValues(new Uint32Array(1));
    return this.paper.get(key!) === undefined ? key! : this.newKey();
  }

  use(tool: ToolName): void {
    if (this.#tool === tool) return;
    this.#tools[this.#tool].cancel();
    this.#tool = tool;
    if (tool !== "select") this.selection.clear();
  }

  say(words: string): void {
    this.#toasts.say(words);
  }

  /** Does something that can be taken back. */
  #do(action: Action): void {
    this.history.add(action);
    this.#carryOut(action);
  }

  #carryOut(action: Action): void {
    switch (action.kind) {
      case "add":
        for (const thing of action.things) this.ask(thing);
        return;
      case "erase":
        for (const keys of inParts(action.things.map(({ key }) => key))) this.ask({ kind: "erase", keys });
        return;
      case "move":
        for (const keys of inParts(action.keys)) this.ask({ kind: "move", keys, dx: action.dx, dy: action.dy });
        return;
      case "paint":
        for (const { key, after } of action.things) this.ask({ kind: "paint", keys: [key], colour: after });
        return;
      case "write":
        this.#scribe.write(action.key, action.before, action.after);
    }
  }

  /** Words that were left over go on a new note in the middle of the screen. */
  #putDown(words: string): void {
    const { x, y } = this.camera;
    const key = this.newKey();
    this.#do({ kind: "add", things: [{ kind: "put", key, x, y, colour: 1, size: 1, plain: false, words }] });
  }

  #writerOf(key: number): { name: string; words: string } | undefined {
    const draft = this.#network.drafts().find((each) => each.key === key);
    const person = draft && this.#network.people().find(({ number }) => number === draft.number);
    return person && { name: person.name, words: draft.words };
  }

  #jumpTo(number: number): void {
    if (number !== this.self) this.#jump = new Jump(this.camera, number, performance.now());
  }

  // ── buttons and keys ───────────────────────────────────────────────────────────────────────────────────────────

  get #selected(): ShownThing[] {
    return [...this.selection].map((key) => this.paper.get(key)).filter((thing) => thing !== undefined);
  }

  #actions(): KeyActions & { size(index: number): void } {
    const middle = (): [number, number] => [this.camera.width / 2, this.camera.height / 2];
    return {
      use: (tool) => this.use(tool),
      colour: (index) => this.#paint(index),
      size: (index) => {
        this.size = index;
      },
      undo: () => this.#travel(this.history.undo(), "There is nothing of yours to take back."),
      redo: () => this.#travel(this.history.redo(), "There is nothing to do again."),
      erase: () => this.#eraseSelected(),
      selectAll: () => {
        for (const { key } of this.paper.all()) this.selection.add(key);
      },
      escape: () => this.#escape(),
      write: () => this.#write(),
      nudge: (dx, dy) => this.#nudge(dx, dy),
      zoom: (factor) => this.camera.glideTo(this.camera, this.camera.goal.zoom * factor),
      zoomTo: (zoom) => this.camera.zoomAt(...middle(), zoom / this.camera.zoom),
      showAll: () => this.#showAll(),
      overlay: () => {
        this.#overlay = !this.#overlay;
        this.#root.dataset["overlay"] = String(this.#overlay);
      },
      help: () => this.#screens.toggleHelp(),
      space: (held) => {
        this.#pointers.holdsSpace = held;
      },
    };
  }

  #travel(action: Action | undefined, otherwise: string): void {
    if (action === undefined) this.say(otherwise);
    else this.#carryOut(action);
  }

  /** Sets the colour of new things, and of those that are selected. */
  #paint(colour: number): void {
    this.colour = colour;
    const things = this.#selected.filter((thing) => thing.colour !== colour);
    if (things.length === 0) return;
    this.#do({
      kind: "paint",
      things: things.map((thing) => ({ key: thing.key, before: thing.colour, after: colour })),
    });
  }

  #eraseSelected(): void {
    const things = this.#selected;
    if (things.length > 0 && !things.some((thing) => this.mayErase(thing))) this.say(REFUSALS["not-yours"]);
    erase(this, things);
  }

  #escape(): void {
    if (this.#screens.isHelpOpen) this.#screens.toggleHelp();
    this.#tools[this.#tool].cancel();
    this.selection.clear();
    this.use("select");
  }

  /** Writes on the one note that is selected, or on a new one where the pointer is. */
  #write(): void {
    const [only] = this.#selected;
    if (only?.kind === "note" && this.selection.size === 1) this.editor.openNote(only);
    else openNewNote(this, this.#pointers.over ?? this.camera, false);
  }

  #nudge(dx: number, dy: number): void {
    if (this.selection.size === 0) this.camera.panBy(-dx * 20, -dy * 20);
    else this.#do({ kind: "move", keys: [...this.selection], dx, dy });
  }

  #showAll(): void {
    const box = this.paper.boxOf(this.paper.all());
    if (box === undefined) this.camera.zoomAt(this.camera.width / 2, this.camera.height / 2, 1 / this.camera.zoom);
    else this.camera.glideToShow(box.left, box.top, box.right, box.bottom);
  }

  // ── for tests ──────────────────────────────────────────────────────────────────────────────────────────────────

  report(): BoardReport {
    const { camera } = this;
    const things = Array.from(this.paper.all()).filter(({ erased }) => !erased);
    return {
      status: this.#network.status.kind,
      self: this.self,
      tool: this.#tool,
      zoom: camera.zoom,
      x: camera.x,
      y: camera.y,
      things: things.map((thing) => {
        const { key, kind, x, y, colour, author, waits, box } = thing;
        return {
          key,
          kind,
          x,
          y,
          colour,
          author,
          waits,
          words: thing.kind === "note" ? thing.words : "",
          screenX: camera.screenX((box.left + box.right) / 2),
          screenY: camera.screenY((box.top + box.bottom) / 2),
        };
      }),
      selected: this.selection.size,
      people: this.#network.people().map(({ name, away, isPointing: pointing }) => ({ name, away, pointing })),
      drafts: this.#network.drafts().map(({ words }) => words),
      unconfirmed: this.#outbox.entries.length + this.#scribe.unconfirmed,
      notLive: this.#scene.notLive,
    };
  }
}
