/** The statistics that the benchmarks report: medians and percentiles, which a single slow round does not change, and fitted exponents. */

/** The middle value; between the two middle ones where their number is even. */
export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}

/** The smallest value that at least this share (0 to 1) of all values do not exceed (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  if (!(share >= 0 && share <= 1)) throw new RangeError(`percentile: the share is ${share}, but must be 0 to 1`);
  const sorted = ascending(values);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}

export function mean(values: readonly number[]): number {
  return ascending(values).reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The exponent e for which cost ≈ c · size^e fits best: the slope of the least-squares line through the logarithms. 1 means
 * that twice the size costs twice as much, 0 that size does not matter.
 */
export function fitExponent(points: readonly { readonly size: number; readonly cost: number }[]): number {
  for (const { size, cost } of points) {
    if (!(size > 0 && cost > 0)) throw new RangeError(`fitExponent: size ${size} and cost ${cost} must be above 0`);
  }
  const logs = points.map(({ size, cost }) => ({ x: Math.log(size), y: Math.log(cost) }));
  const meanX = mean(logs.map(({ x }) => x));
  const meanY = mean(logs.map(({ y }) => y));
  let covariance = 0;
  let variance = 0;
  for (const { x, y } of logs) {
    covariance += (x - meanX) * (y - meanY);
    variance += (x - meanX) ** 2;
  }
  if (variance === 0) throw new RangeError("fitExponent: needs at least two different sizes");
  return covariance / variance;
}

function ascending(values: readonly number[]): number[] {
  if (values.length === 0) throw new RangeError("a statistic of no values");
  return [...values].sort((a, b) => a - b);
}
