/**
 * Divides parties into teams of one size, so that the teams are as equal as they can be and nobody is parted from their party. It searches all
 * divisions of small matches and stops after a bounded number of steps; the first one it tries, strongest party into the weakest team, is a good one already.
 */

/** Players who stay together. */
export interface Group {
  readonly id: string;
  readonly size: number;
  /** The mean rating of its members. */
  readonly rating: number;
}

/** Steps of one search: some milliseconds. */
const MOST_STEPS = 20_000;

/** The teams, each as indexes of `groups`; undefined if the parties do not fit. */
export function divide(groups: readonly Group[], teamCount: number, teamSize: number): number[][] | undefined {
  if (groups.reduce((sum, { size }) => sum + size, 0) > teamCount * teamSize) return undefined;
  // Large parties first, since they fit in few places; then strong ones.
  const order = groups.map((_, index) => index).sort((a, b) => compare(groups[a]!, groups[b]!));
  const teams = Array.from({ length: teamCount }, () => ({ members: [] as number[], size: 0, sum: 0 }));
  let best: number[][] | undefined;
  let bestSpread = Number.POSITIVE_INFINITY;
  let steps = 0;
  const search = (at: number): void => {
    steps += 1;
    if (steps > MOST_STEPS && best !== undefined) return;
    if (at === order.length) {
      const sums = teams.map(({ sum }) => sum);
      const spread = Math.max(...sums) - Math.min(...sums);
      if (spread >= bestSpread) return;
      bestSpread = spread;
      best = teams.map(({ members }) => [...members]);
      return;
    }
    const index = order[at]!;
    const { size, rating } = groups[index]!;
    const tried = new Set<string>();
    for (const team of [...teams].sort((a, b) => a.sum - b.sum)) {
      // Teams that are alike so far lead to the same divisions.
      const kind = `${team.size} ${team.sum}`;
      if (team.size + size > teamSize || tried.has(kind)) continue;
      tried.add(kind);
      team.members.push(index);
      team.size += size;
      team.sum += size * rating;
      search(at + 1);
      team.members.pop();
      team.size -= size;
      team.sum -= size * rating;
    }
  };
  search(0);
  return best;
}

function compare(a: Group, b: Group): number {
  return b.size - a.size || b.rating - a.rating || (a.id < b.id ? -1 : 1);
}
