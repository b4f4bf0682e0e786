/**
 * The picture of the cluster: the world from above, each slice in its owner's colour, the deeper the more objects lie in its area, and an arrow wherever
 * objects have changed their server in the last seconds.
 */

import type { FlowRate } from "./cluster-series.ts";
import type { ClusterSlice, ClusterPicture as Picture } from "./feed-types.ts";
import { typeColour } from "./map/colours.ts";

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

type Extent = readonly (readonly [number, number] | null)[];

/** The picture is this wide, in units of its own; as high as the world is, in proportion. */
const WIDTH = 1000;
/** Without limits of its own the world is drawn from the cuts, with so much around them, world units. */
const AROUND = 1000;
/** Slices that are thinner are not drawn. */
const LEAST_SIDE = 3;
/** Opacity of an empty slice, and of the densest one. */
const SHADES = [0.16, 0.72] as const;

export class ClusterPicture {
  readonly #svg: SVGSVGElement;

  constructor(svg: SVGSVGElement) {
    this.#svg = svg;
  }

  show(extent: Extent, picture: Picture, flows: readonly FlowRate[]): void {
    const world = { x: rangeOf(extent, picture, 0), y: rangeOf(extent, picture, 1) };
    const scale = WIDTH / (world.x[1] - world.x[0]);
    const height = (world.y[1] - world.y[0]) * scale;
    this.#svg.setAttribute("viewBox", `0 0 ${WIDTH} ${height.toFixed(0)}`);
    // What lies outside of the world has no area here.
    const drawn = picture.slices
      .map((slice) => ({ slice, box: boxOf(slice, world, scale) }))
      .filter(({ box }) => Math.min(box.width, box.height) >= LEAST_SIDE);
    const objects = objectsOf(picture);
    const density = ({ slice, box }: Drawn): number =>
      (objects.get(slice.id) ?? 0) / Math.max(1, box.width * box.height);
    const densest = Math.max(Number.MIN_VALUE, ...drawn.map(density));
    const shade = (one: Drawn): number => SHADES[0] + (SHADES[1] - SHADES[0]) * (density(one) / densest);
    this.#svg.replaceChildren(
      arrowHead(),
      ...drawn.flatMap((one) => sliceShapes(one, shade(one), objects.get(one.slice.id))),
      ...flows.flatMap((flow) => arrows(flow, drawn)),
    );
  }
}

interface Drawn {
  readonly slice: ClusterSlice;
  readonly box: Box;
}

/** The world along an axis: its limits, or where its cuts are. */
function rangeOf(extent: Extent, { slices }: Picture, axis: number): readonly [number, number] {
  const given = extent[axis];
  if (given !== null && given !== undefined) return given;
  const cuts = slices.flatMap(({ low, high }) => [low[axis] ?? [], high[axis] ?? []].flat());
  if (cuts.length === 0) return [-AROUND, AROUND];
  return [Math.min(...cuts) - AROUND, Math.max(...cuts) + AROUND];
}

function boxOf({ low, high }: ClusterSlice, world: { x: readonly number[]; y: readonly number[] }, scale: number): Box {
  const within = (value: number | null | undefined, [least, most]: readonly number[], open: number): number =>
    Math.min(most!, Math.max(least!, value ?? open));
  const [left, right] = [within(low[0], world.x, world.x[0]!), within(high[0], world.x, world.x[1]!)];
  const [top, bottom] = [within(low[1], world.y, world.y[0]!), within(high[1], world.y, world.y[1]!)];
  return {
    left: (left - world.x[0]!) * scale,
    top: (top - world.y[0]!) * scale,
    width: (right - left) * scale,
    height: (bottom - top) * scale,
  };
}

/** Objects in each slice, as its owner counts them. */
function objectsOf({ servers }: Picture): Map<string, number> {
  return new Map(
    servers.flatMap(({ sight }) => (sight?.slices ?? []).map(({ id, objects }) => [id, objects] as const)),
  );
}

function sliceShapes({ slice, box }: Drawn, opacity: number, objects: number | undefined): SVGElement[] {
  const { left, top, width, height } = box;
  const colour = typeColour(slice.owner - 1);
  const size = Math.max(16, Math.min(34, width / 7, height / 4));
  const place = { x: left + width / 2, y: top + height / 2, "font-size": size };
  const rectangle = element("rect", {
    x: left + 2,
    y: top + 2,
    width: Math.max(0, width - 4),
    height: Math.max(0, height - 4),
    fill: colour,
    "fill-opacity": opacity.toFixed(3),
    stroke: colour,
    "data-slice": slice.id,
    "data-owner": slice.owner,
  });
  const title = element("title", {});
  title.textContent = `slice ${slice.id}, owner ${slice.owner}, fence ${slice.fence}`;
  rectangle.append(title);
  const name = element("text", { ...place, class: "slice-name" });
  name.textContent = `server ${slice.owner}`;
  const load = element("text", { ...place, y: top + height / 2 + size * 1.15, "font-size": size * 0.68 });
  load.textContent = objects === undefined ? "–" : `${objects} ${objects === 1 ? "object" : "objects"}`;
  return [rectangle, name, load];
}

/** From the middle of one server's slices to the nearest slice of the other. */
function arrows({ from, to, transfers }: FlowRate, drawn: readonly Drawn[]): SVGElement[] {
  if (transfers <= 0) return [];
  const [sources, targets] = [from, to].map((owner) => drawn.filter(({ slice }) => slice.owner === owner));
  const pairs = sources!.flatMap((source) =>
    targets!.map((target) => [middle(source.box), middle(target.box)] as const),
  );
  const length = ([a, b]: (typeof pairs)[number]): number => Math.hypot(a.x - b.x, a.y - b.y);
  const [pair] = pairs.sort((a, b) => length(a) - length(b));
  if (pair === undefined) return [];
  const [a, b] = pair;
  // Beside the line from middle to middle, so that both directions are seen and the names stay readable.
  const far = Math.max(1, length(pair));
  const [sideX, sideY] = [(-(b.y - a.y) / far) * 46, ((b.x - a.x) / far) * 46];
  const at = (share: number): { x: number; y: number } => {
    return { x: a.x + (b.x - a.x) * share + sideX, y: a.y + (b.y - a.y) * share + sideY };
  };
  const [start, end] = [at(0.3), at(0.7)];
  const line = element("line", {
    x1: start.x,
    y1: start.y,
    x2: end.x,
    y2: end.y,
    class: "transfer",
    "stroke-width": (2 + Math.min(8, transfers)).toFixed(1),
    "marker-end": "url(#cluster-arrow)",
    "data-from": from,
    "data-to": to,
  });
  return [line];
}

function middle({ left, top, width, height }: Box): { readonly x: number; readonly y: number } {
  return { x: left + width / 2, y: top + height / 2 };
}

function arrowHead(): SVGElement {
  const marker = element("marker", {
    id: "cluster-arrow",
    viewBox: "0 0 10 10",
    refX: 6,
    refY: 5,
    markerWidth: 14,
    markerHeight: 14,
    markerUnits: "userSpaceOnUse",
    orient: "auto",
  });
  marker.append(element("path", { d: "M0 0L10 5L0 10z", fill: "var(--text)" }));
  const definitions = element("defs", {});
  definitions.append(marker);
  return definitions;
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, typeof value === "number" ? String(Math.round(value * 10) / 10) : value);
  }
  return made;
}
