import { element, svg } from './elements.js';
import { changeScale } from './scales.js';

/**
 * @typedef {{ change: number | null, low: number | null, high: number | null, verdict: string }} Change
 * @typedef {ReturnType<typeof changeScale>} ChangeScale
 */

const MIDDLE = 16;

/**
 * The axis of changes, for the head of a column of {@link changeBar}.
 *
 * @param {ChangeScale} scale
 * @returns {HTMLElement}
 */
export function changeAxis({ x, ticks }) {
  const labels = ticks.map(({ share, label }) =>
    svg('text', { x: `${x(share)}%`, y: 12, 'text-anchor': anchorOf(x(share)), text: label }),
  );
  const axis = svg('svg', { class: 'forest', 'aria-hidden': 'true' }, ...labels);
  return element('div', {}, element('span', { class: 'unseen', text: 'change with its interval' }), axis);
}

/**
 * A change with its interval: a dot on a line, beside the line of no change.
 *
 * @param {Change} change
 * @param {ChangeScale} scale
 * @param {string} label
 * @returns {SVGElement | string}
 */
export function changeBar({ change, low, high, verdict }, { x, ticks }, label) {
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

/**
 * The scale of all changes of a table.
 *
 * @param {Change[]} changes
 * @returns {ChangeScale}
 */
export function scaleOfChanges(changes) {
  return changeScale(changes.flatMap(({ change, low, high }) => [change, low, high]).filter((share) => share !== null));
}

/** @type {(percent: number) => string} */
function anchorOf(percent) {
  if (percent < 10) return 'start';
  return percent > 90 ? 'end' : 'middle';
}
