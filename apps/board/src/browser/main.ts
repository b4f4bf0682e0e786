/** The page: the entrance, and the frame loop around `BoardPage`. */

import { BoardPage } from "./board-page.ts";
import { Screens } from "./screens.ts";

const root = document.querySelector<HTMLElement>("#app")!;
let page: BoardPage | undefined;

const screens = new Screens(root, localStorage, {
  join: (name) => {
    const url = new URL("ws", location.href.replace(/^http/, "ws")).href;
    page = new BoardPage({ root, url, name, screens });
  },
  retry: () => page?.retry(),
});

function frame(nowMs: number): void {
  requestAnimationFrame(frame);
  page?.frame(nowMs);
}

window.__board = { report: () => page?.report() };
requestAnimationFrame(frame);
