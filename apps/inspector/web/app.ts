/**
 * The page as a whole: one connection, one state, nine panels. Whatever changes asks for a new picture; at most one is made per frame, of
 * the open panel alone.
 */
import { find, setOptions, setText } from "./dom.ts";
import { feedAddress, type Game } from "./feed/address.ts";
import { type AskBody, AskError, Connection, type ConnectionState } from "./feed/connection.ts";
import { Watching, wantedWatches } from "./feed/watching.ts";
import type { Tell, Topic } from "./feed-types.ts";
import { count, counted, span } from "./format.ts";
import { Gate, gateWords } from "./gate.ts";
import { MapView } from "./map/map-view.ts";
import { AuditPanel } from "./panels/audit.ts";
import { ClientsPanel } from "./panels/clients.ts";
import { ClusterPanel } from "./panels/cluster.ts";
import { MapPanel } from "./panels/map.ts";
import { NetworkPanel } from "./panels/network.ts";
import { OverviewPanel } from "./panels/overview.ts";
import { RecorderPanel } from "./panels/recorder.ts";
import { ViewsPanel } from "./panels/views.ts";
import { WhyPanel } from "./panels/why.ts";
import { Playback } from "./playback.ts";
import { Rail } from "./rail.ts";
import { RecorderDesk } from "./recorder-desk.ts";
import { listenToKeys } from "./shortcuts.ts";
import { type Shown, shownLive } from "./shown.ts";
import { MAP_PANELS, type Panel, State } from "./state.ts";
import { Editor } from "./view/editor.ts";
import { ViewDesk } from "./view-desk.ts";

export interface AppStart {
  readonly games: readonly Game[];
  readonly feed: string | null;
  readonly token: string | undefined;
  /** Remembers the token for this tab. */
  readonly keepToken: (token: string) => void;
}

export class App {
  readonly state: State = new State();
  readonly editor: Editor = new Editor();
  readonly playback: Playback = new Playback();
  readonly #start: AppStart;
  readonly #watching = new Watching(
    (body) => this.ask(body),
    (topic, detail) => this.#watchRefused(topic, detail),
  );
  readonly #rail = new Rail((panel) => this.state.open(panel));
  readonly #gate: Gate;
  readonly #overview = new OverviewPanel();
  readonly #clients: ClientsPanel;
  readonly #audit: AuditPanel;
  readonly #map: MapPanel;
  readonly #why = new WhyPanel();
  readonly #views: ViewsPanel;
  readonly #viewDesk: ViewDesk;
  readonly #recorder: RecorderPanel;
  readonly #recorderDesk: RecorderDesk;
  readonly #network: NetworkPanel;
  readonly #cluster = new ClusterPanel();
  #connection: Connection | undefined;
  #connectionState: ConnectionState | "no-token" | "no-feed" = "no-token";
  #feed: string | null;
  #token: string | undefined;
  #frame = 0;

  constructor(start: AppStart) {
    const { state, editor, playback } = this;
    this.#start = start;
    this.#feed = start.feed ?? start.games[0]?.feed ?? null;
    this.#token = start.token;
    this.#gate = new Gate({ enter: (token) => this.#enter(token), retry: () => this.#retry() });
    this.#clients = new ClientsPanel((player) => state.select(player));
    this.#audit = new AuditPanel((player, object) => {
      state.select(player, object);
      state.open("why");
    });
    this.#viewDesk = new ViewDesk(this);
    this.#views = new ViewsPanel(state, editor, this.#viewDesk);
    this.#viewDesk.say = (text, isBad) => this.#views.say(text, isBad);
    this.#recorderDesk = new RecorderDesk(this);
    this.#recorder = new RecorderPanel(state, playback, this.#recorderDesk);
    this.#network = new NetworkPanel((player, preset) => this.#setPreset(player, preset));
    const view = new MapView(find("#map"), {
      onPick: (id, isShifted) => this.#pick(id, isShifted),
      onHandle: (kind, index, value) => {
        editor.moveHandle(kind, index, value);
        state.changed();
      },
    });
    this.#map = new MapPanel(state, editor, playback, view);
    find("#clear-heat").addEventListener("click", () => this.#clearHeat());
    find<HTMLSelectElement>("#room").addEventListener("change", (event) => {
      this.#changeRoom((event.target as HTMLSelectElement).value);
    });
    find("#map-why").addEventListener("click", () => state.open("why"));
    find("#notice-close").addEventListener("click", () => this.notify(""));
    find("#chart-span").addEventListener("change", () => state.changed());
    document.addEventListener("visibilitychange", () => state.changed());
    state.onChange(() => this.#render());
    this.#listenToKeys();
    this.#fillGames();
    this.#connect();
  }

  ask(body: AskBody): Promise<Tell> {
    return this.#connection?.ask(body) ?? Promise.reject(new AskError("lost", "There is no connection to the server"));
  }

  /** Says something above the panels; nothing takes it away but the operator or the next thing said. */
  notify(text: string): void {
    find("#notice").hidden = text === "";
    setText(find("#notice-text"), text);
  }

  #fillGames(): void {
    const { games } = this.#start;
    const select = find<HTMLSelectElement>("#game");
    find("#game-field").hidden = games.length < 2;
    setOptions(
      select,
      games.map(({ name, feed }) => [feed, name] as const),
    );
    if (this.#feed !== null) select.value = this.#feed;
    select.addEventListener("change", () => {
      this.#feed = select.value;
      history.replaceState(null, "", `?feed=${encodeURIComponent(select.value)}`);
      this.state.reset();
      this.editor.close();
      this.playback.clear();
      this.#connect();
    });
  }

  /** Clears what is shown, since it belongs to the room before. */
  #changeRoom(room: string): void {
    this.state.clearRoom();
    this.state.room = room;
    this.editor.close();
    this.playback.clear();
    this.state.changed();
  }

  #clearHeat(): void {
    this.ask({ ask: "clearHeat", room: this.state.room }).catch((error: unknown) => {
      this.notify(`The heat map was not begun anew: ${(error as Error).message}`);
    });
  }

  #enter(token: string): void {
    this.#token = token;
    this.#connect();
  }

  #retry(): void {
    if (
      this.#connectionState !== "no-token" &&
      this.#connectionState !== "no-feed" &&
      this.#connectionState.is === "lost"
    ) {
      this.#connection?.retryNow();
    } else location.reload();
  }

  #connect(): void {
    this.#connection?.close();
    this.#connection = undefined;
    const address = feedAddress(location.href, this.#feed);
    if (address === undefined || this.#token === undefined) {
      this.#connectionState = address === undefined ? "no-feed" : "no-token";
      this.#render();
      return;
    }
    const token = this.#token;
    this.#connection = new Connection(address, token, {
      onState: (state) => {
        this.#connectionState = state;
        if (state.is === "live") this.#start.keepToken(token);
        else this.#watching.forget();
        this.#render();
      },
      onTell: (tell) => this.#take(tell),
    });
  }

  #take(tell: Tell): void {
    this.state.take(tell);
    if (tell.tell === "report") this.#recorderDesk.fetchNew();
  }

  #watchRefused(topic: Topic, detail: string): void {
    if (topic === "preview") this.#views.say(detail, true);
    else if (topic !== "why")
      this.notify(`The server refused to show ${topic === "report" ? "its report" : `the ${topic}`}: ${detail}`);
  }

  #pick(id: number | undefined, isShifted: boolean): void {
    const { state } = this;
    const map = this.#map.shownMap;
    const owner = id === undefined ? 0 : (map?.owners[map.ids.indexOf(id)] ?? 0);
    if (owner !== 0 && (isShifted || state.player === undefined)) state.select(owner);
    else if (state.panel !== "views") state.select(state.player, id);
  }

  #setPreset(player: number, preset: string): void {
    this.ask({ ask: "conditions", room: this.state.room, player, preset }).catch((error: unknown) => {
      this.notify(`The conditions were not set: ${(error as Error).message}`);
    });
  }

  #render(): void {
    if (this.#frame !== 0) return;
    // A hidden tab gets no frames, but must say that it no longer watches.
    if (document.hidden) this.#watch();
    this.#frame = requestAnimationFrame((nowMs) => {
      this.#frame = 0;
      this.#recorder.tick(nowMs);
      this.#draw();
    });
  }

  #draw(): void {
    const { state, playback } = this;
    const { panel } = state;
    state.isPast = playback.isOn;
    const shown = this.#shown;
    const connection = this.#connectionState;
    const words = playback.isOn ? undefined : gateWords(connection);
    this.#gate.show(words);
    this.#rail.offer("cluster", state.welcome?.hasCluster === true || panel === "cluster");
    this.#rail.show(panel);
    this.#showBar(shown);
    this.#watch();
    this.#viewDesk.follow();
    this.#recorder.show();
    this.#showLack(MAP_PANELS.includes(panel) ? undefined : shown.lacksReport);
    if (MAP_PANELS.includes(panel)) this.#map.show(shown.why);
    if (panel === "overview") this.#overview.show(shown);
    else if (panel === "clients") this.#clients.show(shown);
    else if (panel === "audit") this.#audit.show(shown);
    else if (panel === "network") this.#network.show(shown);
    else if (panel === "cluster") this.#cluster.show(state.cluster, state.welcome?.hasCluster === true);
    else if (panel === "why") this.#why.show(shown);
    else if (panel === "views" && playback.isOn) this.#views.showRecorded(this.#map.recordedSets);
    else if (panel === "views") this.#views.show();
  }

  get #shown(): Shown {
    const { state, playback } = this;
    return playback.isOn ? playback.shown(state.player, state.object) : shownLive(state);
  }

  /** A recording that cannot fill a panel says so in its place. */
  #showLack(words: string | undefined): void {
    document.body.toggleAttribute("data-lacking", words !== undefined);
    find("#lack").hidden = words === undefined;
    setText(find("#lack"), words ?? "");
  }

  #showBar({ report, facts: known, isPlayback }: Shown): void {
    const { welcome } = this.state;
    const connection = this.#connectionState;
    const is = typeof connection === "string" ? "closed" : connection.is;
    document.body.dataset["state"] = this.playback.isOn ? "playback" : is;
    const live = {
      closed: "Closed",
      connecting: "Connecting …",
      live: "Live",
      lost: "No connection",
      refused: "Refused",
    }[is];
    setText(find("#live"), this.playback.isOn ? "Recording" : live);
    const isLost = typeof connection !== "string" && connection.is === "lost" && connection.everOpen;
    if (isLost) this.notify("The connection is lost; what is shown is the last that came. Trying again …");
    else if (find("#notice-text").textContent.startsWith("The connection is lost")) this.notify("");
    const facts =
      report === undefined || known === undefined
        ? ""
        : `round ${count(report.round)} · ${isPlayback ? "at" : "up"} ${span(isPlayback ? report.timeMs : report.process.uptimeMs)} · ${counted(report.players, "client")} · ${counted(report.objects, "object")}`;
    setText(find("#facts"), facts);
    const rooms = (welcome?.rooms ?? []).map(({ name }) => [name, name] as const);
    find("#room-field").hidden = rooms.length < 2;
    setOptions(find("#room"), rooms);
    find<HTMLSelectElement>("#room").value = this.state.room;
    find("#facts").dataset["round"] = String(report?.round ?? "");
  }

  #watch(): void {
    if (typeof this.#connectionState === "string" || this.#connectionState.is !== "live") return;
    const { state } = this;
    this.#watching.want(
      wantedWatches({
        room: state.room,
        panel: state.panel,
        player: state.player,
        object: state.object,
        others: this.#map.wantsPivots ? (state.report?.clients ?? []).map(({ player }) => player).slice(0, 16) : [],
        heat: this.#map.wantsHeat,
        hasCluster: state.welcome?.hasCluster === true,
        isPlayback: this.playback.isOn,
        isHidden: document.hidden,
        candidate: this.#viewDesk.candidate,
      }),
    );
  }

  #listenToKeys(): void {
    const { state, playback } = this;
    listenToKeys({
      open: (panel: Panel) => state.open(panel),
      nextClient: (step) => {
        const ids = (this.#shown.report?.clients ?? []).map(({ player }) => player);
        const at = ids.indexOf(state.player ?? -1);
        if (ids.length > 0)
          state.select(ids[(at < 0 && step < 0 ? ids.length - 1 : at + step + ids.length) % ids.length]);
      },
      toggle: (id) => find<HTMLInputElement>(`#${id}`).click(),
      record: () => find("#record-button").click(),
      run: () => {
        this.#recorder.toggleRun();
        state.changed();
      },
      step: (seconds) => {
        if (playback.isOn) playback.seek(playback.timeMs + seconds * 1000);
        state.changed();
      },
      clear: () => state.select(undefined, undefined),
    });
  }
}
