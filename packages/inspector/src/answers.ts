/** Asks that are carried out once and answered: views, their configuration file, recordings, network conditions. */

import type { ViewSettings } from "@nearfield/core";
import { MetricRegistry, resolveView } from "@nearfield/core/internal";
import { type Player, ServerError } from "@nearfield/server";
import { formatSettings, jsonSets, parseSettings } from "@nearfield/server/internal";
import type { EditAnswer, RoomSeam } from "@nearfield/server/seam";
import { AskError } from "./ask-reader.ts";
import type { Ask } from "./feed/asks.ts";
import type { Tell, ViewsSetTell } from "./feed/tells.ts";
import type { Inspector } from "./inspector.ts";

type OneAsk = Exclude<Ask, { ask: "hello" | "watch" | "unwatch" }>;
type Of<Name extends OneAsk["ask"]> = Extract<OneAsk, { ask: Name }>;

const FILE_NAME = "view.json";

/** Rejects with `AskError` or `ViewError`. */
export async function carryOut(inspector: Inspector, ask: OneAsk, nowMs: number): Promise<Tell> {
  const desk = inspector.deskOf(ask.room);
  const { seam } = desk;
  switch (ask.ask) {
    case "view": {
      const player = desk.player(ask.player);
      const pivots = desk.maker.places.drawn(player.settingsWithUnits.pivots, seam.world);
      const { nickname, settings } = player;
      return { tell: "view", room: seam.name, player: player.id, nickname, sets: jsonSets(settings.sets), pivots };
    }
    case "setView":
      return setViews(seam, ask, (id) => desk.player(id));
    case "saveView":
      return saveView(inspector, seam, ask);
    case "loadView":
      return loadView(inspector, seam);
    case "readView":
      return fileTold(seam, ask.name, ask.text, false);
    case "record": {
      const recorder = ask.on ? desk.record(ask, nowMs, inspector.process()) : desk.stopRecording();
      return { tell: "recording", room: seam.name, state: recorder.state() };
    }
    case "frames":
      if (desk.recorder === undefined) throw new AskError("no-recording", "nothing was recorded in this room yet");
      return desk.recorder.frames(seam.name, ask.from, ask.count);
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

function setViews(seam: RoomSeam, ask: Of<"setView">, playerOf: (id: number) => Player): Tell {
  checkSets(seam, ask.sets);
  const { players } = ask;
  const answers =
    players === "all"
      ? seam.setEverybodysView(ask)
      : players.map((id) => playerOf(id)).map((player) => seam.setView(player, ask));
  return { tell: "viewsSet", room: seam.name, answers: answers.map(answerTold) };
}

function answerTold({ player, ok, sets, clamped, detail }: EditAnswer): ViewsSetTell["answers"][number] {
  return { player: player.id, ok, sets: jsonSets(sets), clamped: [...clamped], detail };
}

async function saveView({ options }: Inspector, seam: RoomSeam, { sets }: Of<"saveView">): Promise<Tell> {
  checkSets(seam, sets);
  const text = formatSettings({ ...seam.settings, view: { sets, pivots: [] } });
  const { viewFile } = options;
  await viewFile?.write(text);
  const name = viewFile?.name ?? FILE_NAME;
  return { tell: "viewFile", room: seam.name, name, text, sets: jsonSets(sets), onServer: viewFile !== undefined };
}

async function loadView({ options }: Inspector, seam: RoomSeam): Promise<Tell> {
  const { viewFile } = options;
  if (viewFile === undefined)
    throw new AskError("no-view-file", "this server was started without a configuration file");
  let text: string;
  try {
    text = await viewFile.read();
  } catch (error) {
    throw new AskError("no-view-file", `${viewFile.name} cannot be read: ${(error as Error).message}`);
  }
  return fileTold(seam, viewFile.name, text, true);
}

/** The view of a settings file's text. Throws `AskError`, naming line, column and path. */
function fileTold(seam: RoomSeam, name: string, text: string, onServer: boolean): Tell {
  try {
    const { view } = parseSettings(text, name, seam);
    return { tell: "viewFile", room: seam.name, name, text, sets: jsonSets(view.sets), onServer };
  } catch (error) {
    if (error instanceof ServerError) throw new AskError("bad-view", error.message);
    throw error;
  }
}

/** Throws `ViewError` for sets that break the rules of a view. */
function checkSets(seam: RoomSeam, sets: ViewSettings["sets"]): void {
  resolveView({ sets, pivots: [] }, seam.world, new MetricRegistry(seam.metrics));
}
