import { counted, percent } from '../../core/ground/decimal.js';

/** @import { ErrorSample } from '../../core/contracts/summaries.js' */
/** @import { Block, BlockOptions, Result } from '../../core/report/types.js' */

/** @type {(result: Pick<Result, 'requests'>, options: Pick<BlockOptions, 'scale'>) => Block[]} */
export function blocksOf({ requests }, { scale }) {
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
  ];
  return [{ lines: [{ name: 'back-off', text: parts.join(', ') }] }];
}

/**
 * Explains a status that asks for a wait: what the server allows, and what to do.
 * @type {(group: ErrorSample, requests: Partial<Result['requests']>) => string}
 */
export function hintOf({ message, exchange = [] }, { exhausted = 0 }) {
  const [, status] = /^error statusCode: (429|503)\b/.exec(message) ?? [];
  const after = exchange.find((line) => /^< retry-after:/i.test(line))?.slice('< '.length);
  if (status === undefined || (status === '503' && after === undefined)) return '';
  const what = status === '429' ? 'the server limits the rate' : 'the server asks to wait';
  const cure = exhausted > 0 ? 'raise attempts or longest of retryAfter' : CURE;
  return `; ${what}${after === undefined ? '' : ` (${after})`}: send less, such as -r 10, or ${cure}`;
}

const CURE = 'wait as it asks with --retry-after';
