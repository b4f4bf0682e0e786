/** Asks that are carried out once and answered: views, their configuration file, recordings, network conditions. */

import { MetricRegistry, resolveView, type ViewSettings } from "@nearfield/core";
import { ServerError } from "../errors.ts";
import type { RoomCore } from "../room/room-core.ts";
import { AskError } from "./ask-reader.ts";
import type { Ask } from "./feed/asks.ts";
import type { Tell } from "./feed/tells.ts";
import type { Inspector } from "./inspector.ts";
import { setEverybodysView, setView } from "./view-editor.ts";
import { formatViewFile, jsonSets, parseViewFile } from "./view-json.ts";

type OneAsk = Exclude<Ask, { ask: "hello" | "watch" | "unwatch" }>;
type Of<Name extends OneAsk["ask"]> = Extract<OneAsk, { ask: Name }>;

const FILE_NAME = "view.json";

/** Rejects with `AskError` or `ViewError`. */
export async function carryOut(inspector: Inspector, ask: OneAsk, nowMs: number): Promise<Tell> {
  const desk = inspector.deskOf(ask.room);
  const { core } = desk;
  switch (ask.ask) {
    case "view": {
      const player = desk.player(ask.player);
      const pivots = desk.maker.places.drawn(player.settings.pivots, core.world);
      const { nickname, settings } = player;
      return { tell: "view", room: core.name, player: player.id, nickname, sets: jsonSets(settings.sets), pivots };
    }
    case "setView":
      return setViews(core, ask, (id) => desk.player(id));
    case "saveView":
      return saveView(inspector, core, ask);
    case "loadView":
      return loadView(inspector, core);
    case "record": {
      const recorder = ask.on ? desk.record(ask, nowMs, inspector.process()) : desk.stopRecording();
      return { tell: "recording", room: core.name, state: recorder.state() };
    }
    case "frames":
      if (desk.recorder === undefined) throw new AskError("no-recording", "nothing was recorded in this room yet");
      return desk.recorder.frames(core.name, ask.from, ask.count);
    case "conditions": {
      const { conditions } = inspector.options;
      if (conditions?.presets.includes(ask.preset) !== true) {
        throw new AskError("no-conditions", `this host has no preset "${ask.preset}"`);
      }
      const player = desk.player(ask.player);
      conditions.set(player, ask.preset);
      desk.presets.set(player.id, ask.preset);
      return { tell: "done" };
    }
    case "clearHeat":
      desk.clearHeat();
      return { tell: "done" };
  }
}

type Players = (id: number) => Parameters<typeof setView>[1];

function setViews(core: RoomCore, ask: Of<"setView">, playerOf: Players): Tell {
  checkSets(core, ask.sets);
  const { players } = ask;
  const answers =
    players === "all"
      ? setEverybodysView(core, ask)
      : players.map((id) => playerOf(id)).map((player) => setView(core, player, ask));
  return { tell: "viewsSet", room: core.name, answers };
}

async function saveView({ options }: Inspector, core: RoomCore, { sets }: Of<"saveView">): Promise<Tell> {
  checkSets(core, sets);
  const { viewLimits, budget } = core.options;
  const text = formatViewFile({
    view: { sets, pivots: [] },
    ...(viewLimits !== undefined && { viewLimits }),
    ...(budget !== undefined && { budget }),
  });
  const { viewFile } = options;
  await viewFile?.write(text);
  const name = viewFile?.name ?? FILE_NAME;
  return { tell: "viewFile", room: core.name, name, text, sets: jsonSets(sets), onServer: viewFile !== undefined };
}

async function loadView({ options }: Inspector, core: RoomCore): Promise<Tell> {
  const { viewFile } = options;
  if (viewFile === undefined)
    throw new AskError("no-view-file", "this server was started without a configuration file");
  let text: string;
  try {
    text = await viewFile.read();
  } catch (error) {
    throw new AskError("no-view-file", `${viewFile.name} cannot be read: ${(error as Error).message}`);
  }
  try {
    const { view } = parseViewFile(text);
    const sets = jsonSets(view.sets);
    return { tell: "viewFile", room: core.name, name: viewFile.name, text, sets, onServer: true };
  } catch (error) {
    if (error instanceof ServerError) throw new AskError("bad-view", error.message);
    throw error;
  }
}

/** Throws `ViewError` for sets that break the rules of a view. */
function checkSets(core: RoomCore, sets: ViewSettings["sets"]): void {
  resolveView({ sets, pivots: [] }, core.world, new MetricRegistry(core.options.metrics));
}
