/** `ticks`: the marks of an axis. */

/** Four to eight round numbers that enclose the values: the grid of a chart. */
export function ticks(low: number, high: number): number[] {
  const span = Math.max(high - low, 1);
  const rough = span / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? 10 * power;
  const from = Math.floor(low / step);
  const to = Math.max(Math.ceil(high / step), from + 1);
  return Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step);
}
