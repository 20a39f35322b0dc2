import { escapeText } from '../escape.js';
import { ms, rate } from '../figures.js';

/** @type {import('./index.js').Section} */
export function thresholdsSection({ thresholds = [] }, { paint, quiet }) {
  const shown = thresholds.filter(({ passed }) => !quiet || !passed);
  if (shown.length === 0) return [];
  return [
    paint('bold', 'thresholds'),
    ...shown.map(({ expression, passed, actual, unit }) => {
      const figure =
        actual === null
          ? 'nothing was measured'
          : unit === 'ms'
            ? `${ms(actual)} ms`
            : `${rate(actual)}${unit === '%' ? ' %' : ''}`;
      return `  ${passed ? paint('green', 'passed') : paint('red', 'FAILED')}  ${escapeText(expression)}  (${figure})`;
    }),
  ];
}
