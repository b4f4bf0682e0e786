/**
 * How the server settles who is out of a fight. The players vote among themselves, without the server (decision 0033), but a vote needs all who are not
 * suspected: one who answers and refuses to vote could hold up the others for ever. The rules, by what the players report:
 *
 * 1. A player whom most of the others report as gone is out.
 * 2. A player whom at least half of the others have wanted to leave for `settleMs` is ruled out. All are told, and must want it too.
 * 3. Whoever has not followed such a ruling for `settleMs` refuses to vote, and is out too.
 * 4. Whoever has wanted somebody to leave for `settleMs` and is fewer than half is out itself: suspicion is not taken back, so it could not go on.
 */

import type { SeatRecord } from "./seats.ts";

/** Takes those out who are out by the rules. Returns the seats that have changed. */
export function settle(seats: readonly SeatRecord[], nowMs: number, settleMs: number): SeatRecord[] {
  const out = new Set<SeatRecord>();
  const fighting = seats.filter((seat) => seat.isFighting);
  for (const seat of seats) {
    if (!seat.isAwaited) continue;
    const others = fighting.filter((other) => other !== seat && !out.has(other));
    if (others.length === 0) continue;
    if (others.filter((other) => names(other.gone, seat)).length * 2 > others.length) {
      out.add(seat);
      continue;
    }
    const accusers = others.filter((other) => names(other.suspects | other.gone, seat));
    if (accusers.length === 0) {
      seat.accusedMs = Number.POSITIVE_INFINITY;
      continue;
    }
    seat.accusedMs = Math.min(seat.accusedMs, nowMs);
    if (nowMs - seat.accusedMs < settleMs) continue;
    if (accusers.length * 2 >= others.length) out.add(seat);
    else for (const accuser of accusers) out.add(accuser);
  }
  for (const ruled of seats) {
    if (nowMs - ruled.ruledMs < settleMs) continue;
    for (const other of fighting) if (other !== ruled && !names(other.followed, ruled)) out.add(other);
    // The next entry of this seat is not judged by this ruling.
    ruled.ruledMs = Number.POSITIVE_INFINITY;
  }
  for (const seat of out) takeOut(seats, seat, nowMs);
  return [...out];
}

/** The entry of a seat is out, and all who fight have to follow. */
export function takeOut(seats: readonly SeatRecord[], seat: SeatRecord, nowMs: number): void {
  if (seat.isAwaited) seat.ruledMs = nowMs;
  const bit = 1 << seat.address;
  for (const other of seats) other.followed = (other.followed & ~bit) | ((other.gone | other.suspects) & bit);
  seat.outTo = Math.max(seat.outTo, seat.entry, 1);
  seat.isIn = false;
  seat.accusedMs = Number.POSITIVE_INFINITY;
  seat.gone = 0;
  seat.suspects = 0;
}

function names(mask: number, { address }: SeatRecord): boolean {
  return ((mask >>> address) & 1) === 1;
}
