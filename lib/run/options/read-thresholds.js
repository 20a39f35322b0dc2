import { readThreshold } from '../../measure/thresholds.js';
import { codeFrame } from '../../text/code-frame.js';
import { thresholdTexts } from './thresholds.js';

/**
 * @import { HookMetrics, Threshold } from '../../measure/thresholds.js'
 * @import { Problems } from '../../problems.js'
 */

/**
 * Reads thresholds, and reports each that cannot be read with a code frame.
 *
 * @param {unknown} given
 * @param {string[]} operations names of the flow's operations
 * @param {Problems} problems
 * @param {HookMetrics} [metrics] of the flow's hooks
 * @returns {Threshold[]}
 */
export function readThresholds(given, operations, problems, metrics) {
  return thresholdTexts(given).flatMap((text, i) => {
    const reading = readThreshold(text, operations, metrics);
    if ('threshold' in reading) return [reading.threshold];
    problems.add(`thresholds[${i}]`, `${reading.reason}\n${codeFrame(text, reading.column + 1, '    ')}`);
    return [];
  });
}
