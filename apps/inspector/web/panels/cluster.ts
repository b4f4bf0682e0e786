/**
 * The cluster panel: the world cut into slices with their owners, what each server has to do, and what the servers say to each other. The picture is
 * also said in words, and every figure stands in a table.
 */

import { ClusterPicture } from "../cluster-picture.ts";
import type { ClusterSeries, FlowRate } from "../cluster-series.ts";
import { find, make, setText } from "../dom.ts";
import type { ClusterRoomRow, ClusterServerRow, ClusterPicture as Picture } from "../feed-types.ts";
import { setFigure } from "../figures.ts";
import { bytesPerSecond, count, counted, milliseconds, short, times } from "../format.ts";

const SERVER_HEADS = ["Server", "Lease", "Slices", "Objects", "Copies", "Players", "Round", "Forwards"];
const FLOW_HEADS = ["From → to", "Traffic", "Messages", "Transfers", "in all", "Copies there", "Areas asked"];
const ROOM_HEADS = ["Room", "Server", "Players", "Kind"];

export class ClusterPanel {
  readonly #picture = new ClusterPicture(find<SVGSVGElement>("#cluster-picture"));

  show(series: ClusterSeries, hasCluster: boolean): void {
    const tell = series.newest;
    const picture = hasCluster ? (tell?.picture ?? undefined) : undefined;
    const empty = find('[data-empty="cluster"]');
    empty.hidden = picture !== undefined;
    find("#cluster-content").hidden = picture === undefined;
    setText(
      empty,
      hasCluster
        ? "The servers are being asked …"
        : "This server stands alone: the whole world lies on it, and there is nothing to divide.",
    );
    if (tell === undefined || picture === undefined) return setText(find("#cluster-hint"), "");
    setText(find("#cluster-hint"), `As server ${picture.me} sees it, asked once a second while this panel is open.`);
    const flows = series.flows();
    this.#showFigures(picture, series, flows);
    this.#picture.show(tell.extent, picture, flows);
    setText(find("#cluster-words"), wordsOf(picture));
    const rows = picture.servers.map((row) => serverRow(row, picture, series));
    fill(find("#cluster-servers"), SERVER_HEADS, rows);
    fill(find("#cluster-flows"), FLOW_HEADS, flows.map(flowRow));
    this.#showRooms(picture);
  }

  #showRooms({ rooms: known }: Picture): void {
    find("#cluster-rooms-card").hidden = known === undefined;
    if (known === undefined) return;
    const { keeper, rooms, roomsInAll } = known;
    const more = roomsInAll > rooms.length ? `the first ${rooms.length} of ${roomsInAll}; ` : "";
    const kept = keeper === 0 ? "nobody keeps the queues yet" : `server ${keeper} keeps parties and queues`;
    setText(find("#cluster-keeper"), `${more}${kept}`);
    fill(find("#cluster-rooms"), ROOM_HEADS, rooms.map(roomRow));
  }

  #showFigures(picture: Picture, series: ClusterSeries, flows: readonly FlowRate[]): void {
    const place = find("#panel-cluster");
    const alive = picture.servers.filter(({ isAlive }) => isAlive);
    const loads = alive.map(({ sight, load }) => sight?.objects ?? load);
    const objects = loads.reduce((sum, load) => sum + load, 0);
    const imbalance = objects === 0 ? null : (Math.max(...loads) * loads.length) / objects;
    const sum = (of: (flow: FlowRate) => number): number => flows.reduce((total, flow) => total + of(flow), 0);
    const [transfers, total] = [sum((flow) => flow.transfers), sum((flow) => flow.transfersTotal)];
    const [bytes, messages] = [sum((flow) => flow.bytes), sum((flow) => flow.messages)];
    const forwarded = alive.reduce((all, { server }) => all + series.forwarded(server), 0);
    setFigure(place, "cluster.servers", alive.length, count(alive.length));
    setFigure(place, "cluster.epoch", picture.epoch, count(picture.epoch));
    setFigure(place, "cluster.slices", picture.slices.length, counted(picture.slices.length, "slice"));
    setFigure(place, "cluster.imbalance", imbalance, times(imbalance), (imbalance ?? 0) > 2 ? "bad" : "");
    setFigure(place, "cluster.objects", objects, count(objects));
    setFigure(place, "cluster.transfers", transfers, `${short(transfers)}/s`);
    setFigure(place, "cluster.transfersTotal", total, count(total));
    setFigure(place, "cluster.bytes", bytes, bytesPerSecond(bytes));
    setFigure(place, "cluster.messages", messages, `${short(messages)}/s`);
    setFigure(place, "cluster.forwarded", forwarded, `${short(forwarded)}/s`);
  }
}

function serverRow(row: ClusterServerRow, { slices, me }: Picture, series: ClusterSeries): string[] {
  const { server, isAlive, load, sight } = row;
  const lease = !isAlive ? "dead" : sight === null ? "no answer" : sight.isHeld ? "held" : "not held";
  return [
    server === me ? `${server} (this one)` : `${server}`,
    lease,
    count(slices.filter(({ owner }) => owner === server).length),
    count(sight?.objects ?? load),
    count(sight?.copies),
    count(sight?.players),
    milliseconds(sight?.roundMs),
    sight === null ? "–" : `${short(series.forwarded(server))}/s`,
  ];
}

function flowRow(flow: FlowRate): string[] {
  return [
    `${flow.from} → ${flow.to}`,
    bytesPerSecond(flow.bytes),
    `${short(flow.messages)}/s`,
    `${short(flow.transfers)}/s`,
    count(flow.transfersTotal),
    count(flow.copies),
    count(flow.areas),
  ];
}

function roomRow({ name, server, players, places, kind }: ClusterRoomRow): string[] {
  return [name, `${server}`, `${players} of ${places}`, kind];
}

/** Rows are reused, so that a table that somebody reads or selects from stays as it is. */
function fill(table: HTMLElement, heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const head = find("thead", table);
  if (head.childElementCount === 0) {
    head.append(make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text))));
  }
  const body = find<HTMLTableSectionElement>("tbody", table);
  while (body.rows.length > rows.length) body.deleteRow(-1);
  for (const [index, cells] of rows.entries()) {
    const row = body.rows[index] ?? body.insertRow();
    while (row.cells.length < cells.length) row.insertCell();
    for (const [at, text] of cells.entries()) setText(row.cells[at]!, text);
  }
}

/** The picture in words, for those who do not see it. */
function wordsOf({ servers, slices }: Picture): string {
  const parts = servers.map(({ server, isAlive, sight, load }) => {
    const owned = slices.filter(({ owner }) => owner === server).length;
    const state = isAlive ? "" : " (dead)";
    return `Server ${server}${state}: ${counted(owned, "slice")}, ${counted(sight?.objects ?? load, "object")}.`;
  });
  return parts.join(" ");
}
