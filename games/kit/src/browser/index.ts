/** @nearfield/kit/browser: what the pages of games and apps share: words for their elements, sheets, figures, sounds, sticks. */

export { escapeText, find, make, setText } from "./dom.ts";
export { FrameTimes } from "./frame-times.ts";
export { Look } from "./look.ts";
export { Pad, type StickIntent } from "./pad.ts";
export { tellPeople } from "./people.ts";
export { Sheets } from "./sheets.ts";
export { type Heard, SoundPlayer } from "./sound-player.ts";
export { chime, type Recipe, type Tone } from "./sound-recipe.ts";
export { TwinSticks } from "./twin-sticks.ts";
export { fillWays } from "./ways.ts";
export { Writer } from "./writer.ts";
