import { contentOf } from './blocks.js';
import { distributionFigure } from './distribution.js';
import { byId, element, show, showHead, svg, swatch, table, verdictClass } from './elements.js';
import { changeScale } from './scales.js';

/** @import { ComparisonModel } from '../comparison.js' */

/** @typedef {{ change: number | null, low: number | null, high: number | null, verdict: string }} Change */
/** @typedef {ReturnType<typeof changeScale>} ChangeScale */

/** The middle of a row, where its change is drawn. */
const MIDDLE = 16;

/** The axis of changes, for the head of a column of {@link changeBar}. @type {(scale: ChangeScale) => HTMLElement} */
function changeAxis({ x, ticks }) {
  const labels = ticks.map(({ share, label }) =>
    svg('text', { x: `${x(share)}%`, y: 12, 'text-anchor': anchorOf(x(share)), text: label }),
  );
  const axis = svg('svg', { class: 'forest', 'aria-hidden': 'true' }, ...labels);
  return element('div', {}, element('span', { class: 'unseen', text: 'change with its interval' }), axis);
}

/**
 * Draws a change with its interval: a dot on a line, beside the line of no change.
 * @type {(change: Change, scale: ChangeScale, label: string) => SVGElement | string}
 */
function changeBar({ change, low, high, verdict }, { x, ticks }, label) {
  if (change === null) return '-';
  const at = (/** @type {number} */ share) => `${x(share)}%`;
  const interval =
    low === null || high === null
      ? []
      : [svg('line', { x1: at(low), x2: at(high), y1: MIDDLE, y2: MIDDLE, class: `interval ${verdict}` })];
  return svg(
    'svg',
    { class: 'forest', role: 'img', 'aria-label': label },
    ...ticks.map(({ share }) =>
      svg('line', { x1: at(share), x2: at(share), y1: 0, y2: '100%', class: share === 0 ? 'zero' : 'grid' }),
    ),
    ...interval,
    svg('circle', { cx: at(change), cy: MIDDLE, r: 4.5, class: `dot ${verdict}` }),
  );
}

/** @type {(changes: Change[]) => ChangeScale} */
function scaleOfChanges(changes) {
  return changeScale(changes.flatMap(({ change, low, high }) => [change, low, high]).filter((share) => share !== null));
}

/** @type {(percent: number) => string} */
function anchorOf(percent) {
  if (percent < 10) return 'start';
  return percent > 90 ? 'end' : 'middle';
}

/** @typedef {ComparisonModel['figures'][0]} PlottedFigure */

/** The width of the text, so that the distribution is as wide. */
const PAGE_WIDTH = 1112;

/** @type {(model: ComparisonModel) => void} */
function renderComparison(model) {
  const { outcome, sides, figures, operations, thresholds, distribution, differences, method } = model;
  showHead({ ...model, subtitle: 'a comparison of B with A' }, [...outcome.regressions, ...outcome.warnings]);
  byId('sides').replaceChildren(...sides.map(sideCard));
  showFigures('figures', figures, model.interval);
  if (model.streams.length > 0) showFigures('streams', model.streams, model.interval);
  show('distribution', distribution ? distributionFigure(distribution, PAGE_WIDTH) : []);
  showComparedOperations(operations);
  show('thresholds', contentOf('Thresholds', thresholds));
  show('differences', contentOf('What differs', differences));
  byId('method').textContent = method;
}

/** @type {(side: ComparisonModel['sides'][0], i: number) => HTMLElement} */
function sideCard({ name, label, subtitle, about, counts, reasons, hasFailed }, i) {
  const list = reasons.map((reason) => element('li', { text: reason }));
  return element(
    'div',
    {},
    element('h2', {}, swatch(i), `${name} `, element('span', { class: 'side-label', text: label })),
    element('p', { text: subtitle }),
    element('p', hasFailed ? { class: 'failed', text: counts.join(' · ') } : { text: counts.join(' · ') }),
    element('p', { class: 'quiet small', text: about.join(' · ') }),
    ...(list.length > 0 ? [element('ul', { class: 'quiet small' }, ...list)] : []),
  );
}

/** @type {(id: string, figures: PlottedFigure[], interval: string) => void} interval: the head of its column */
function showFigures(id, figures, interval) {
  const scale = scaleOfChanges(figures.map(({ drawn }) => drawn));
  const columns = [
    { head: 'figure', isText: true },
    { head: 'A', isWide: true },
    { head: 'B', isWide: true },
    { head: 'change' },
    { head: 'interval', isText: true, content: changeAxis(scale) },
    { head: interval, isWide: true },
    { head: 'verdict', isText: true, isWide: true },
  ];
  const rows = figures.map((figure) => [
    figure.name,
    figure.base,
    figure.other,
    changeText(figure),
    changeBar(figure.drawn, scale, describeChange(figure)),
    figure.interval || '-',
    element('span', { class: verdictClass(figure.verdict), text: figure.verdict || '-' }),
  ]);
  show(id, [table(id === 'streams' ? 'Streams' : 'Figures', columns, rows)], `change of B, with its ${interval}`);
}

/** @type {(operations: ComparisonModel['operations']) => void} */
function showComparedOperations(operations) {
  const scale = scaleOfChanges(operations.map(({ figures }) => figures[1].drawn));
  const columns = [
    { head: 'operation', isText: true },
    { head: 'p95 of A, ms', isWide: true },
    { head: 'of B', isWide: true },
    { head: 'change' },
    { head: 'interval', isText: true, content: changeAxis(scale) },
    { head: 'p50', isWide: true },
    { head: 'p99', isWide: true },
    { head: 'requests of A', isWide: true },
    { head: 'of B', isWide: true },
  ];
  const rows = operations.map(({ name, base, other, figures: [p50, p95, p99], hasErrors }) => [
    element('code', { text: name }),
    p95.base,
    p95.other,
    changeText(p95),
    changeBar(p95.drawn, scale, describeChange(p95)),
    changeText(p50),
    changeText(p99),
    ...[base, other].map((text, i) => element('span', hasErrors[i] ? { class: 'failed', text } : { text })),
  ]);
  show('operations', rows.length > 0 ? [table('Operations', columns, rows)] : [], 'changes of p95, p50 and p99');
}

/** @type {(figure: PlottedFigure) => HTMLElement} */
function changeText({ change, verdict }) {
  return element('span', { class: verdictClass(verdict), text: change });
}

/** @type {(figure: PlottedFigure) => string} */
function describeChange({ name, change, interval, verdict }) {
  return [`${name}: ${change}`, interval && `between ${interval.replace(' to ', ' and ')}`, verdict]
    .filter(Boolean)
    .join(', ');
}

renderComparison(JSON.parse(/** @type {string} */ (byId('result').textContent)));
