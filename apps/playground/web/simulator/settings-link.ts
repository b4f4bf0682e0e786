/**
 * Settings as the part of an address behind the `#`, and back. Only what differs from the chosen genre and network is written, so a link
 * stays short: `#genre=arcade&network=gprs&model=history`. A value that cannot be used is named and left out; the rest still counts.
 */

import { problemOf, readValue, textOf } from "./field.ts";
import { FIELDS } from "./fields.ts";
import { type Recording, RecordingError, readRecording, writeRecording } from "./recording.ts";
import { DEFAULT_SETTINGS, type SimulatorSettings, withGenre, withNetwork, withSetting } from "./settings.ts";

/** Longer addresses are cut off by some messengers. */
const LONGEST_RECORDING = 6000;

/** Settings that fill in others; the last is read first. */
const FILLS_IN: readonly string[] = ["genre", "advice", "network"];

export interface LinkContent {
  readonly settings: SimulatorSettings;
  readonly recording: Recording | undefined;
  /** What could not be used, in words. */
  readonly problems: readonly string[];
}

export function writeLink(settings: SimulatorSettings, recording?: Recording): string {
  const { advice, network, genre } = settings;
  const base = withGenre(withNetwork({ ...DEFAULT_SETTINGS, advice }, network), genre);
  const parameters = new URLSearchParams();
  for (const field of FIELDS) {
    const isAlways = field.name === "genre" || field.name === "network";
    const isAdvice = field.name === "advice" && advice !== DEFAULT_SETTINGS.advice;
    if (isAlways || isAdvice || settings[field.name] !== base[field.name])
      parameters.set(field.name, textOf(field, settings));
  }
  const text = recording === undefined ? "" : writeRecording(recording);
  if (text !== "" && text.length <= LONGEST_RECORDING) parameters.set("recording", text);
  return `#${parameters}`;
}

export function readLink(hash: string): LinkContent {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const problems: string[] = [];
  let settings = DEFAULT_SETTINGS;
  // What fills in other settings comes first, the network before all, since the others depend on it.
  const fields = FIELDS.toSorted((a, b) => FILLS_IN.indexOf(b.name) - FILLS_IN.indexOf(a.name));
  for (const field of fields) {
    const text = parameters.get(field.name);
    if (text === null) continue;
    parameters.delete(field.name);
    const problem = problemOf(field, text);
    if (problem === undefined) settings = withSetting(settings, field.name, readValue(field, text));
    else problems.push(`${field.label} is “${shorten(text)}”, but ${problem}`);
  }
  const recording = readRecordingOf(parameters, problems);
  for (const name of parameters.keys()) problems.push(`There is no setting “${shorten(name)}”`);
  return { settings, recording, problems };
}

function readRecordingOf(parameters: URLSearchParams, problems: string[]): Recording | undefined {
  const text = parameters.get("recording");
  parameters.delete("recording");
  if (text === null) return undefined;
  try {
    return readRecording(text);
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}

function shorten(text: string): string {
  return text.length > 30 ? `${text.slice(0, 30)}…` : text;
}
