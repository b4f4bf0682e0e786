/** One thing to set: what kind it is, its limits, and how its text in a form or a link is read. */

import type { Told } from "./network-trace.ts";
import type { SimulatorSettings } from "./settings.ts";

interface FieldBase {
  readonly name: keyof SimulatorSettings;
  readonly label: string;
  /** What a larger or smaller value does, where that is not plain. */
  readonly hint?: string;
  /** @param told what an open network recording tells in the place of settings */
  isUsed?(settings: SimulatorSettings, told: Told): boolean;
}

export interface NumberField extends FieldBase {
  readonly kind: "number";
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

export interface ChoiceField extends FieldBase {
  readonly kind: "choice";
  readonly choices: readonly (readonly [value: string, label: string])[];
}

export interface FlagField extends FieldBase {
  readonly kind: "flag";
}

export interface TextField extends FieldBase {
  readonly kind: "text";
  /** What is wrong with a text; undefined if nothing. */
  problem(text: string): string | undefined;
}

export type Field = NumberField | ChoiceField | FlagField | TextField;

export interface FieldGroup {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly Field[];
}

const MOST_LOSSES = 6;

/** Loss rates in percent from a text such as "0, 5, 10"; undefined if it is none. */
export function readLosses(text: string): readonly number[] | undefined {
  const parts = text.split(",").map((part) => part.trim());
  const losses = parts.map(Number);
  const isFine = losses.every((loss, index) => parts[index] !== "" && loss >= 0 && loss <= 90);
  return isFine && losses.length <= MOST_LOSSES ? [...new Set(losses)].sort((a, b) => a - b) : undefined;
}

export function seedProblem(text: string): string | undefined {
  return text.length < 1 || text.length > 40 ? "1 to 40 characters" : undefined;
}

/** What is wrong with a value as written in a form or a link; undefined if nothing. */
export function problemOf(field: Field, text: string): string | undefined {
  if (field.kind === "text") return field.problem(text);
  if (field.kind === "flag") return text === "yes" || text === "no" ? undefined : "must be yes or no";
  if (field.kind === "choice") {
    const values = field.choices.map(([value]) => value);
    return values.includes(text) ? undefined : `must be one of ${values.join(", ")}`;
  }
  const value = Number(text);
  const isInside = text.trim() !== "" && value >= field.min && value <= field.max;
  return isInside ? undefined : `must be from ${field.min} to ${field.max}`;
}

/** The value that a text without problem stands for. */
export function readValue(field: Field, text: string): SimulatorSettings[keyof SimulatorSettings] {
  if (field.kind === "number") return Number(text);
  // A choice's text is one of its names, as `problemOf` made sure.
  return (field.kind === "flag" ? text === "yes" : text) as SimulatorSettings[keyof SimulatorSettings];
}

export function textOf(field: Field, settings: SimulatorSettings): string {
  const value = settings[field.name];
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}
