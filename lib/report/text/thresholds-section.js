import { thresholdText } from '../outcome.js';
import { joined, padded, widest } from './layout.js';

const MAX_EXPRESSION = 32;

/** @type {import('./index.js').Section} */
export function thresholdsSection(result, { paint, quiet, glyphs, width }) {
  const listed = (result.thresholds ?? []).filter(({ passed }) => !quiet || !passed);
  const column = Math.min(MAX_EXPRESSION, widest(listed.map(({ expression }) => expression)));
  return listed.map((threshold) => {
    const { passed, expression } = threshold;
    const mark = passed ? glyphs.passed : glyphs.failed;
    const indent = mark.length + 1;
    const lines = joined([padded(`${mark} ${expression}`, indent + column), thresholdText(threshold, result)], {
      gap: '   ',
      indent,
      width,
    });
    return paint(passed ? 'green' : 'red', lines.join('\n'));
  });
}
