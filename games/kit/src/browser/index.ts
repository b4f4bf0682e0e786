/** @nearfield/kit/browser: what the pages of games and apps share: words for their elements, sheets, stage, figures, sounds, keys and sticks. */

export { Desk, type DeskHandlers, isForElement } from "./desk.ts";
export { escapeText, find, make, setText } from "./dom.ts";
export { FrameTimes } from "./frame-times.ts";
export { Look } from "./look.ts";
export { Pad, type StickIntent } from "./pad.ts";
export { AccountRefusal, PageAccount } from "./page-account.ts";
export { tellPeople } from "./people.ts";
export { PlaneEar } from "./plane-ear.ts";
export { onPresses } from "./presses.ts";
export { Sheets } from "./sheets.ts";
export { SoundPlayer } from "./sound-player.ts";
export { chime, PAGE_RECIPES, type Recipe, type Tone } from "./sound-recipe.ts";
export { StageSize } from "./stage-size.ts";
export { TwinSticks } from "./twin-sticks.ts";
export { fillWays } from "./ways.ts";
export { Writer } from "./writer.ts";
