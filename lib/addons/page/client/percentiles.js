/* global uPlot */
import { ms } from '../../../core/ground/decimal.js';
import { axis, element, legend, lineOf, show } from './elements.js';
import { timeLabel } from './scales.js';

/**
 * @typedef {object} Percentiles
 * @property {number[]} inverse x: 1 / (1 - share)
 * @property {number[]} response ms
 * @property {number[] | null} service ms; null in a closed run
 */

/** p50, p90, p99, … */
const TICKS = [2, 10, 100, 1000, 1e4, 1e5, 1e6];
const PLOT_HEIGHT = 230;

/** @type {any} */
let plot = null;

/** Draws percentiles from p50 on. @type {(model: { percentiles: Percentiles | null }) => void} */
export function showPercentiles({ percentiles }) {
  plot?.destroy();
  plot = null;
  if (percentiles === null) {
    show('percentiles', []);
    return;
  }
  const { inverse, response, service } = percentiles;
  const keys = element('div', { class: 'keys' });
  const label = `Percentiles of the response time, up to ${ms(response[response.length - 1])} ms`;
  const place = element('div', { class: 'plot', role: 'img', 'aria-label': label });
  show('percentiles', [keys, place]);
  const write = (/** @type {number | null} */ index) => keys.replaceChildren(...keysOf(percentiles, index));
  const highest = Math.max(...response);
  plot = new uPlot(
    {
      width: place.clientWidth,
      height: PLOT_HEIGHT,
      legend: { show: false },
      scales: {
        x: { time: false, distr: 3, range: () => [2, inverse[inverse.length - 1]] },
        y: { range: () => [0, highest * 1.08] },
      },
      axes: axesOf(inverse),
      series: [{}, lineOf('one'), ...(service ? [lineOf('three')] : [])],
      hooks: { setCursor: [(/** @type {uPlot} */ { cursor }) => write(cursor.idx ?? null)] },
    },
    [inverse, response, ...(service ? [service] : [])],
    place,
  );
  write(null);
}

/** @type {(inverse: number[]) => import('uplot').Axis[]} */
function axesOf(inverse) {
  return [
    {
      ...axis(),
      size: 28,
      splits: () => TICKS.filter((tick) => tick <= inverse[inverse.length - 1]),
      filter: (_, splits) => splits,
      values: (_, splits) => splits.map(nameOf),
    },
    { ...axis(), size: 56, values: (_, splits) => splits.map((at) => (at === 0 ? '0' : timeLabel(at))) },
  ];
}

/** `index` null: the highest values. @type {(percentiles: Percentiles, index: number | null) => HTMLElement[]} */
function keysOf({ inverse, response, service }, index) {
  const at = index ?? inverse.length - 1;
  const entries = [{ name: 'response time', color: 'one', value: `${ms(response[at])} ms` }];
  if (service) entries.push({ name: 'service time', color: 'three', value: `${ms(service[at])} ms` });
  const where = index === null ? 'maximum' : nameOf(inverse[at]);
  return [legend(entries), element('span', { class: 'quiet small', text: where })];
}

/** `p99.9` for 1,000. @type {(inverse: number) => string} */
function nameOf(inverse) {
  return `p${Number((100 - 100 / inverse).toFixed(4))}`;
}
