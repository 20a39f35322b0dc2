import { measured } from '../numbers.js';

/** @type {import('./index.js').Section} */
export function thresholdsSection({ thresholds = [] }, { paint, quiet }) {
  const listed = thresholds.filter(({ passed }) => !quiet || !passed);
  if (listed.length === 0) return [];
  return [
    paint('bold', 'thresholds'),
    ...listed.map((threshold) => {
      const outcome = threshold.passed ? paint('green', 'passed') : paint('red', 'FAILED');
      return `  ${outcome}  ${threshold.expression}  (${measured(threshold)})`;
    }),
  ];
}
