/** Median of the measured values; undefined if there are none. */
export function median(values) {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : sorted.length ? (sorted[middle - 1] + sorted[middle]) / 2 : undefined;
}
