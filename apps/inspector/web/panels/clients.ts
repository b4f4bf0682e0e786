/** The clients: what each is sent over which channel, on what kind of link and how well; sortable, a click selects. */

import { find, make, setText } from "../dom.ts";
import type { ClientRow } from "../feed-types.ts";
import { writeFigure } from "../figures.ts";
import { bytes, bytesPerSecond, milliseconds, percent, short, times } from "../format.ts";
import type { Shown } from "../shown.ts";

interface Column {
  readonly name: string;
  readonly title: string;
  readonly value: (client: ClientRow) => number | string | null;
  readonly text: (client: ClientRow) => string;
  /** Worth a look. */
  readonly isBad?: (client: ClientRow) => boolean;
}

export const COLUMNS: readonly Column[] = [
  { name: "nickname", title: "Client", value: ({ nickname }) => nickname, text: ({ nickname }) => nickname },
  { name: "out.now", title: "Out now", value: ({ out }) => out.now, text: ({ out }) => bytesPerSecond(out.now) },
  { name: "out.mean", title: "Mean", value: ({ out }) => out.mean, text: ({ out }) => bytesPerSecond(out.mean) },
  { name: "out.peak", title: "Peak", value: ({ out }) => out.peak, text: ({ out }) => bytesPerSecond(out.peak) },
  { name: "out.total", title: "Total", value: ({ out }) => out.total, text: ({ out }) => bytes(out.total) },
  {
    name: "wire.now",
    title: "On the wire",
    value: ({ wireOut }) => wireOut?.now ?? null,
    text: ({ wireOut }) => (wireOut === undefined ? "–" : bytesPerSecond(wireOut.now)),
  },
  {
    name: "packets.now",
    title: "Packets",
    value: ({ packetsOut }) => packetsOut?.now ?? null,
    text: ({ packetsOut }) => (packetsOut === undefined ? "–" : `${short(packetsOut.now)}/s`),
  },
  {
    name: "own",
    title: "Own objects",
    value: ({ own }) => own?.bytes ?? null,
    text: ({ own }) => (own === undefined ? "–" : bytes(own.bytes)),
  },
  {
    name: "in.now",
    title: "In now",
    value: (client) => client.in.now,
    text: (client) => bytesPerSecond(client.in.now),
  },
  { name: "in.total", title: "In total", value: (client) => client.in.total, text: (client) => bytes(client.in.total) },
  {
    name: "link",
    title: "Link",
    value: linkOf,
    text: linkOf,
  },
  {
    name: "rtt",
    title: "RTT",
    value: ({ network }) => network.roundTripMs,
    text: ({ network }) => milliseconds(network.roundTripMs),
    isBad: ({ network }) => (network.roundTripMs ?? 0) > 250,
  },
  {
    name: "loss",
    title: "Loss",
    value: ({ network }) => network.loss,
    text: ({ network }) => percent(network.loss),
    isBad: ({ network }) => (network.lossNow ?? 0) > 0.05,
  },
  {
    name: "backlog",
    title: "Backlog",
    value: ({ network }) => network.backlogBytes,
    text: ({ network }) => (network.paused ? `${bytes(network.backlogBytes)}, paused` : bytes(network.backlogBytes)),
    isBad: ({ network }) => network.paused,
  },
  {
    name: "loosened",
    title: "Loosened",
    value: ({ network }) => network.outerFactor,
    text: ({ network }) => (network.outerFactor === 1 ? "no" : times(network.outerFactor)),
    isBad: ({ network }) => network.outerFactor > 1,
  },
];

/** A player in the server's own process. It reads the primaries, so it has no replica that could diverge. */
export function isLocal({ role }: Pick<ClientRow, "role">): boolean {
  return role === "local";
}

/** The kind of a client's link, in words; a player in the server's own process has none. */
export function linkOf(client: ClientRow): string {
  return client.network.link ?? (isLocal(client) ? "none, local" : "away");
}

/**
 * Clients with a link first: those that the server plays itself have no traffic to compare, and stand last whatever the order. Ties stay in the
 * order in which clients joined; figures that are not known stand last either way.
 */
export function sorted(clients: readonly ClientRow[], name: string, isDescending: boolean): ClientRow[] {
  const column = COLUMNS.find((candidate) => candidate.name === name) ?? COLUMNS[0]!;
  return [...clients].sort((a, b) => {
    if (isLocal(a) !== isLocal(b)) return Number(isLocal(a)) - Number(isLocal(b));
    const [one, other] = [column.value(a), column.value(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    const order =
      typeof one === "number" && typeof other === "number"
        ? one - other
        : String(one).localeCompare(String(other), undefined, { numeric: true });
    return (isDescending ? -order : order) || a.player - b.player;
  });
}

export class ClientsPanel {
  readonly #place = find("#panel-clients");
  readonly #body = find("#clients-table tbody");
  readonly #select: (player: number) => void;
  #shown: Shown | undefined;
  readonly #rows = new Map<number, HTMLTableRowElement>();
  #sortBy = "out.now";
  #isDescending = true;

  constructor(select: (player: number) => void) {
    this.#select = select;
    const heads = COLUMNS.map(({ name, title }) => {
      const button = make("button", { type: "button" }, title);
      button.addEventListener("click", () => this.#sort(name));
      return make("th", { scope: "col", "data-column": name }, button);
    });
    find("#clients-table thead").replaceChildren(make("tr", {}, ...heads));
  }

  #sort(name: string): void {
    this.#isDescending = this.#sortBy === name ? !this.#isDescending : name !== "nickname" && name !== "link";
    this.#sortBy = name;
    if (this.#shown !== undefined) this.show(this.#shown);
  }

  show(shown: Shown): void {
    this.#shown = shown;
    const { report, player: selected } = shown;
    const clients = report?.clients ?? [];
    this.#place.dataset["round"] = String(report?.clientsRound ?? "");
    find('[data-empty="clients"]').hidden = clients.length > 0;
    find("#clients-place").hidden = clients.length === 0;
    for (const head of find("#clients-table thead").querySelectorAll<HTMLElement>("th")) {
      const order = this.#isDescending ? "descending" : "ascending";
      head.setAttribute("aria-sort", head.dataset["column"] === this.#sortBy ? order : "none");
    }
    const rows = sorted(clients, this.#sortBy, this.#isDescending).map((client) => {
      const row = this.#rows.get(client.player) ?? this.#newRow(client.player);
      row.setAttribute("aria-selected", String(client.player === selected));
      for (const [index, column] of COLUMNS.entries()) {
        const cell = row.children[index] as HTMLElement;
        writeFigure(cell, column.value(client), column.text(client), column.isBad?.(client) === true ? "bad" : "");
      }
      return row;
    });
    this.#order(rows);
    this.#showDetail(shown.client);
  }

  /** Moves only the rows that are elsewhere, so that what has the focus keeps it. */
  #order(rows: readonly HTMLTableRowElement[]): void {
    const kept = new Set(rows);
    for (const [player, row] of this.#rows) {
      if (kept.has(row)) continue;
      row.remove();
      this.#rows.delete(player);
    }
    for (const [index, row] of rows.entries()) {
      const there = this.#body.children[index];
      if (there !== row) this.#body.insertBefore(row, there ?? null);
    }
  }

  #newRow(player: number): HTMLTableRowElement {
    const cells = COLUMNS.map(({ name }, index) =>
      make(index === 0 ? "th" : "td", { "data-figure": `client.${name}`, ...(index === 0 && { scope: "row" }) }),
    );
    const row = make("tr", { tabindex: "0", "data-player": String(player) }, ...cells);
    const select = (): void => this.#select(player);
    row.addEventListener("click", select);
    row.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        select();
      }
    });
    this.#rows.set(player, row);
    return row;
  }

  #showDetail(client: ClientRow | undefined): void {
    find("#client-detail").hidden = client === undefined;
    if (client === undefined) return;
    setText(find("#client-name"), `${client.nickname} · ${client.role}, ${client.presence} · ${client.address}`);
    const body = find("#client-channels tbody");
    const channels = ["sequenced", "unsequenced", "reliable", "debug"] as const;
    if (body.childElementCount === 0) {
      const row = (channel: string): HTMLElement =>
        make(
          "tr",
          {},
          make("th", { scope: "row" }, channel === "debug" ? "explanations" : channel),
          make("td", { "data-figure": `client.out.${channel}` }),
          make("td", { "data-figure": `client.in.${channel}` }),
        );
      body.replaceChildren(...channels.map(row));
    }
    for (const channel of channels) {
      const out = client.outByChannel[channel];
      const incoming = channel === "debug" ? 0 : client.inByChannel[channel];
      writeFigure(find(`[data-figure="client.out.${channel}"]`, body), out, bytes(out));
      writeFigure(find(`[data-figure="client.in.${channel}"]`, body), incoming, bytes(incoming));
    }
  }
}
