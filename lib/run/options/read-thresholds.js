import { readThreshold } from '../../measure/thresholds.js';
import { codeFrame } from '../../text/code-frame.js';
import { thresholdTexts } from './checks.js';

/** @import { Problems } from '../../ground/types.js' */
/** @import { HookMetrics } from '../../measure/threshold-figures.js' */
/** @import { KnownCheck, Threshold } from '../../measure/thresholds.js' */

/**
 * Reads thresholds, and reports each that cannot be read with a code frame. `operations`, `metrics` and `checks` are
 * names of the flow; null: its functions may use other operations.
 * @type {(given: unknown, operations: string[] | null, problems: Problems, metrics?: HookMetrics, checks?:
 *   KnownCheck[]) => Threshold[]}
 */
export function readThresholds(given, operations, problems, metrics, checks) {
  return thresholdTexts(given).flatMap((text, i) => {
    const reading = readThreshold(text, operations ?? undefined, metrics, checks);
    if ('threshold' in reading) return [reading.threshold];
    problems.add(`thresholds[${i}]`, `${reading.reason}\n${codeFrame(text, reading.column + 1, '    ')}`);
    return [];
  });
}
