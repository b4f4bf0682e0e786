/** Around the map: pickers of client and object, what is drawn, and the scene that is handed to the map. */

import { find, make, setOptions, setText } from "../dom.ts";
import type { DrawnSet, DrawnView, LevelTell, MapTell, TypeSummary, WhyShown } from "../feed-types.ts";
import { setFigure } from "../figures.ts";
import { count, counted, short, span } from "../format.ts";
import { typeColour } from "../map/colours.ts";
import type { MapView } from "../map/map-view.ts";
import { type Rings, ringsOf, type Scene, worldOf } from "../map/scene.ts";
import type { Playback } from "../playback.ts";
import type { State } from "../state.ts";
import type { Editor } from "../view/editor.ts";
import { isLocal } from "./clients.ts";

/** Objects in the list: the nearest ones; the map has them all. */
const MOST_LISTED = 100;

export class MapPanel {
  readonly #state: State;
  readonly #editor: Editor;
  readonly #playback: Playback;
  readonly #map: MapView;
  readonly #hiddenTypes = new Set<number>();
  #why: WhyShown | undefined;
  readonly #pickClient = find<HTMLSelectElement>("#pick-client");
  readonly #pickObject = find<HTMLSelectElement>("#pick-object");

  constructor(state: State, editor: Editor, playback: Playback, map: MapView) {
    this.#state = state;
    this.#editor = editor;
    this.#playback = playback;
    this.#map = map;
    this.#pickClient.addEventListener("change", () => state.select(chosen(this.#pickClient)));
    this.#pickObject.addEventListener("change", () => state.select(state.player, chosen(this.#pickObject)));
    for (const id of ["zones", "pivots", "level", "names", "heat"])
      find(`#show-${id}`).addEventListener("change", () => state.changed());
    find("#follow").addEventListener("change", () => state.changed());
    find("#map-in").addEventListener("click", () => map.zoom(1.4));
    find("#map-out").addEventListener("click", () => map.zoom(1 / 1.4));
    find("#map-fit").addEventListener("click", () => map.fitWorld());
    map.follow = () => (find<HTMLInputElement>("#follow").checked ? this.#view()?.pivots[0] : undefined);
  }

  get wantsHeat(): boolean {
    return find<HTMLInputElement>("#show-heat").checked;
  }

  get wantsPivots(): boolean {
    return find<HTMLInputElement>("#show-pivots").checked;
  }

  /** The map that is shown: live, or the recording's. */
  get shownMap(): MapTell | undefined {
    return this.#playback.frame?.map ?? this.#state.map;
  }

  get #types(): readonly TypeSummary[] {
    return this.#playback.isOn ? this.#playback.facts.types : (this.#state.welcome?.types ?? []);
  }

  #view(): DrawnView | undefined {
    return this.shownMap?.views.find(({ player }) => player === this.#state.player);
  }

  /** The selected client's view at the playhead. */
  get recordedSets(): readonly DrawnSet[] | undefined {
    const view = this.#view();
    return view === undefined ? undefined : this.shownMap?.looks[view.look];
  }

  /** @param why what "why?" says of the selected pair, if it is asked */
  show(why: WhyShown | undefined): void {
    this.#why = why;
    const map = this.shownMap;
    const types = this.#types;
    this.#showPickers(map, types);
    const empty = find("#map-empty");
    empty.hidden = map !== undefined && map.ids.length > 0;
    setText(
      empty,
      map === undefined ? "Waiting for the map …" : "No object with a place in space is in this world yet.",
    );
    if (map === undefined) return;
    find("#panel-map").dataset["round"] = String(map.round);
    this.#showTypes(map, types);
    setText(find("#map-note"), this.#note(map));
    find("#clear-heat").hidden = this.#playback.isOn;
    this.#map.show(this.#scene(map, types));
  }

  #note(map: MapTell): string {
    const walls = this.#level(map)?.leftOut ?? 0;
    const left =
      (map.leftOut > 0 ? `, ${count(map.leftOut)} more not drawn` : "") +
      (walls > 0 ? `, ${counted(walls, "wall")} not drawn` : "");
    const when = this.#playback.isOn ? `recorded at ${span(map.timeMs)}` : `round ${count(map.round)}`;
    return `${counted(map.ids.length, "object")}${left} · ${when}`;
  }

  #scene(map: MapTell, types: readonly TypeSummary[]): Scene {
    const { player, object, panel } = this.#state;
    const others = this.wantsPivots ? map.views.filter((view) => view.player !== player) : [];
    return {
      map,
      types,
      world: worldOf(types),
      hiddenTypes: this.#hiddenTypes,
      rings: this.#rings(map),
      otherPivots: others.flatMap(({ pivots }) => pivots),
      names: this.#names(map),
      showNames: find<HTMLInputElement>("#show-names").checked,
      selectedObject: panel === "why" || panel === "map" ? object : undefined,
      player,
      heat: this.wantsHeat ? (this.#playback.isOn ? this.#playback.heat : this.#state.heat) : undefined,
      level: find<HTMLInputElement>("#show-level").checked ? this.#level(map) : undefined,
    };
  }

  #level(map: MapTell): LevelTell | undefined {
    return this.#playback.isOn ? this.#playback.level(map.level) : this.#state.levelOf(map);
  }

  #rings(map: MapTell): Rings[] {
    const view = this.#view();
    if (view === undefined) return [];
    if (this.#state.panel === "views" && !this.#playback.isOn) return this.#editor.rings(view.pivots);
    if (!find<HTMLInputElement>("#show-zones").checked) return [];
    const sets = map.looks[view.look] ?? [];
    // Asked about one object, the zones of its own set are the ones that matter.
    const own = this.#state.panel === "why" && this.#why !== undefined ? sets[this.#why.set] : undefined;
    return ringsOf(own === undefined ? sets : [own], view.pivots);
  }

  #names(map: MapTell): ReadonlyMap<number, string> {
    const clients = this.#state.report?.clients ?? [];
    const list = this.#playback.isOn ? map.views : clients.toSorted((a, b) => Number(isLocal(a)) - Number(isLocal(b)));
    return new Map(list.map(({ player, nickname }) => [player, nickname]));
  }

  #showTypes(map: MapTell, types: readonly TypeSummary[]): void {
    const list = find("#type-list");
    const placed = types.map((type, index) => ({ ...type, index })).filter(({ axes }) => axes > 0);
    const key = placed.map(({ name, index }) => `${index} ${name}`).join();
    if (list.dataset["key"] !== key) {
      list.dataset["key"] = key;
      this.#hiddenTypes.clear();
      list.replaceChildren(...placed.map(({ name, index }) => this.#typeRow(name, index)));
    }
    const counts = new Map<number, number>();
    for (const type of map.types) counts.set(type, (counts.get(type) ?? 0) + 1);
    for (const { index } of placed)
      setFigure(list, `objects.${index}`, counts.get(index) ?? 0, count(counts.get(index) ?? 0));
  }

  #typeRow(name: string, index: number): HTMLElement {
    const box = make("input", { type: "checkbox" });
    box.checked = true;
    box.addEventListener("change", () => {
      if (box.checked) this.#hiddenTypes.delete(index);
      else this.#hiddenTypes.add(index);
      this.#state.changed();
    });
    const swatch = make("i", { style: `--c: ${typeColour(index)}` });
    return make("li", {}, make("label", {}, box, swatch, name, make("b", { "data-figure": `objects.${index}` })));
  }

  #showPickers(map: MapTell | undefined, types: readonly TypeSummary[]): void {
    const { player, object } = this.#state;
    const names = map === undefined ? new Map<number, string>() : this.#names(map);
    const clients = [...names].map(([id, nickname]) => [String(id), nickname] as const);
    setOptions(this.#pickClient, [["", clients.length > 0 ? "none" : "no clients yet"], ...clients]);
    this.#pickClient.value = String(player ?? "");
    const objects = map === undefined ? [] : this.#nearest(map, object);
    const label = (index: number): string => {
      const owner = names.get(map!.owners[index]!);
      return `${types[map!.types[index]!]?.name ?? "object"} #${map!.ids[index]}${owner === undefined ? "" : ` of ${owner}`}`;
    };
    // A list that changes under the pointer cannot be used.
    if (document.activeElement !== this.#pickObject) {
      setOptions(this.#pickObject, [
        ["", "none"],
        ...objects.map((index) => [String(map!.ids[index]), label(index)] as const),
      ]);
    }
    this.#pickObject.value = String(object ?? "");
    const at = map?.ids.indexOf(object ?? -1) ?? -1;
    const where = at < 0 ? "" : `${label(at)} at ${short(map!.x[at]!)}, ${short(map!.y[at]!)}. `;
    setText(find("#map-picked"), where);
    find("#map-why").hidden = object === undefined;
  }

  /** Indices of the objects nearest to the client's pivot, in the order of their ids; the selected one is always among them. */
  #nearest(map: MapTell, selected: number | undefined): number[] {
    const pivot = this.#view()?.pivots[0];
    const indices = map.ids.map((_, index) => index);
    if (pivot !== undefined) {
      const distance = (index: number): number => Math.hypot(map.x[index]! - pivot.x, map.y[index]! - pivot.y);
      indices.sort((a, b) => distance(a) - distance(b));
    }
    const near = indices.slice(0, MOST_LISTED);
    const at = map.ids.indexOf(selected ?? -1);
    if (at >= 0 && !near.includes(at)) near.push(at);
    return near.sort((a, b) => map.ids[a]! - map.ids[b]!);
  }
}

function chosen(select: HTMLSelectElement): number | undefined {
  return select.value === "" ? undefined : Number(select.value);
}
