/**
 * Reads what a page is sent, for the page and for tests. A message holds one tell a line, so that everything that is due to a page at one time leaves in one
 * write. What a page was told before is left out of maps, heat maps and reports, and filled in here. One reader belongs to one connection.
 */

import type { HeatTell, MapTell, ToldHeat, ToldMap } from "./feed/map.ts";
import type { ClientRow, Report, ReportShapes, ToldReport } from "./feed/report.ts";
import type { Tell } from "./feed/tells.ts";
import { filled, type Value } from "./shape.ts";

export class FeedReader {
  #members: Pick<MapTell, "ids" | "types" | "owners"> = { ids: [], types: [], owners: [] };
  #clients: ClientRow[] = [];
  #shapes: ReportShapes | undefined;
  #heat: HeatTell | undefined;

  /** What is no tell is passed over. */
  read(message: unknown): Tell[] {
    return typeof message === "string" ? message.split("\n").flatMap((line) => this.#readLine(line)) : [];
  }

  #readLine(line: string): Tell[] {
    let tell: unknown;
    try {
      tell = JSON.parse(line);
    } catch {
      return [];
    }
    if (typeof tell !== "object" || tell === null || !("tell" in tell) || typeof tell.tell !== "string") return [];
    switch (tell.tell) {
      case "map":
        return [this.#map(tell as ToldMap)];
      case "report":
        return [this.#report(tell as ToldReport)];
      case "heat":
        return this.#warm(tell as HeatTell | ToldHeat);
      default:
        return [tell as Tell];
    }
  }

  #map({ members: _, ids, types, owners, x, y, z, ...rest }: ToldMap): MapTell {
    if (ids !== undefined && types !== undefined && owners !== undefined) this.#members = { ids, types, owners };
    return { ...rest, ...this.#members, x: units(x), y: units(y), ...(z !== undefined && { z: units(z) }) };
  }

  /** A report that was told whole has neither flows nor rows. */
  #report({ flows, rows, shapes, clients, ...rest }: ToldReport): Report {
    this.#shapes = shapes ?? this.#shapes;
    if (clients !== undefined) this.#clients = clients;
    if (rows !== undefined && this.#shapes !== undefined) this.#clients = rowsOf(rows, this.#shapes);
    const named = flows !== undefined && this.#shapes !== undefined ? filled(this.#shapes.flows, flows, 0) : {};
    return { ...rest, ...named, clients: this.#clients } as Report;
  }

  #warm(told: HeatTell | ToldHeat): HeatTell[] {
    if (!("cells" in told)) {
      this.#heat = told;
      return [told];
    }
    if (this.#heat === undefined) return [];
    const counts = [...this.#heat.counts];
    let { most } = this.#heat;
    for (const cell of told.cells) {
      counts[cell]! += 1;
      if (counts[cell]! > most) most = counts[cell]!;
    }
    this.#heat = { ...this.#heat, samples: told.samples, counts, most };
    return [this.#heat];
  }
}

function rowsOf(values: readonly Value[], { row, rowLength }: ReportShapes): ClientRow[] {
  const count = values.length / rowLength;
  return Array.from({ length: count }, (_, index) => filled<ClientRow>(row, values, index * rowLength));
}

function units(hundredths: readonly number[]): number[] {
  return hundredths.map((place) => place / 100);
}
