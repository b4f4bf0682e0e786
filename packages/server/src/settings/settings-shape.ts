/**
 * What a settings file may hold: every key, its kind and its limits, in one place. The reader (`settings-file.ts`) and the published
 * `settings.schema.json` both follow from it. A new setting is a key here and a room option of the same meaning.
 */

import { VIEW_CAPACITY } from "@nearfield/core/internal";
import { MOTION_MODELS } from "@nearfield/presentation";
import { type JsonSchema, type ObjectShape, type Shape, schemaOf } from "./shape.ts";

/** Marks a file as one of ours, so that no other file is taken for one. Files of the time before they held more than a view say "view". */
export const FILE_KINDS = ["settings", "view"] as const;
export const FILE_VERSION = 1;

const MOST_NAME = 64;
const MOST_THRESHOLDS = 16;
const MOST_TYPES = 256;

const name: Shape = { kind: "text", most: MOST_NAME };

const bound: ObjectShape = {
  kind: "object",
  about:
    "How far a replica may diverge. A dimension that is left out, or null, sets no requirement; 0 is the strictest.",
  needed: [],
  keys: {
    time: { kind: "number", least: 0, about: "Milliseconds." },
    sequence: { kind: "number", least: 0, about: "Updates missed." },
    value: { kind: "number", least: 0, about: "In the units of the set's metric." },
  },
};

const oneForAll: Readonly<Record<string, Shape>> = {
  radii: {
    kind: "list",
    least: 0,
    most: VIEW_CAPACITY.zones - 1,
    of: { kind: "number", above: 0 },
    about: "Outer edge of each zone but the last, ascending, in world units.",
  },
  sectors: {
    kind: "list",
    least: 0,
    most: VIEW_CAPACITY.sectors - 1,
    of: { kind: "number", above: 0, below: 360 },
    about: "Full opening angle of each sector but the last, ascending, in degrees.",
  },
  bounds: {
    kind: "list",
    least: 1,
    most: VIEW_CAPACITY.zones,
    about:
      "One bound for each zone, or a list with one for each sector of it. Bounds may only loosen outward and to the back.",
    of: { kind: "either", of: [{ kind: "list", least: 1, most: VIEW_CAPACITY.sectors, of: bound }, bound] },
  },
  shape: { kind: "choice", of: ["round", "square"], about: "Of zones. Default round." },
  clock: {
    kind: "choice",
    of: ["refresh", "firstMiss"],
    about: "Bounds of time count from the last send (refresh, the default) or from the first update that was not sent.",
  },
  strict: {
    kind: "choice",
    of: [true, false],
    about: "Send one round early rather than ever pass a bound of time. Default false.",
  },
  metric: {
    ...name,
    about: "displacement (default), path, predicted, predicted:MODEL, relative:FIELD, thresholds:NAME.",
  },
  own: {
    kind: "choice",
    of: ["changes", "bounds"],
    about:
      "A client is sent its own objects whenever they changed (changes, the default), or by zones and bounds like those of others.",
  },
  range: { kind: "number", above: 0, about: "Objects farther away than this leave the replica. Default: none do." },
};

const sets: Shape = {
  kind: "list",
  least: 1,
  most: VIEW_CAPACITY.sets,
  about: "The first set that matches an object wins. The last must match everything.",
  of: {
    kind: "object",
    needed: ["match", "bounds"],
    keys: {
      match: {
        kind: "either",
        of: [
          { kind: "choice", of: ["everything"] },
          { kind: "object", onlyOne: true, needed: [], keys: { type: name, tag: name, predicate: name } },
        ],
      },
      ...oneForAll,
      pivots: {
        kind: "list",
        least: 0,
        most: VIEW_CAPACITY.pivots,
        of: { kind: "number", whole: true, least: 0, most: VIEW_CAPACITY.pivots - 1 },
        about: "Which of the view's pivots count, by index. Default: all.",
      },
    },
  },
};

const pivotLimits: Readonly<Record<string, Shape>> = {
  scale: { kind: "number", above: 0, about: "Largest zoom of a pivot. Default 1." },
  pivots: { kind: "number", whole: true, least: 0, about: "How many pivots a client may have. Default 1." },
  groups: { kind: "number", least: 0, about: "How far a group's members may widen its zones. Default: no groups." },
  cameras: {
    kind: "number",
    least: 0,
    about: "How far a camera may reach to each side, in innermost radii of the view. Default: no cameras.",
  },
};

const limits: Shape = {
  kind: "forms",
  about: "The most that a client's view may ask for: sets, or the settings of one set for all objects.",
  key: "sets",
  having: { kind: "object", needed: ["sets"], keys: { sets, ...pivotLimits } },
  // `sets: null` is the same as no sets.
  lacking: {
    kind: "object",
    needed: ["bounds"],
    keys: { sets: { kind: "choice", of: [] }, ...oneForAll, ...pivotLimits },
  },
};

const coefficients: Shape = {
  kind: "list",
  least: 0,
  most: VIEW_CAPACITY.zones - 2,
  of: { kind: "number", above: 1 },
};

const clientPivots: Shape = {
  kind: "object",
  needed: [],
  about: "What counts for the pivots that clients ask for. Clients are told, and go by it.",
  keys: {
    groupCoefficients: {
      ...coefficients,
      about:
        "Radii of the outer zones of a group, ascending, as multiples of the inner one. Default: what the client states.",
    },
    cameraCoefficients: {
      ...coefficients,
      about:
        "Sizes of the outer zones of a camera, ascending, as multiples of its rectangle. Default: what the client states.",
    },
    cameraMoved: {
      kind: "number",
      least: 0,
      most: 1,
      about: "A client tells of its camera once a corner has moved by this share of the shorter side. Default 0.02.",
    },
    pointMoved: {
      kind: "number",
      least: 0,
      about: "A client tells of a point once it has moved so far, in world units. Default 0: of every movement.",
    },
    restMs: {
      kind: "number",
      least: 0,
      most: 60_000,
      about: "A client tells of smaller movements when its pivots have rested for so many milliseconds. Default 500.",
    },
  },
};

const thresholds: Shape = {
  kind: "list",
  least: 0,
  most: MOST_THRESHOLDS,
  about: "Metrics by thresholds of dead reckoning. Views call each one thresholds:NAME.",
  of: {
    kind: "object",
    needed: ["name", "position"],
    keys: {
      name,
      position: { kind: "number", above: 0, about: "Due when the picture is so far off, in world units." },
      angle: { kind: "number", above: 0, about: "Due when it is turned so far off, in radians. Default: never." },
      model: { kind: "choice", of: Object.keys(MOTION_MODELS), about: "What the clients show by. Default linear." },
      turning: {
        kind: "choice",
        of: ["hold", "sent", "derived"],
        about: "How clients turn headings on. Default hold.",
      },
      preReckoning: {
        kind: "object",
        needed: [],
        about: "Objects are due when they start, stop or turn sharply. Default: off.",
        keys: {
          restSpeed: { kind: "number", least: 0, about: "World units per second. Default 0." },
          sharpTurn: { kind: "number", least: 0, most: Math.PI, about: "Radians. Default 80 degrees." },
        },
      },
    },
  },
};

const units: Shape = {
  kind: "object",
  needed: ["join", "part"],
  about: "Each player's own objects are grouped by distance and heading; each group is a pivot of the player's view.",
  keys: {
    join: { kind: "number", above: 0, about: "Groups that are this near each other become one, in world units." },
    part: { kind: "number", above: 0, about: "A member farther than this from all others leaves. At least join." },
    turn: { kind: "number", least: 0, most: 180, about: "Headings agree within so many degrees. Default 45." },
    partTurn: { kind: "number", least: 0, most: 180, about: "A member that turned off by more leaves. Default 90." },
    most: { kind: "number", whole: true, least: 1, most: VIEW_CAPACITY.pivots, about: "Units of a player. Default 8." },
    margin: { kind: "number", least: 0, about: "Zone 0 reaches this much farther than the members. Default 0." },
    coefficients: {
      ...coefficients,
      about: "Radii of the outer zones, ascending, as multiples of the inner one.",
    },
    types: { kind: "list", least: 0, most: MOST_TYPES, of: name, about: "Which types are grouped. Default: all." },
    every: {
      kind: "number",
      whole: true,
      least: 1,
      most: 64,
      about: "A player's units are made anew in one of so many rounds. Default 1.",
    },
  },
};

export { sets as SETS_SHAPE };

export const SETTINGS_SHAPE: ObjectShape = {
  kind: "object",
  needed: ["nearfield", "version", "sets"],
  keys: {
    $schema: { kind: "text", most: 1024, about: "Where an editor finds the schema of this file." },
    nearfield: { kind: "choice", of: FILE_KINDS },
    version: { kind: "choice", of: [FILE_VERSION] },
    sets,
    limits,
    clientPivots,
    budget: { kind: "number", above: 0, about: "Bytes per second that one client is sent at most. Default: no limit." },
    ripe: {
      kind: "number",
      above: 0,
      most: 1,
      about: "Objects that have reached this share of their bound ride along with what is due. Default 0.5; 1 is off.",
    },
    thresholds,
    units,
  },
};

/** The content of `settings.schema.json`. */
export function settingsSchema(): JsonSchema {
  const dialect = "https://json-schema.org/draft/2020-12/schema";
  return { $schema: dialect, title: "Settings of a Nearfield room", ...schemaOf(SETTINGS_SHAPE) };
}
