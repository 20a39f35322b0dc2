import { percent, rate } from '../../numbers.js';
import { byId, element, legend, show, svg, table } from './elements.js';
import { logScale, timeLabel, timeTicks } from './scales.js';

/** @import { CapacityModel } from '../capacity.js' */

/**
 * @typedef {CapacityModel['points'][0]} Point
 *
 * @typedef {object} Curve
 * @property {'p50' | 'p95' | 'p99' | 'throughput' | 'errorShare'} key
 * @property {string} name
 * @property {string} color
 *
 * @typedef {object} Scales
 * @property {(load: number) => number} x
 * @property {(value: number) => number} y
 * @property {{ y: number, label: string }[]} ticks
 */

const [WIDTH, HEIGHT, AXIS] = [560, 260, 230];
/** room for the labels of values on the left, and of marks above */
const [LEFT, RIGHT, TOP] = [56, 12, 30];

/** @type {Curve[]} */
const TIMES = [
  { key: 'p50', name: 'p50', color: 'one' },
  { key: 'p95', name: 'p95', color: 'three' },
  { key: 'p99', name: 'p99', color: 'two' },
];
/** @type {Curve[]} */
const THROUGHPUT = [{ key: 'throughput', name: 'throughput', color: 'one' }];
/** @type {Curve} */
const ERRORS = { key: 'errorShare', name: 'errors, share of the iterations', color: 'bad' };

/** Draws the page of a capacity. @type {(model: CapacityModel) => void} */
function renderCapacity(model) {
  const { title, subtitle, about, outcome, remarks, head, rows } = model;
  document.title = `${outcome.sentence} · bench-rest`;
  byId('title').textContent = title;
  byId('subtitle').textContent = subtitle;
  byId('about').textContent = about;
  const band = byId('outcome');
  band.className = `outcome ${outcome.status}`;
  const sentence = element('b', { text: outcome.sentence });
  const notes = remarks.map((text) => element('p', { text }));
  band.replaceChildren(element('strong', { text: outcome.word }), element('span', {}, sentence, ...notes));
  show('times', timesChart(model), 'over the load, on logarithmic scales');
  show('throughput', throughputChart(model), 'over the load');
  const columns = head.map((text, i) => ({ head: text, isText: i >= head.length - 2, isWide: i === 2 }));
  const cells = rows.map(({ load, throughput, p50, p95, p99, errors, verdict, note }) => [
    ...[load, throughput, p50, p95, p99, errors],
    element('span', { class: verdict === 'passed' ? 'passed' : 'failed', text: WORDS[verdict] }),
    note,
  ]);
  show('steps', cells.length > 0 ? [table('Steps', columns, cells)] : []);
}

const WORDS = { passed: '✓ yes', failed: '✗ no', saturated: '? not known' };

/** @type {(model: CapacityModel) => Node[]} */
function timesChart(model) {
  const values = TIMES.flatMap(({ key }) => model.points.flatMap((point) => point[key] ?? [])).filter((ms) => ms > 0);
  if (values.length < 2) return [];
  const [low, high] = [Math.min(...values) * 0.8, Math.max(...values) * 1.25];
  const up = logScale(low, high, AXIS - TOP);
  const y = (/** @type {number} */ ms) => AXIS - up(ms);
  const ticks = timeTicks(low, high).map((ms) => ({ y: y(ms), label: timeLabel(ms) }));
  return chart(model, TIMES, { x: loadScale(model), y, ticks: spaced(ticks) }, 'Response times over the load');
}

/** @type {(model: CapacityModel) => Node[]} */
function throughputChart(model) {
  const { points } = model;
  const most = Math.max(...points.map(({ throughput }) => throughput), 1e-9);
  if (points.length < 2) return [];
  const y = (/** @type {number} */ value) => AXIS - (value / most) * (AXIS - TOP);
  const ticks = [0, most / 2, most].map((value) => ({ y: y(value), label: `${rate(value)}/s` }));
  const errors = Math.max(...points.map(({ errorShare }) => errorShare ?? 0));
  const share = { ...ERRORS, name: `${ERRORS.name}: up to ${percent(errors)}` };
  const scaled = points.map((point) => ({ ...point, errorShare: (point.errorShare ?? 0) * most }));
  const curves = errors > 0 ? [...THROUGHPUT, share] : THROUGHPUT;
  return chart({ ...model, points: scaled }, curves, { x: loadScale(model), y, ticks }, 'Throughput over the load');
}

/** @type {(model: CapacityModel) => (load: number) => number} */
function loadScale({ points }) {
  const loads = points.map(({ load }) => load);
  const to = logScale(Math.min(...loads) * 0.9, Math.max(...loads) * 1.1, WIDTH - LEFT - RIGHT);
  return (load) => LEFT + to(load);
}

/**
 * A chart, below its legend.
 * @type {(model: CapacityModel, curves: Curve[], scales: Scales, label: string) => Node[]}
 */
function chart({ points, marks, interval, unit }, curves, { x, y, ticks }, label) {
  const [first, last] = [points[0], points[points.length - 1]];
  const high = interval?.high ?? last.load;
  const band =
    interval === null
      ? []
      : [
          svg('rect', {
            x: x(interval.low),
            width: Math.max(1, x(high) - x(interval.low)),
            y: TOP,
            height: AXIS - TOP,
            class: 'range-band',
          }),
        ];
  const loads = [first.load, ...marks.slice(0, 1).map(({ load }) => load), last.load];
  const plot = svg(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: 'img',
      'aria-label': describe(label, points, curves, unit),
      class: 'plot',
    },
    ...band,
    ...ticks.flatMap((tick) => [
      svg('line', { x1: LEFT, x2: WIDTH - RIGHT, y1: tick.y, y2: tick.y, class: 'grid' }),
      svg('text', { x: LEFT - 6, y: tick.y + 4, 'text-anchor': 'end', text: tick.label }),
    ]),
    ...[...new Set(loads)].map((load) =>
      svg('text', { x: x(load), y: HEIGHT - 8, 'text-anchor': 'middle', text: `${rate(load)}${unit}` }),
    ),
    ...marks.flatMap((mark, i) => [
      svg('line', { x1: x(mark.load), x2: x(mark.load), y1: 12 * i + 4, y2: AXIS, class: 'mark' }),
      svg('text', { x: x(mark.load) - 4, y: 12 * i + 12, 'text-anchor': 'end', class: 'strong', text: mark.label }),
    ]),
    ...curves.flatMap((curve) => curveOf(curve, points, { x, y })),
  );
  return [legend(curves.map(({ name, color }) => ({ name, color }))), plot];
}

/**
 * The line through the means of each load, and a dot for each step.
 * @type {(curve: Curve, points: Point[], scales: Pick<Scales, 'x' | 'y'>) => SVGElement[]}
 */
function curveOf({ key, name, color }, points, { x, y }) {
  const known = points.flatMap((point) => {
    const value = point[key];
    return value === null ? [] : [{ load: point.load, value, verdict: point.verdict }];
  });
  const loads = [...new Set(known.map(({ load }) => load))];
  const line = loads.map((load) => {
    const own = known.filter((point) => point.load === load);
    return `${x(load).toFixed(1)},${y(own.reduce((sum, { value }) => sum + value, 0) / own.length).toFixed(1)}`;
  });
  return [
    svg('polyline', { points: line.join(' '), class: `curve ${color}` }),
    ...known.map(({ load, value, verdict }) =>
      svg(
        'circle',
        { cx: x(load), cy: y(value), r: 3.5, class: verdict === 'passed' ? color : `${color} hollow` },
        svg('title', { text: `${name} at ${rate(load)}` }),
      ),
    ),
  ];
}

/** @type {(label: string, points: Point[], curves: Curve[], unit: string) => string} */
function describe(label, points, curves, unit) {
  const [first, last] = [points[0], points[points.length - 1]];
  const names = curves.map(({ name }) => name).join(', ');
  return `${label}: ${names}, from ${rate(first.load)}${unit} to ${rate(last.load)}${unit}`;
}

/** Ticks whose labels do not touch. @type {(ticks: Scales['ticks']) => Scales['ticks']} */
function spaced(ticks) {
  let last = Infinity;
  return ticks.filter((tick) => {
    const fits = last - tick.y >= 16;
    if (fits) last = tick.y;
    return fits;
  });
}

renderCapacity(JSON.parse(/** @type {string} */ (byId('result').textContent)));
