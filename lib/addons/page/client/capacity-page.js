import { percent } from '../../../core/ground/decimal.js';
import { contentOf } from './blocks.js';
import { byId, show, showHead } from './elements.js';
import { curveThrough, ratesChart, timesChart } from './load-chart.js';

/** @import { CapacityModel } from '../capacity.js' */

const TIMES = /** @type {const} */ ([
  { key: 'median', name: 'p50', color: 'one' },
  { key: 'p95', name: 'p95', color: 'three' },
  { key: 'p99', name: 'p99', color: 'two' },
]);

/** @type {(model: CapacityModel) => void} */
function renderCapacity(model) {
  const { about, remarks, steps } = model;
  showHead(model, remarks);
  byId('about').textContent = about;
  show('times', timesOf(model), 'over the load, on logarithmic scales');
  show('throughput', throughputOf(model), 'over the load');
  show('steps', contentOf('Steps', steps));
}

/** @type {(model: CapacityModel) => Node[]} */
function timesOf(model) {
  const curves = TIMES.map(({ key, ...look }) => curveThrough(model.points, look, (point) => point.responseTime[key]));
  return timesChart(curves, model, 'Response times over the load');
}

/**
 * The throughput, and the share of errors on the same axis: all iterations are as high as the highest throughput.
 * @type {(model: CapacityModel) => Node[]}
 */
function throughputOf(model) {
  const { points } = model;
  const most = Math.max(...points.map(({ iterations }) => iterations.completedRate));
  const errors = Math.max(...points.map(({ errors: { share: errorShare } }) => errorShare ?? 0));
  const share = { name: `errors, share of the iterations: up to ${percent(errors)}`, color: 'bad' };
  const curves = [
    curveThrough(points, { name: 'throughput', color: 'one' }, ({ iterations }) => iterations.completedRate),
    ...(errors > 0 ? [curveThrough(points, share, ({ errors: { share: one } }) => (one ?? 0) * most)] : []),
  ];
  return ratesChart(curves, model, 'Throughput over the load');
}

renderCapacity(JSON.parse(/** @type {string} */ (byId('result').textContent)));
