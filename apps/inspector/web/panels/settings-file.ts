/** The settings file that the room follows: where it lies, since when it is in force, and what is wrong with it while the old settings stay. */

import { make, setText } from "../dom.ts";
import type { Report } from "../feed-types.ts";
import { span } from "../format.ts";

type Settings = NonNullable<Report["settings"]>;

export class SettingsFileLine {
  readonly #path = make("code");
  readonly #state = make("span");
  readonly #fault = make("p", { class: "problem" });
  readonly #place: HTMLElement;

  /** @param place is hidden while the room follows no file. */
  constructor(place: HTMLElement) {
    this.#place = place;
    place.replaceChildren(make("p", {}, "Settings file ", this.#path, " ", this.#state), this.#fault);
  }

  show(report: Pick<Report, "settings" | "timeMs"> | undefined): void {
    const settings = report?.settings ?? undefined;
    this.#place.hidden = settings === undefined;
    if (report === undefined || settings === undefined) return;
    setText(this.#path, settings.path);
    setText(this.#state, stateWords(settings, report.timeMs));
    setText(this.#fault, settings.fault ?? "");
    this.#fault.hidden = settings.fault === null;
  }
}

export function stateWords({ loadedMs, fault }: Settings, nowMs: number): string {
  const age = loadedMs === null ? undefined : span(nowMs - loadedMs);
  if (fault === null) return age === undefined ? "is not loaded yet." : `is in force, loaded ${age} ago.`;
  const old = age === undefined ? "from the start" : `loaded ${age} ago`;
  return `is broken. The settings ${old} stay in force.`;
}
