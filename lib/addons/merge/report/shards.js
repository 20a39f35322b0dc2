import { counted, ms } from '../../../core/ground/decimal.js';

/** @import { Block, BlockOptions, Result } from '../../../core/report/types.js' */

/** @type {(result: Result, options: BlockOptions) => Block[]} */
export function blocksOf(result, { quiet }) {
  return quiet ? [] : [{ title: { text: shardsLine(result) } }];
}

/**
 * Sums up the shards of a merged result: `2 of 3 shards, started within 1.2 ms`; empty for any other result.
 * @type {(result: Pick<Result, 'run' | 'loadGenerator'>) => string}
 */
export function shardsLine({ run, loadGenerator: { startSkew = null } }) {
  if (!run?.shards) return '';
  const { merged, of } = run.shards;
  return [`${merged} of ${counted(of, 'shard')}`, ...(merged === 1 ? [] : [startedWithin(startSkew)])].join(', ');
}

/** @type {(skew: number | null) => string} */
export function startedWithin(skew) {
  return skew === null ? 'started at unknown times' : `started within ${ms(skew)} ms`;
}
