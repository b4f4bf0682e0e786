/**
 * A story of sends and looks whose every answer goes into one number: the same in every engine, or a server could not show again what a client
 * showed. Touches nothing of Node, so that a browser can run it too.
 */

import { sine } from "@nearfield/schema/internal";
import { Presenter, type PresenterSettings } from "../src/index.ts";
import type { MotionModelName } from "../src/internal/index.ts";

/** By name, so that a model more in the box does not change the number. */
const MODELS: readonly MotionModelName[] = [
  "hold",
  "linear",
  "quadratic",
  "accelerated",
  "historyLine",
  "historyCurve",
  "history",
];
const WAYS: readonly PresenterSettings[] = [
  ...MODELS.flatMap((model) =>
    (["snap", "linear", "curved"] as const).map((convergence) => ({ model, convergence, positionMs: 130 })),
  ),
  { model: "linear", turning: "derived" },
  { model: "interpolation" },
  { model: "interpolation", deltaMs: 90, convergence: "curved" },
];

export function bitsOfStory(): string {
  const words = new Uint32Array(2);
  const double = new Float64Array(words.buffer);
  let hash = 0x811c9dc5;
  const add = (value: number): void => {
    double[0] = value;
    for (const word of words) hash = Math.imul(hash ^ word, 0x01000193) >>> 0;
  };
  for (const settings of WAYS) {
    const presenter = new Presenter(settings);
    for (let round = 0; round < 60; round++) {
      const timeMs = round * 50 + (round % 7) * 33;
      const angle = round * 0.7;
      presenter.receive(
        {
          timeMs,
          position: [300 * sine(angle), round * 3.3, sine(round)],
          velocity: [210 * sine(angle + 1.5), 66, 1],
          acceleration: [sine(angle) * -147, 0, 0.3],
          orientation: [angle * 2, sine(angle)],
          settles: round % 13 === 12,
        },
        timeMs + 40 + 30 * sine(round * 5),
      );
      for (let later = 0; later < 90; later += 13) {
        const { position, orientation } = presenter.at(timeMs + 70 + later);
        position.forEach(add);
        orientation.forEach(add);
      }
    }
  }
  return hash.toString(16);
}
