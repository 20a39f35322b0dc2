import { bytes, count, percent, rate } from '../../ground/decimal.js';
import { marksOf, pointAt, shapeOf } from '../distribution-charts.js';
import { table, widthOf, wrapped } from './layout.js';

/** @import { Glyphs } from '../terminal.js' */
/** @import { Section } from './index.js' */
/** @import { TimeScale } from './layout.js' */

/** How much the rate varied over time; a short run has only its mean. @type {Section} */
export function rateSection({ series, iterations, requests }, options) {
  if (!iterations.completedRate) return [];
  const { plannedRate, startedRate = 0 } = iterations;
  const plan = `planned ${rate(plannedRate ?? 0)} iterations per second, started ${rate(startedRate)}`;
  const planned = plannedRate === undefined ? [] : [wrapped(plan, 0, options.width)];
  const { 'iterations.completedRate': rates, 'bytes.receivedRate': bytesRates } = series.spread;
  if (!rates) {
    const text = `${rate(iterations.completedRate)} iterations per second, ${rate(requests.rate)} requests`;
    return [`${options.paint('bold', 'rate')}  ${wrapped(text, 6, options.width)}`, ...planned];
  }
  const row = (
    /** @type {string} */ name,
    /** @type {Spread} */ spread,
    /** @type {(value: number) => string} */ format,
  ) => [name, ...COLUMNS.map(({ key }) => (spread[key] === undefined ? '-' : format(spread[key])))];
  const rows = [
    row('iterations', { ...rates, mean: iterations.completedRate }, rate),
    ...(bytesRates ? [row('bytes', bytesRates, bytes)] : []),
  ];
  return [...table([{ head: 'per second', isText: true }, ...COLUMNS], rows, options), ...planned];
}

/** @typedef {import('../../contracts/summaries.js').RateSpread} Spread */

/** The spread of the rates of the intervals. @type {{ key: keyof Spread, head: string, from?: number }[]} */
const COLUMNS = [
  { key: 'min', head: 'min' },
  { key: 'p1', head: 'p1', from: 94 },
  { key: 'p2_5', head: 'p2.5', from: 70 },
  { key: 'median', head: 'p50' },
  { key: 'p97_5', head: 'p97.5', from: 70 },
  { key: 'max', head: 'max', from: 50 },
  { key: 'mean', head: 'mean', from: 60 },
  { key: 'stddev', head: 'stddev', from: 94 },
];

/** Fewer values have no shape. */
const FEWEST_VALUES = 10;
/** Rows of a full report, and of others. */
const MAX_ROWS = 10;
const FEW_ROWS = 6;
const MAX_BAR = 60;
/** Columns of the labels of a row, `p50 p95 p99`, with the mark before them. */
const MARKS = 14;
/** Columns of a share, which a full report has. */
const SHARE = 8;
/** Numbers of bands into which a decade (1 to 10 ms) can be divided, from the widest bands on. */
const PER_DECADE = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256];

/** Bars in bands of equal width on a logarithmic scale, marked at percentiles. @type {Section} */
export function histogramSection(
  { main },
  { distributionOf, width, paint, glyphs, scale, full, room: { bands: most = FEW_ROWS } = {} },
) {
  const { min, max, count } = main.completed;
  if (most === 0 || count < FEWEST_VALUES || min === null || max === null || max <= min) return [];
  // Times are recorded in microseconds, and 0 has no logarithm.
  const bands = bandsOf(Math.max(min, 0.001), max, full ? MAX_ROWS : most);
  const shares = shapeOf(distributionOf('completed'), { ...bands, bands: bands.count });
  if (shares.length === 0) return [];
  const edges = shares.map((_, i) => bands.low * (bands.high / bands.low) ** (i / bands.count));
  const labels = labelsOf(edges, scale);
  const label = Math.max(...labels.map((text) => widthOf(text)));
  const highest = Math.max(...shares);
  const columns = Math.max(6, Math.min(MAX_BAR, width - label - 2 - MARKS - (full ? SHARE + 1 : 0)));
  return shares.map((share, i) => {
    const names = marksOf(main.completed).filter(({ ms }) => bandOf(ms, bands) === i);
    const bar = barOf(share / highest, columns, glyphs);
    const gap = ' '.repeat(columns - widthOf(bar));
    const part = full ? ` ${(share > 0 ? percent(share) : '').padStart(SHARE)}` : '';
    const mark = names.length > 0 ? ` ${glyphs.mark} ${paint('bold', names.map((one) => one.label).join(' '))}` : '';
    return `${paint('dim', ' '.repeat(label - widthOf(labels[i])) + labels[i])}  ${paint('cyan', bar)}${gap}${part}${mark}`.trimEnd();
  });
}

/** Logarithms of the edges of bands are not exact. */
const ROUNDING = 1e-9;

/**
 * Divides a range (ms, above 0) into bands, with edges at equal parts of a decade: the narrowest bands of which `most`
 * are enough.
 * @type {(min: number, max: number, most: number) => { low: number, high: number, count: number }}
 */
function bandsOf(min, max, most) {
  const all = PER_DECADE.map((perDecade) => {
    const first = Math.floor(Math.log10(min) * perDecade + ROUNDING);
    const last = Math.max(first + 1, Math.ceil(Math.log10(max) * perDecade - ROUNDING));
    return { low: 10 ** (first / perDecade), high: 10 ** (last / perDecade), count: last - first };
  });
  return all.findLast(({ count }) => count <= most) ?? all[0];
}

/** @type {(ms: number, bands: ReturnType<typeof bandsOf>) => number} */
function bandOf(ms, { low, high, count }) {
  const band = Math.floor((Math.log(ms / low) / Math.log(high / low)) * count + ROUNDING);
  return Math.max(0, Math.min(count - 1, band));
}

/** With two significant digits where that tells them apart. @type {(edges: number[], scale: TimeScale) => string[]} */
function labelsOf(edges, { round, withUnit }) {
  const short = edges.map(round);
  return new Set(short).size === short.length ? short : edges.map(withUnit);
}

/** A bar in which any share above 0 can be seen. @type {(share: number, room: number, glyphs: Glyphs) => string} */
function barOf(share, room, { blocks }) {
  const parts = share > 0 ? Math.max(1, Math.round(share * room * blocks.length)) : 0;
  const rest = parts % blocks.length;
  const whole = /** @type {string} */ (blocks.at(-1)).repeat(Math.floor(parts / blocks.length));
  return rest > 0 ? whole + blocks[rest - 1] : whole;
}

/** Each row halves the distance to 100 %, as HdrHistogram prints them. @type {Section} */
export function percentilesSection(result, options) {
  const { distributionOf, scale } = options;
  const points = distributionOf('completed');
  const rows = percentilesOf(points.at(-1)?.upTo ?? 0).map((percentile) => {
    const { ms: value, upTo } = pointAt(points, percentile / 100) ?? { ms: null, upTo: 0 };
    return [`${percentile.toFixed(decimalsOf(percentile))} %`, scale.format(value), count(upTo)];
  });
  return table([{ head: 'percentile' }, { head: scale.unit }, { head: 'iterations' }], rows, options);
}

/** More near 0 and 100 %, where percentiles are closer to each other. @type {(percentile: number) => number} */
function decimalsOf(percentile) {
  if (percentile < 1) return 3;
  return percentile < 99 ? 1 : 4;
}

/** The percentiles that so many values can tell apart. @type {(total: number) => number[]} */
function percentilesOf(total) {
  const low = [0.001, 0.01, 0.1, 1, 2.5].filter((percentile) => (percentile / 100) * total >= 1);
  const all = [...low, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 95];
  for (let above = 2.5; (above / 100) * total >= 1; above /= 2) all.push(100 - above);
  return total > 0 ? [...all, 100] : [];
}
