/**
 * Reads what a page is sent, for the page and for tests. A message holds one tell a line, so that everything that is due to a page at one time leaves in one
 * write. What a page was told before is left out of maps and reports, and filled in here. One reader belongs to one connection.
 */

import type { MapTell, ToldMap } from "./feed/map.ts";
import type { Report, ToldReport } from "./feed/report.ts";
import type { Tell } from "./feed/tells.ts";

export class FeedReader {
  #members: Pick<MapTell, "ids" | "types" | "owners"> = { ids: [], types: [], owners: [] };
  #clients: Report["clients"] = [];

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
    if (tell.tell === "map") return [this.#map(tell as ToldMap)];
    return [tell.tell === "report" ? this.#report(tell as ToldReport) : (tell as Tell)];
  }

  #map({ members: _, ids, types, owners, x, y, z, ...rest }: ToldMap): MapTell {
    if (ids !== undefined && types !== undefined && owners !== undefined) this.#members = { ids, types, owners };
    return { ...rest, ...this.#members, x: units(x), y: units(y), ...(z !== undefined && { z: units(z) }) };
  }

  #report({ clients, ...rest }: ToldReport): Report {
    if (clients !== undefined) this.#clients = clients;
    return { ...rest, clients: this.#clients };
  }
}

function units(hundredths: readonly number[]): number[] {
  return hundredths.map((place) => place / 100);
}
