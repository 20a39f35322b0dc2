import { count, counted } from '../../../core/ground/decimal.js';

/** @import { ExportSummary } from '../../../core/contracts/stats.js' */
/** @import { Block, Result } from '../../../core/report/types.js' */

const MOST_SHOWN = 10;

/** @type {(result: Result) => Block[]} */
export function blocksOf(result) {
  return [
    {
      lines: exportLines(result).map(({ text, state }) => ({ text, style: state === 'complete' ? 'dim' : 'red' })),
    },
  ];
}

/** @type {(result: Pick<Result, 'exports'>) => { text: string, state: 'complete' | 'failed' }[]} */
export function exportLines({ exports = [] }) {
  return exports.slice(0, MOST_SHOWN).flatMap(lineOf);
}

/** @type {(summary: ExportSummary) => ReturnType<typeof exportLines>} */
function lineOf({ exporter, to, exports = 0, failed = 0, error }) {
  if (exports === 0) return [];
  const where = `metrics to ${to} (${exporter})`;
  if (failed === 0) return [{ text: `exported ${where} ${counted(exports, 'time')}`, state: 'complete' }];
  const text = `${count(failed)} of ${counted(exports, 'export')} of ${where} failed, the last one with: ${error}`;
  return [{ text, state: 'failed' }];
}
