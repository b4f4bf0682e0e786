/**
 * Who lets whom into a fight. The server names a sponsor, a player who fights: for one newcomer at a time, who is let in by one of the sponsor's inputs; and for each spectator, whom the sponsor
 * tells what is final. A sponsor who takes too long, or fights no more, is replaced by the next.
 */

import type { SeatRecord } from "./seats.ts";

/** Names those who are missing. Returns the seats that have another sponsor now. */
export function nameSponsors(seats: readonly SeatRecord[], nowMs: number, sponsorMs: number): SeatRecord[] {
  const hosts = seats.filter((seat) => seat.isFighting && seat.visit > 0);
  const isHost = (address: number): boolean => hosts.some((host) => host.address === address);
  const pending = seats.filter((seat) => seat.isPending);
  const newcomer = pending.find(({ sponsor }) => sponsor >= 0) ?? pending[0];
  const isWanting = (seat: SeatRecord): boolean => {
    if (seat === newcomer) return !isHost(seat.sponsor) || nowMs - seat.sponsorMs > sponsorMs;
    return !seat.isPlayers && !seat.isObserver && seat.visit > 0 && !isHost(seat.sponsor);
  };
  return seats.filter((seat) => isWanting(seat) && name(seat, hosts, nowMs));
}

/** Whether the seat has another sponsor now. */
function name(seat: SeatRecord, hosts: readonly SeatRecord[], nowMs: number): boolean {
  const before = seat.sponsor;
  const next = hosts.find(({ address }) => address > before) ?? hosts[0];
  seat.sponsor = next?.address ?? -1;
  seat.sponsorMs = nowMs;
  return before !== seat.sponsor;
}
