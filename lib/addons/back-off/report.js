import { counted, percent } from '../../core/ground/decimal.js';
import { retryAfterMs } from './retry-after.js';

/** @import { ErrorSample } from '../../core/contracts/summaries.js' */
/** @import { Block, BlockOptions, Result } from '../../core/report/types.js' */

/** @type {(result: Pick<Result, 'requests' | 'iterations'>, options: Pick<BlockOptions, 'scale'>) => Block[]} */
export function blocksOf({ requests, iterations }, { scale }) {
  const { throttled = 0, throttledShare, throttledTime = 0, waitsCut = 0, exhausted = 0 } = requests;
  const share = typeof throttledShare !== 'number' ? '' : ` (${percent(throttledShare)})`;
  const parts = [
    ...(throttled > 0
      ? [
          `${counted(throttled, 'request')}${share} sent again, each after a wait of ${scale.withUnit(throttledTime / throttled)} on average`,
        ]
      : []),
    ...(waitsCut > 0 ? [`${counted(waitsCut, 'wait')} cut by the end of the run`] : []),
    ...(exhausted > 0 ? [`${counted(exhausted, 'operation')} ended without another attempt`] : []),
    ...whyDropped(iterations, throttledTime),
  ];
  return [{ lines: [{ name: 'back-off', text: parts.join(', ') }] }];
}

/** From this share of the time of virtual users on, waits are named as why others did not start. */
const MUCH = 0.1;

/**
 * A virtual user that waits starts no iteration.
 * @type {(iterations: Result['iterations'], waited: number) => string[]}
 */
function whyDropped({ dropped = 0, busyTime = 0 }, waited) {
  const share = waited / busyTime;
  if (dropped === 0 || !(share >= MUCH)) return [];
  return [
    `virtual users spent ${percent(Math.min(share, 1))} of their time in waits, so iterations were dropped: use more (-c), or send less`,
  ];
}

/**
 * Explains a status that asks for a wait: what the server allows, and what to do.
 * @type {(group: ErrorSample) => string}
 */
export function hintOf({ message, exchange = [] }) {
  const [, status] = /^error statusCode: (\d+)/.exec(message) ?? [];
  const [field] = partsOf(exchange, /^< retry-after: *(.*)/i);
  const [remedy] = partsOf(exchange, /^! not sent again: (.*)/);
  const isLimit = status === '429' || (status === '503' && field !== undefined);
  if (!isLimit) return status === undefined || remedy === undefined ? '' : `; ${remedy}`;
  const isMalformed = field !== undefined && retryAfterMs({ 'retry-after': field }, 0) === undefined;
  const what = status === '429' ? 'the server limits the rate' : 'the server asks to wait';
  const asked = field === undefined ? '' : ` (${isMalformed ? 'malformed ' : ''}retry-after: ${field})`;
  const cure = remedy ?? (field === undefined || isMalformed ? GROWING : CURE);
  return `; ${what}${asked}: send less, such as -r 10, or ${cure}`;
}

/** @type {(lines: string[], pattern: RegExp) => string[]} */
function partsOf(lines, pattern) {
  return lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
}

const CURE = 'wait as it asks with --retry-after';
const GROWING = 'wait with --retry-after, each time longer';
