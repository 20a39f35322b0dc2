import { readThreshold } from '../../measure/thresholds.js';
import { codeFrame } from '../../text/code-frame.js';

/**
 * @import { HookMetrics, Threshold } from '../../measure/thresholds.js'
 * @import { Problems } from '../../problems.js'
 */

/**
 * @param {unknown} given
 * @returns {boolean} whether it is a text, an array of texts, or an object of figures and bounds
 */
export function areThresholds(given) {
  const texts = textsOf(given);
  return texts.every((text) => typeof text === 'string');
}

/**
 * Reads thresholds: `'p99<200ms'`, an array of these, or `{ 'p99': '<200ms', 'GET /items p95': ['<50ms', '>1ms'] }`.
 *
 * @param {unknown} given
 * @param {string[]} operations names of the flow's operations
 * @param {Problems} problems
 * @param {HookMetrics} [metrics] of the flow's hooks
 * @returns {Threshold[]}
 */
export function readThresholds(given, operations, problems, metrics) {
  return textsOf(given).flatMap((text, i) => {
    const reading = readThreshold(text, operations, metrics);
    if ('threshold' in reading) return [reading.threshold];
    problems.add(`thresholds[${i}]`, `${reading.reason}\n${codeFrame(text, reading.column + 1, '    ')}`);
    return [];
  });
}

/** @type {(given: any) => any[]} */
function textsOf(given) {
  if (given === undefined) return [];
  if (typeof given !== 'object' || given === null) return [given];
  if (Array.isArray(given)) return given;
  return Object.entries(given).flatMap(([figure, bounds]) =>
    [bounds]
      .flat()
      .map((bound) => (typeof bound === 'string' ? `${figure}${/^\s*[<>=!]/.test(bound) ? '' : ' '}${bound}` : bound)),
  );
}
