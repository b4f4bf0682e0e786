/** Since when the time of a pair runs, under the clock `firstMiss` of a set (`SET_CLOCK`): since the first round with an update that was not sent. */

import {
  BODY_TRAITS,
  BODY_VERSION,
  ENGINE_LOGS,
  LOG,
  LOG_COUNT,
  LOG_RUNS,
  PAIR_LAST_SEND,
  RUN,
  RUN_ROUND,
  RUN_VERSION,
  UPDATES,
  UPDATES_SHIFT,
  VIEW_FIRST_MISS,
} from "../src/engine/memory/layout";

/** Rounds for which it has been running; −1 = it does not run, since the client has the newest version. Nothing is asked of a pair that the client has nothing of. */
export function roundsMissed(
  view: usize,
  number: i32,
  pair: usize,
  slot: i32,
  held: i32,
  round: i32,
  body: usize,
): i32 {
  if (held <= 0 || held == load<i32>(body, BODY_VERSION)) return -1;
  return round - firstMiss(view, number, pair, slot, held, round, body);
}

/** First round with an update that the pair was not sent. */
export function firstMiss(view: usize, number: i32, pair: usize, slot: i32, held: i32, round: i32, body: usize): i32 {
  const lastSend = load<i32>(pair, PAIR_LAST_SEND);
  // One in every round, if there was never more than one in a round: no need to ask the log.
  const updates = (load<i32>(body, BODY_TRAITS) >>> UPDATES_SHIFT) & UPDATES;
  if (updates == 1 && load<i32>(body, BODY_VERSION) - held == round - lastSend) return lastSend + 1;
  const noted = load<i32>(<usize>load<i32>(view, VIEW_FIRST_MISS) + (number << 2));
  if (noted > lastSend && noted > 0) return noted;
  const log = <usize>load<i32>(0, ENGINE_LOGS) + slot * LOG;
  const runs = <usize>load<i32>(log, LOG_RUNS);
  let run = runs + (load<i32>(log, LOG_COUNT) - 1) * RUN;
  while (run > runs && load<i32>(run, RUN_VERSION) > held + 1) run -= RUN;
  return load<i32>(run, RUN_ROUND) + held + 1 - load<i32>(run, RUN_VERSION);
}
