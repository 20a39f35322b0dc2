import { contentOf } from './blocks.js';
import { SIDE_COLORS, byId, element, show, showHead, swatch } from './elements.js';
import { curveThrough, ratesChart, timesChart } from './load-chart.js';

/** @import { CapacityComparisonModel } from '../capacity-comparison.js' */
/** @import { LoadCurve, LoadMarks } from './load-chart.js' */

/** @type {(model: CapacityComparisonModel) => void} */
function renderCapacities(model) {
  const { outcome, sides, capacities, differences } = model;
  showHead({ ...model, subtitle: 'a comparison of the capacity of B with that of A' }, outcome.regressions);
  byId('sides').replaceChildren(...sides.map(sideCard));
  show('capacities', contentOf('Capacities', capacities));
  show(
    'times',
    timesChart(
      curvesOf(model, 'p95', ({ responseTime }) => responseTime.p95),
      marksOf(model),
      'p95 over the load',
    ),
    'p95 over the load',
  );
  show(
    'throughput',
    ratesChart(
      curvesOf(model, 'throughput', ({ iterations }) => iterations.completedRate),
      marksOf(model),
      'Throughput',
    ),
    'over the load',
  );
  show('differences', contentOf('What differs', differences));
}

/** @type {(side: CapacityComparisonModel['sides'][0], i: number) => HTMLElement} */
function sideCard({ label, message }, i) {
  return element(
    'div',
    {},
    element('h2', {}, swatch(i), element('span', { class: 'side-label', text: label })),
    element('p', { text: message }),
  );
}

/** @typedef {CapacityComparisonModel['sides'][0]['points'][0]} Point */

/** @type {(model: CapacityComparisonModel, name: string, valueOf: (point: Point) => number | null) => LoadCurve[]} */
function curvesOf({ sides }, name, valueOf) {
  return sides.map(({ label, points }, i) =>
    curveThrough(points, { name: `${name} of ${label}`, color: SIDE_COLORS[i] }, valueOf),
  );
}

/** @type {(model: CapacityComparisonModel) => LoadMarks} */
function marksOf({ sides, unit }) {
  return {
    unit,
    marks: sides.flatMap(({ load, loadText }, i) => (load === null ? [] : [{ load, label: `${'AB'[i]} ${loadText}` }])),
    bands: sides.flatMap(({ interval }) => (interval === null ? [] : [interval])),
  };
}

renderCapacities(JSON.parse(/** @type {string} */ (byId('result').textContent)));
