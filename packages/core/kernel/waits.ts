/**
 * Waits of pairs that are over their stated bound and not sent, as the account counts them: by zone and cause, round by round.
 *
 * While bounds are loosened, most pairs of a view wait like that. A pair whose wait cannot change for some rounds waits *unseen*: nobody looks
 * at it, and the engine adds the number of such pairs to their cell once in each round. A look begins by taking the pair out of that number
 * (`surface`). When the pair is looked at again is planned in `unseen.ts`. While a view sits out, its other waiting pairs are not looked at
 * either; the rounds are added to their cells when the view is served again (`waitOn`).
 */

import {
  CAUSES,
  TALLY,
  TALLY_LONGEST,
  TALLY_ROUNDS,
  TALLY_SPELLS,
  TALLY_UNSEEN,
  THREAD_SHORT,
  THREAD_TALLY,
  UNSEEN,
  VIEW_OUT,
  VIEW_UNSEEN,
  VIEW_WAITS,
  WAITING,
  WAITING_CELL,
  WAITING_COUNTED,
  WAITING_SINCE,
  WAITING_SPELL,
  WAITING_UNTIL,
} from "../src/engine/memory/layout";

/** Rounds in a row, up to this one, in which the pair was over its bound and not sent. */
export function waitedOf(view: usize, number: i32, round: i32): i32 {
  const waits = <usize>load<i32>(view, VIEW_WAITS) + number * WAITING;
  return load<i32>(waits, WAITING_UNTIL) == round ? round - load<i32>(waits, WAITING_SINCE) : 0;
}

/** The pair waits in this round, and is counted: in the spell that goes on, or in a new one. */
export function letWait(view: usize, number: i32, zone: i32, cause: i32, round: i32, thread: usize): void {
  const waits = <usize>load<i32>(view, VIEW_WAITS) + number * WAITING;
  const cell = zone * CAUSES + cause;
  const row = goOn(view, waits, cell, round, thread);
  store<i32>(waits, round + 1, WAITING_UNTIL);
  store<i32>(waits, cell, WAITING_COUNTED);
  store<i32>(row, load<i32>(row, TALLY_ROUNDS) + 1, TALLY_ROUNDS);
  noteLasted(waits, round + 1, thread);
}

/** The pair waits from this round on until it surfaces. Whoever counts adds it to its cell in each of these rounds. */
export function waitUnseen(view: usize, number: i32, zone: i32, cause: i32, round: i32, thread: usize): void {
  const waits = <usize>load<i32>(view, VIEW_WAITS) + number * WAITING;
  const cell = zone * CAUSES + cause;
  const row = goOn(view, waits, cell, round, thread);
  store<i32>(waits, UNSEEN, WAITING_UNTIL);
  store<i32>(waits, cell, WAITING_COUNTED);
  store<i32>(row, load<i32>(row, TALLY_UNSEEN) + 1, TALLY_UNSEEN);
  store<i32>(view, load<i32>(view, VIEW_UNSEEN) + 1, VIEW_UNSEEN);
}

/** Those of the listed pairs that waited unseen until now are seen: whoever looks at them says what becomes of their waits. */
export function surface(view: usize, list: usize, count: i32, round: i32, thread: usize): void {
  const column = <usize>load<i32>(view, VIEW_WAITS);
  const tally = <usize>load<i32>(thread, THREAD_TALLY);
  let unseen = load<i32>(view, VIEW_UNSEEN);
  for (let at = list; at < list + ((<usize>count) << 2); at += 4) {
    const waits = column + load<i32>(at) * WAITING;
    if (load<i32>(waits, WAITING_UNTIL) != UNSEEN) continue;
    const row = tally + load<i32>(waits, WAITING_COUNTED) * TALLY;
    store<i32>(row, load<i32>(row, TALLY_UNSEEN) - 1, TALLY_UNSEEN);
    store<i32>(waits, round, WAITING_UNTIL);
    noteLasted(waits, round, thread);
    unseen--;
  }
  store<i32>(view, unseen, VIEW_UNSEEN);
}

/** Those of the listed pairs that waited when their view began to sit out have waited on until now, each in the cell in which it was counted last. */
export function waitOn(view: usize, list: usize, count: i32, round: i32, thread: usize): void {
  const column = <usize>load<i32>(view, VIEW_WAITS);
  const tally = <usize>load<i32>(thread, THREAD_TALLY);
  const served = round - load<i32>(view, VIEW_OUT);
  for (let at = list; at < list + ((<usize>count) << 2); at += 4) {
    const waits = column + load<i32>(at) * WAITING;
    const until = load<i32>(waits, WAITING_UNTIL);
    if (until < served || until >= round) continue;
    const row = tally + load<i32>(waits, WAITING_COUNTED) * TALLY;
    store<i32>(row, load<i32>(row, TALLY_ROUNDS) + round - until, TALLY_ROUNDS);
    store<i32>(waits, round, WAITING_UNTIL);
    noteLasted(waits, round, thread);
  }
}

/**
 * Where waits of this cell are counted. A pair that did not wait in the round before begins a spell in it, which counts from the first of the rounds
 * that its view sat out.
 */
function goOn(view: usize, waits: usize, cell: i32, round: i32, thread: usize): usize {
  const row = <usize>load<i32>(thread, THREAD_TALLY) + cell * TALLY;
  if (load<i32>(waits, WAITING_UNTIL) != round) {
    const out = load<i32>(view, VIEW_OUT);
    store<i32>(waits, round, WAITING_SINCE);
    store<i32>(waits, round - out, WAITING_SPELL);
    store<i32>(waits, cell, WAITING_CELL);
    store<i32>(row, load<i32>(row, TALLY_SPELLS) + 1, TALLY_SPELLS);
    store<i32>(row, load<i32>(row, TALLY_ROUNDS) + out, TALLY_ROUNDS);
  }
  store<i32>(thread, load<i32>(thread, THREAD_SHORT) + 1, THREAD_SHORT);
  return row;
}

/** The pair's spell has lasted until before this round. */
function noteLasted(waits: usize, round: i32, thread: usize): void {
  const began = <usize>load<i32>(thread, THREAD_TALLY) + load<i32>(waits, WAITING_CELL) * TALLY;
  const lasted = round - load<i32>(waits, WAITING_SPELL);
  if (lasted > load<i32>(began, TALLY_LONGEST)) store<i32>(began, lasted, TALLY_LONGEST);
  store<i32>(thread, load<i32>(thread, THREAD_SHORT) + 1, THREAD_SHORT);
}
