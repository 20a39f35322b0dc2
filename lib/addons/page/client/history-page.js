import { ms, rate } from '../../../core/ground/decimal.js';
import { contentOf } from './blocks.js';
import { byId, element, show, showHead, svg, verdictClass } from './elements.js';

/** @import { HistoryModel } from '../history.js' */

/** @typedef {HistoryModel['groups'][0]} Group */
/** @typedef {Group['charts'][0]} Chart */
/** @typedef {{ x: (at: number) => number, y: (value: number) => number }} Scales */

const [WIDTH, HEIGHT, AXIS] = [560, 190, 158];
/** Room for the labels of values on the left, and of changes above. */
const [LEFT, RIGHT, TOP] = [56, 14, 26];
/** Dots of more results would be one line. */
const MOST_DOTS = 400;
/** The least height of a chart, as a share of its values: noise does not fill it. */
const LEAST_SPAN = 0.1;
/** Nearly all runs of a level are within so many standard deviations. */
const DEVIATIONS = 2;
/** The distance of the first and the last result from the ends of the axis. */
const INSET = 6;
const INNER = WIDTH - LEFT - RIGHT - 2 * INSET;

/** @type {(model: HistoryModel) => void} */
function renderHistory({ groups, leftOut, method, ...head }) {
  showHead(head, head.outcome.regressions);
  byId('groups').replaceChildren(...groups.map(groupSection));
  show(
    'left-out',
    leftOut.map((text) => element('p', { class: 'small', text })),
  );
  byId('method').textContent = method;
}

/** @type {(group: Group) => HTMLElement} */
function groupSection(group) {
  const { title, about, sentences, charts, table: results } = group;
  return element(
    'section',
    {},
    element('h2', { text: title }),
    element('p', { class: 'quiet small', text: about }),
    ...sentences.map(({ verdict, text }) => element('p', { class: verdictClass(verdict), text })),
    element('div', { class: 'columns' }, ...charts.map((chart) => chartOf(chart, group))),
    element('details', {}, element('summary', { text: 'Results' }), ...contentOf('Results', results)),
  );
}

/** @type {(chart: Chart, group: Group) => HTMLElement} */
function chartOf(chart, { results, marks }) {
  const { name, values, text } = chart;
  const heading = element('h3', {}, name, element('span', { class: 'quiet', text: ` ${text}` }));
  const scales = scalesOf(chart);
  if (scales === null) return element('div', {}, heading, element('p', { class: 'quiet', text: '-' }));
  const { x } = scales;
  const last = values.length - 1;
  const ends = last === 0 ? [0] : [0, last];
  const plot = svg(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: 'img',
      'aria-label': `${name} over ${results.length} results`,
      class: 'plot',
    },
    ...axisOf(chart, scales),
    ...chart.levels.flatMap((level) => levelOf(level, chart, scales)),
    ...marks.map((mark, place) => markOf({ ...mark, place }, scales)),
    ...dotsOf(chart, results, scales),
    ...ends.map((at) => {
      const anchor = at === 0 ? 'start' : 'end';
      return svg('text', {
        x: at === 0 ? LEFT : x(at) + INSET,
        y: HEIGHT - 14,
        'text-anchor': anchor,
        text: shortName(results[at].name),
      });
    }),
  );
  return element('div', {}, heading, plot);
}

const LONGEST_LABEL = 28;

/** @type {(name: string) => string} */
function shortName(name) {
  return name.length > LONGEST_LABEL ? `${name.slice(0, LONGEST_LABEL - 1)}…` : name;
}

/** @type {(chart: Chart) => Scales | null} */
function scalesOf({ values, levels, noise }) {
  const known = values.flatMap((value) => value ?? []);
  if (known.length === 0) return null;
  const bands = levels.flatMap(({ value }) => bandOf(value, noise));
  const [lowest, highest] = [Math.min(...known, ...bands), Math.max(...known, ...bands)];
  // Half of what the least height lacks, and a margin for the dots.
  const more = Math.max(0, lowest * LEAST_SPAN - (highest - lowest)) / 2 + (highest - lowest) * 0.06;
  const [low, high] = [Math.max(0, lowest - more), highest + more];
  const last = Math.max(1, values.length - 1);
  return {
    x: (at) => LEFT + INSET + (at / last) * INNER,
    y: (value) => AXIS - ((value - low) / Math.max(high - low, 1e-9)) * (AXIS - TOP),
  };
}

/** The range of nearly all runs of a level. @type {(value: number, noise: number | null) => number[]} */
function bandOf(value, noise) {
  const factor = Math.exp(DEVIATIONS * (noise ?? 0));
  return [value / factor, value * factor];
}

/** Three values, with lines across. @type {(chart: Chart, scales: Scales) => SVGElement[]} */
function axisOf({ values, unit }, { y }) {
  const known = values.flatMap((value) => value ?? []);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  // Labels of nearly equal values would be the same.
  const ticks = high / low < 1.02 ? [(low + high) / 2] : [low, (low + high) / 2, high];
  return ticks.flatMap((value) => [
    svg('line', { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: 'grid' }),
    svg('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end', text: unit === 'ms' ? ms(value) : rate(value) }),
  ]);
}

/**
 * Draws the line of a level, in the band of its runs.
 * @type {(level: Chart['levels'][0], chart: Chart, scales: Scales) => SVGElement[]}
 */
function levelOf({ from, to, value }, { noise, values }, { x, y }) {
  const gap = gapOf(values.length);
  const [left, right] = [x(from) - (from === 0 ? INSET : gap), x(to - 1) + gap];
  const [bottom, top] = bandOf(value, noise).map(y);
  return [
    svg('rect', { x: left, width: right - left, y: top, height: Math.max(1, bottom - top), class: 'range-band' }),
    svg('line', { x1: left, x2: right, y1: y(value), y2: y(value), class: 'curve' }),
  ];
}

/** Half the distance of two results. @type {(count: number) => number} */
function gapOf(count) {
  return Math.min(INSET, INNER / Math.max(1, count - 1) / 2);
}

/** @type {(mark: Group['marks'][0] & { place: number }, scales: Scales) => SVGElement} */
function markOf({ at, label, verdict, place }, { x }) {
  const isRight = x(at) > WIDTH * 0.75;
  return svg(
    'g',
    {},
    svg('line', { x1: x(at) - 1, x2: x(at) - 1, y1: 0, y2: AXIS, class: 'mark' }),
    svg('text', {
      x: x(at) + (isRight ? -6 : 5),
      y: place % 2 === 0 ? 9 : 20,
      'text-anchor': isRight ? 'end' : 'start',
      class: verdict === 'worse' ? 'bad' : 'strong',
      text: shortName(label),
    }),
  );
}

/** @type {(chart: Chart, results: Group['results'], scales: Scales) => SVGElement[]} */
function dotsOf({ values, unit }, results, { x, y }) {
  const size = values.length > MOST_DOTS ? 1.2 : values.length > MOST_DOTS / 4 ? 2 : 3.2;
  return values.flatMap((value, at) => {
    if (value === null) return [];
    const { name, time, file } = results[at];
    const text = `${name}: ${unit === 'ms' ? `${ms(value)} ms` : `${rate(value)}/s`}\n${time}\n${file}`;
    return [svg('circle', { cx: x(at), cy: y(value), r: size, class: 'one' }, svg('title', { text }))];
  });
}

renderHistory(JSON.parse(/** @type {string} */ (byId('result').textContent)));
