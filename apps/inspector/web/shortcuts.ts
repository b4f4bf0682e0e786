/** Keys: one table that both acts and is shown as help. None of them works while somebody types. */

import { find, make } from "./dom.ts";
import { PANELS, type Panel } from "./state.ts";

export interface ShortcutActions {
  open(panel: Panel): void;
  nextClient(step: 1 | -1): void;
  toggle(id: string): void;
  record(): void;
  run(): void;
  step(seconds: number): void;
  clear(): void;
}

interface Shortcut {
  readonly keys: readonly string[];
  readonly label: string;
  readonly words: string;
  readonly act: (actions: ShortcutActions, key: string) => void;
}

const SHORTCUTS: readonly Shortcut[] = [
  {
    keys: PANELS.map((_, index) => String(index + 1)),
    label: "1 – 9",
    words: "open a panel",
    act: (actions, key) => actions.open(PANELS[Number(key) - 1]!),
  },
  {
    keys: ["j", "k"],
    label: "J K",
    words: "next and previous client",
    act: (actions, key) => actions.nextClient(key === "j" ? 1 : -1),
  },
  { keys: ["Escape"], label: "Esc", words: "select nothing", act: (actions) => actions.clear() },
  { keys: ["w"], label: "W", words: "why? for what is selected", act: (actions) => actions.open("why") },
  { keys: ["e"], label: "E", words: "edit the client's view", act: (actions) => actions.open("views") },
  { keys: ["h"], label: "H", words: "heat map on and off", act: (actions) => actions.toggle("show-heat") },
  { keys: ["z"], label: "Z", words: "zones and sectors on and off", act: (actions) => actions.toggle("show-zones") },
  { keys: ["f"], label: "F", words: "follow the client on the map", act: (actions) => actions.toggle("follow") },
  { keys: ["r"], label: "R", words: "start and stop recording", act: (actions) => actions.record() },
  { keys: [" "], label: "Space", words: "play and pause a recording", act: (actions) => actions.run() },
  {
    keys: [",", "."],
    label: ", .",
    words: "one second back and forth in it",
    act: (actions, key) => actions.step(key === "," ? -1 : 1),
  },
];
const FOR_THE_MAP = [["← ↑ ↓ → + − 0", "on the map: move, zoom, fit"]] as const;

export function listenToKeys(actions: ShortcutActions): void {
  const help = find<HTMLDialogElement>("#help");
  const rows = [
    ...SHORTCUTS.map(({ label, words }) => [label, words] as const),
    ...FOR_THE_MAP,
    ["?", "this help"] as const,
  ];
  find("#help-keys").replaceChildren(
    ...rows.flatMap(([label, words]) => [
      make("dt", {}, ...label.split(" ").flatMap((key) => (key === "–" ? [" – "] : [make("kbd", {}, key), " "]))),
      make("dd", {}, words),
    ]),
  );
  const showHelp = (): void => (help.open ? help.close() : help.showModal());
  find("#help-button").addEventListener("click", showHelp);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === "?") {
      showHelp();
      return;
    }
    if (help.open) return;
    const shortcut = SHORTCUTS.find(({ keys }) =>
      keys.includes(event.key.length === 1 ? event.key.toLowerCase() : event.key),
    );
    if (shortcut === undefined || (event.key === " " && isPressable(event.target))) return;
    event.preventDefault();
    shortcut.act(actions, event.key.length === 1 ? event.key.toLowerCase() : event.key);
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("input:not([type=checkbox], [type=range]), select, textarea") !== null
  );
}

/** Space presses these. */
function isPressable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("button, input, summary, a, tr") !== null;
}
