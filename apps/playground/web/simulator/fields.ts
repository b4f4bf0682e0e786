/**
 * What there is to set, field by field: the form draws it, the link reads it, both by the same limits. A field that the chosen model or
 * control does not use is left out of the form (`isUsed`) and keeps its value.
 */

import { type Field, type FieldGroup, readLosses } from "./field.ts";
import { modelChoices } from "./names.ts";
import { network } from "./network-fields.ts";
import type { SimulatorSettings } from "./settings.ts";

const isInterpolated = ({ model }: SimulatorSettings): boolean => model === "interpolation";
const isReckoned = (settings: SimulatorSettings): boolean => !isInterpolated(settings);
const converges = (settings: SimulatorSettings): boolean => isReckoned(settings) && settings.convergence !== "snap";
const hasRegion = (settings: SimulatorSettings): boolean => isReckoned(settings) && settings.sensitiveRadius > 0;
const turns = ({ control }: SimulatorSettings): boolean => control !== "direct";

const entity: FieldGroup = {
  id: "entity",
  title: "Entity",
  fields: [
    {
      kind: "choice",
      name: "genre",
      label: "Genre",
      hint: "Fills in the entity and how it is best shown",
      choices: [
        ["sport", "Sport"],
        ["simulation", "Simulation"],
        ["shooter", "3D shooter"],
        ["arcade", "Arcade action"],
      ],
    },
    {
      kind: "choice",
      name: "advice",
      label: "Preset",
      choices: [
        ["paper", "As the paper advises"],
        ["tuned", "Tuned by measurement"],
      ],
    },
    {
      kind: "choice",
      name: "control",
      label: "Control",
      choices: [
        ["direct", "Direct"],
        ["thrust", "Thrust"],
        ["action", "3D action"],
        ["point", "Point and click"],
      ],
    },
    { kind: "number", name: "acceleration", label: "Acceleration", unit: "px/s²", min: 1, max: 5000, step: 1 },
    {
      kind: "number",
      name: "drag",
      label: "Drag",
      unit: "1/s",
      min: 0.1,
      max: 50,
      step: 0.1,
      hint: "Top speed is acceleration ÷ drag",
    },
    { kind: "number", name: "brakeForce", label: "Brake force", unit: "px/s²", min: 0, max: 5000, step: 1 },
    { kind: "number", name: "turnSpeed", label: "Turn speed", unit: "°/s", min: 0, max: 1080, step: 1, isUsed: turns },
  ],
};

const picture: FieldGroup = {
  id: "picture",
  title: "Remote picture",
  fields: [
    { kind: "choice", name: "model", label: "Model", choices: modelChoices() },
    {
      kind: "choice",
      name: "convergence",
      label: "Convergence",
      isUsed: isReckoned,
      choices: [
        ["snap", "Snap"],
        ["linear", "Linear"],
        ["curved", "Curved"],
      ],
    },
    {
      kind: "number",
      name: "positionMs",
      label: "Converge position",
      unit: "ms",
      min: 0,
      max: 2000,
      step: 1,
      isUsed: converges,
    },
    {
      kind: "number",
      name: "orientationMs",
      label: "Converge heading",
      unit: "ms",
      min: 0,
      max: 2000,
      step: 1,
      isUsed: converges,
    },
    {
      kind: "number",
      name: "compensationMs",
      label: "Compensation limit",
      unit: "ms",
      min: 0,
      max: 2000,
      step: 1,
      hint: "Most of an update's age that is made up for; 0: none",
      isUsed: isReckoned,
    },
    {
      kind: "choice",
      name: "turning",
      label: "Meanwhile it turns",
      isUsed: isReckoned,
      choices: [
        ["hold", "Not at all"],
        ["sent", "At the rate sent"],
        ["derived", "As in the last two updates"],
      ],
    },
    {
      kind: "number",
      name: "deltaMs",
      label: "Delta time",
      unit: "ms",
      min: 0,
      max: 3000,
      step: 1,
      hint: "How late, beyond the age of updates; 0: it follows them",
      isUsed: isInterpolated,
    },
  ],
};

const sender: FieldGroup = {
  id: "sender",
  title: "Sender",
  fields: [
    {
      kind: "number",
      name: "positionThreshold",
      label: "Position threshold",
      unit: "px",
      min: 0.1,
      max: 200,
      step: 0.1,
      hint: "An update goes when the model is so far off",
      isUsed: isReckoned,
    },
    {
      kind: "number",
      name: "angleThreshold",
      label: "Angle threshold",
      unit: "°",
      min: 0.5,
      max: 180,
      step: 0.5,
      isUsed: isReckoned,
    },
    {
      kind: "number",
      name: "sensitiveRadius",
      label: "Sensitive region",
      unit: "px",
      min: 0,
      max: 2000,
      step: 1,
      hint: "Around the watcher at the start point; 0: everywhere",
      isUsed: isReckoned,
    },
    {
      kind: "number",
      name: "outsideFactor",
      label: "Thresholds outside",
      unit: "×",
      min: 1,
      max: 50,
      step: 0.5,
      isUsed: hasRegion,
    },
    {
      kind: "flag",
      name: "preReckoning",
      label: "Pre-reckoning",
      hint: "Sends at once on start, stop and sharp turn",
      isUsed: isReckoned,
    },
    {
      kind: "number",
      name: "intervalMs",
      label: "Update interval",
      unit: "ms",
      min: 16,
      max: 2000,
      step: 1,
      isUsed: isInterpolated,
    },
  ],
};

const run: FieldGroup = {
  id: "run",
  title: "What to vary",
  fields: [
    {
      kind: "choice",
      name: "runCurves",
      label: "One curve per",
      choices: [
        ["loss", "Loss rate"],
        ["model", "Model"],
      ],
    },
    { kind: "number", name: "runToMs", label: "Latency up to", unit: "ms", min: 0, max: 3000, step: 10 },
    { kind: "number", name: "runStepMs", label: "In steps of", unit: "ms", min: 10, max: 1000, step: 10 },
    {
      kind: "text",
      name: "runLosses",
      label: "Loss rates, %",
      isUsed: ({ runCurves }) => runCurves === "loss",
      problem: (text) => (readLosses(text) === undefined ? "Up to six numbers from 0 to 90, with commas" : undefined),
    },
    {
      kind: "number",
      name: "runRepeats",
      label: "Repeats",
      unit: "×",
      min: 1,
      max: 20,
      step: 1,
      hint: "Each with other luck",
    },
  ],
};

export const SETTING_GROUPS: readonly FieldGroup[] = [entity, picture, sender, network];
export const RUN_GROUP: FieldGroup = run;
export const FIELDS: readonly Field[] = [...SETTING_GROUPS, run].flatMap(({ fields }) => fields);
