import { describe, expect, test } from "vitest";
import { bytes, bytesPerSecond, count, milliseconds, percent, span, times } from "../../web/format.ts";

describe("numbers as people read them", () => {
  test.each([
    [0, "0 B"],
    [999, "999 B"],
    [999.6, "1.00 kB"],
    [1234, "1.23 kB"],
    [12_345, "12.3 kB"],
    [999_499, "999 kB"],
    [123_456_789, "123 MB"],
    [null, "–"],
    [Number.POSITIVE_INFINITY, "–"],
  ])("%s bytes are written %s", (value, text) => {
    expect(bytes(value)).toBe(text);
  });

  test("rates carry their second, unless there is none to tell", () => {
    expect(bytesPerSecond(1500)).toBe("1.50 kB/s");
    expect(bytesPerSecond(null)).toBe("–");
  });

  test.each([
    [7, "7"],
    [1234, "1 234"],
    [999_999, "999 999"],
    [1_234_567, "1.23 M"],
    [2.5, "2.50"],
  ])("a count of %s is written %s", (value, text) => {
    expect(count(value)).toBe(text);
  });

  test.each([
    [0, "0 ms"],
    [0.0123, "12.3 µs"],
    [1.234, "1.23 ms"],
    [250, "250 ms"],
    [12_000, "12 s"],
  ])("%s ms are written %s", (value, text) => {
    expect(milliseconds(value)).toBe(text);
  });

  test.each([
    [1, "100 %"],
    [0.9998, "99.98 %"],
    [0.997, "99.7 %"],
    [0.9999999, "> 99.99 %"],
    [0.5, "50 %"],
    [0.00001, "< 0.01 %"],
    [0, "0 %"],
    [null, "–"],
  ])("a share of %s is written %s, never rounded to a whole that it is not", (share, text) => {
    expect(percent(share)).toBe(text);
  });

  test("spans and factors", () => {
    expect([span(8400), span(187_000), span(3_765_000)]).toEqual(["8.4 s", "3:07", "1:02:45"]);
    expect([times(12.34), times(null)]).toEqual(["12.3×", "–"]);
  });
});
