import { readThreshold } from '../../measure/thresholds.js';
import { codeFrame } from '../../text/code-frame.js';
import { thresholdTexts } from './checks.js';

/**
 * @import { Problems } from '../../ground/problems.js'
 * @import { HookMetrics } from '../../measure/threshold-figures.js'
 * @import { KnownCheck, Threshold } from '../../measure/thresholds.js'
 */

/**
 * Reads thresholds, and reports each that cannot be read with a code frame.
 *
 * @param {unknown} given
 * @param {string[] | null} operations names of the flow's operations; null: functions of the flow may use others
 * @param {Problems} problems
 * @param {HookMetrics} [metrics] of the flow's hooks
 * @param {KnownCheck[]} [checks] of the flow
 * @returns {Threshold[]}
 */
export function readThresholds(given, operations, problems, metrics, checks) {
  return thresholdTexts(given).flatMap((text, i) => {
    const reading = readThreshold(text, operations ?? undefined, metrics, checks);
    if ('threshold' in reading) return [reading.threshold];
    problems.add(`thresholds[${i}]`, `${reading.reason}\n${codeFrame(text, reading.column + 1, '    ')}`);
    return [];
  });
}
