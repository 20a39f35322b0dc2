import { percent } from '../numbers.js';
import { marksOf, shapeOf } from '../shape.js';
import { widthOf } from './layout.js';

/**
 * @import { Glyphs } from '../glyphs.js'
 * @import { TimeScale } from '../time-scale.js'
 */

const FEWEST_VALUES = 10;
const MAX_ROWS = 10;
const MAX_BAR = 60;
/** columns of `p50 p95 p99` with its mark */
const MARKS = 14;
/** bands of a decade, each a scale of round edges */
const PER_DECADE = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256];

/** The response times as bars, in bands of equal width on a logarithmic scale, with marks at the percentiles. @type {import('./index.js').Section} */
export function histogramSection({ main }, { distributionOf, width, paint, glyphs, scale, full }) {
  const { min, max, count } = main.ok;
  if (count < FEWEST_VALUES || min === null || max === null || max <= min) return [];
  const bands = bandsOf(Math.max(min, 0.001), max);
  const shares = shapeOf(distributionOf('ok'), { ...bands, bands: bands.count });
  if (shares.length === 0) return [];
  const edges = shares.map((_, i) => bands.low * (bands.high / bands.low) ** (i / bands.count));
  const labels = labelsOf(edges, scale);
  const label = Math.max(...labels.map((text) => widthOf(text)));
  const highest = Math.max(...shares);
  const room = Math.max(6, Math.min(MAX_BAR, width - label - 2 - MARKS - (full ? 9 : 0)));
  return shares.map((share, i) => {
    const names = marksOf(main.ok).filter(({ ms }) => bandOf(ms, bands) === i);
    const bar = barOf(share / highest, room, glyphs);
    const gap = ' '.repeat(room - widthOf(bar));
    const part = full ? ` ${(share > 0 ? percent(share) : '').padStart(8)}` : '';
    const mark = names.length > 0 ? ` ${glyphs.mark} ${paint('bold', names.map((one) => one.label).join(' '))}` : '';
    return `${paint('dim', ' '.repeat(label - widthOf(labels[i])) + labels[i])}  ${paint('cyan', bar)}${gap}${part}${mark}`.trimEnd();
  });
}

/**
 * Bands from one round edge to another: as many as fit.
 *
 * @param {number} min ms, above 0
 * @param {number} max ms
 * @returns {{ low: number, high: number, count: number }}
 */
function bandsOf(min, max) {
  const all = PER_DECADE.map((perDecade) => {
    const first = Math.floor(Math.log10(min) * perDecade + 1e-9);
    const last = Math.max(first + 1, Math.ceil(Math.log10(max) * perDecade - 1e-9));
    return { low: 10 ** (first / perDecade), high: 10 ** (last / perDecade), count: last - first };
  });
  return all.findLast(({ count }) => count <= MAX_ROWS) ?? all[0];
}

/** @type {(ms: number, bands: ReturnType<typeof bandsOf>) => number} */
function bandOf(ms, { low, high, count }) {
  const band = Math.floor((Math.log(ms / low) / Math.log(high / low)) * count + 1e-9);
  return Math.max(0, Math.min(count - 1, band));
}

/** The lower edges, with two significant digits where that tells them apart. @type {(edges: number[], scale: TimeScale) => string[]} */
function labelsOf(edges, { round, withUnit }) {
  const short = edges.map(round);
  return new Set(short).size === short.length ? short : edges.map(withUnit);
}

/** A bar of at most `room` columns; the smallest share is still seen. @type {(share: number, room: number, glyphs: Glyphs) => string} */
function barOf(share, room, { blocks }) {
  const parts = share > 0 ? Math.max(1, Math.round(share * room * blocks.length)) : 0;
  const rest = parts % blocks.length;
  const whole = /** @type {string} */ (blocks.at(-1)).repeat(Math.floor(parts / blocks.length));
  return rest > 0 ? whole + blocks[rest - 1] : whole;
}
