/** Numbers as people read them. Programs read the same numbers, exact, from `data-value`. */

const NONE = "–";

/** Three digits that count, at most two after the point: 1.23, 12.3, 123, 1234. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 100 || Number.isInteger(value)) return String(Math.round(value));
  return size >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function scaled(value: number, units: readonly string[]): string {
  let unit = 0;
  let rest = value;
  // 999.5 would be written as 1000 of the smaller unit.
  while (Math.abs(rest) >= 999.5 && unit < units.length - 1) {
    rest /= 1000;
    unit += 1;
  }
  return `${short(unit === 0 ? Math.round(rest) : rest)} ${units[unit]}`;
}

export function bytes(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value)
    ? NONE
    : scaled(value, ["B", "kB", "MB", "GB"]);
}

export function bytesPerSecond(value: number | null | undefined): string {
  const text = bytes(value);
  return text === NONE ? NONE : `${text}/s`;
}

/** A count: 1234 is written 1 234, from a million on shortened. */
export function count(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  if (Math.abs(value) >= 1e6) return scaled(value / 1000, ["k", "M", "G"]).replace(" ", " ");
  if (!Number.isInteger(value)) return short(value);
  return String(value).replace(/\B(?=(\d{3})+$)/g, " ");
}

/** 1 client, 2 clients. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

export function milliseconds(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  if (value > 0 && value < 0.1) return `${short(value * 1000)} µs`;
  return value >= 10_000 ? `${short(value / 1000)} s` : `${short(value)} ms`;
}

/** A share of 1 as percent. A share below 1 is never rounded up to 100 %. */
export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return NONE;
  const value = share * 100;
  if (share < 1 && value > 99.99) return "> 99.99 %";
  if (share > 0 && value < 0.01) return "< 0.01 %";
  return `${value >= 99.9 && share < 1 ? value.toFixed(2) : short(value)} %`;
}

/** How many times: 12.3×. */
export function times(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? NONE : `${short(value)}×`;
}

/** A span: 8.4 s, 3:07, 1:02:45. */
export function span(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
