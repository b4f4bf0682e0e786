/** The rail of panels: beside them on a wide screen, below them on a narrow one. */

import { find, make } from "./dom.ts";
import { PANELS, type Panel } from "./state.ts";

const NAMES: Readonly<Record<Panel, string>> = {
  overview: "Overview",
  clients: "Clients",
  audit: "Audit",
  map: "Map",
  why: "Why?",
  views: "Views",
  recorder: "Recorder",
  network: "Network",
  cluster: "Cluster",
};

/** Paths of a picture of 24 × 24. */
const ICONS: Readonly<Record<Panel, string>> = {
  overview: "M3 20h18M5 16l4-5 4 3 6-8",
  clients:
    "M8 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2 20c0-3.5 2.7-5.5 6-5.5s6 2 6 5.5M16 4.3a3.5 3.5 0 0 1 0 6.4M17.5 15c2.7.5 4.5 2.3 4.5 5",
  audit: "M12 3l7 3v5c0 4.8-3 8-7 10-4-2-7-5.2-7-10V6l7-3ZM9 12l2 2 4-4",
  map: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 12h.01",
  why: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18h.01M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20Z",
  views:
    "M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
  recorder: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Z",
  cluster: "M3 4h18v16H3ZM12 4v16M3 12h9M12 9h9M16.500 9v11",
  network: "M5 12.5a10 10 0 0 1 14 0M8 16a6 6 0 0 1 8 0M2 9a15 15 0 0 1 20 0M12 19.5h.01",
};

export class Rail {
  readonly #buttons: ReadonlyMap<Panel, HTMLButtonElement>;

  constructor(open: (panel: Panel) => void) {
    this.#buttons = new Map(
      PANELS.map((panel, index) => {
        const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        icon.setAttribute("viewBox", "0 0 24 24");
        icon.setAttribute("aria-hidden", "true");
        const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
        path.setAttribute("d", ICONS[panel]);
        icon.append(path);
        const button = make(
          "button",
          { type: "button", "data-open": panel },
          icon,
          NAMES[panel],
          make("small", {}, String(index + 1)),
        );
        button.addEventListener("click", () => open(panel));
        return [panel, button];
      }),
    );
    find("#rail").replaceChildren(...this.#buttons.values());
  }

  /** A panel that the server has nothing for is not offered. */
  offer(panel: Panel, isThere: boolean): void {
    const button = this.#buttons.get(panel);
    if (button !== undefined) button.hidden = !isThere;
  }

  show(open: Panel): void {
    document.body.dataset["panel"] = open;
    for (const [panel, button] of this.#buttons) {
      if (panel === open) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
    }
  }
}
