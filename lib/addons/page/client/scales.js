/** Scales of times and colors, and the lines that are drawn on them. */

/** Round times in each decade. */
const STEPS = [1, 2, 5];

/**
 * Creates a logarithmic scale from `low` to `high` (ms): positions from 0 to `length`.
 * @type {(low: number, high: number, length: number) => (ms: number) => number}
 */
export function logScale(low, high, length) {
  const perUnit = length / Math.log(high / low);
  return (ms) => Math.max(0, Math.min(length, Math.log(Math.max(ms, low) / low) * perUnit));
}

/** Round times, ms: 1, 2 and 5 of each decade, or 1 alone. @type {(low: number, high: number) => number[]} */
export function timeTicks(low, high) {
  const steps = high / low > 2000 ? [1] : STEPS;
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high * 1.001; power++)
    for (const step of steps) ticks.push(Number((step * 10 ** power).toPrecision(3)));
  return ticks.filter((ms) => ms >= low * 0.999 && ms <= high * 1.001);
}

/** A time with three digits and its unit: `200 µs`, `5 ms`, `2 s`. @param {number} time ms */
export function timeLabel(time) {
  const digits = (/** @type {number} */ value) => Number(value.toPrecision(3));
  // The rounded value decides: 999.6 ms is 1 s.
  const ms = digits(time);
  if (ms === 0) return '0 s';
  if (ms < 1) return `${digits(ms * 1000)} µs`;
  return ms < 1000 ? `${ms} ms` : `${digits(ms / 1000)} s`;
}

/** The opacity of a band of a heat map. @param {number} share of its level, 0 to 1 */
export function heatOpacity(share) {
  return 0.1 + 0.72 * share;
}

/**
 * Draws the outline of a distribution, by the shares of its bands, as the path of an SVG. `base` is y of a share of 0;
 * `perShare` is negative above it.
 * @type {(shares: number[], place: { width: number, base: number, perShare: number }) => string}
 */
export function silhouettePath(shares, { width, base, perShare }) {
  const points = shares.map(
    (share, i) => `${(((i + 0.5) * width) / shares.length).toFixed(1)},${(base + share * perShare).toFixed(1)}`,
  );
  return `M0,${base}L${points.join('L')}L${width},${base}Z`;
}

/**
 * Draws a line through the means of each load, as the points of a polyline of SVG.
 * @type {(points: { load: number, value: number }[], scales: Record<'x' | 'y', (value: number) => number>) => string}
 */
export function lineOfMeans(points, { x, y }) {
  const places = [...new Set(points.map(({ load }) => load))].map((load) => {
    const own = points.filter((point) => point.load === load);
    const mean = own.reduce((sum, { value }) => sum + value, 0) / own.length;
    return `${x(load).toFixed(1)},${y(mean).toFixed(1)}`;
  });
  return places.join(' ');
}

const LEAST_CHANGE = Math.log(1.05);
const MOST_CHANGE = Math.log(11);
/** Ends of an axis of changes: the same factor up and down. */
const CHANGES = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 3, 9];

/**
 * Creates a scale of relative changes that has room for the shares (0.1 is 10 % more): x is 0 to 100, and 50 is no
 * change. Half as much is as far from no change as twice as much.
 * @type {(shares: number[]) => { x: (share: number) => number, ticks: { share: number, label: string }[] }}
 */
export function changeScale(shares) {
  const most = Math.max(...shares.map((share) => Math.abs(Math.log1p(Math.max(share, -0.999)))), LEAST_CHANGE);
  const limit = Math.min(most, MOST_CHANGE) * 1.1;
  const x = (/** @type {number} */ share) =>
    50 + 50 * Math.max(-1, Math.min(1, Math.log1p(Math.max(share, -0.999)) / limit));
  const up = CHANGES.findLast((share) => Math.log1p(share) <= limit) ?? CHANGES[0];
  const ticks = [1 / (1 + up) - 1, 0, up].map((share) => ({ share, label: changeLabel(share) }));
  return { x, ticks };
}

/** `+10 %`, without decimals. @type {(share: number) => string} */
function changeLabel(share) {
  return `${share > 0 ? '+' : ''}${Math.round(share * 100)} %`;
}
