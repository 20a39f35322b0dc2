import { count, counted } from '../../../core/ground/decimal.js';

/** @import { LogFileSummary } from '../../../core/contracts/stats.js' */
/** @import { Block, Result } from '../../../core/report/types.js' */

/** @typedef {{ text: string, state: 'complete' | 'sample' | 'failed' }} LogLine */

const STYLES = /** @type {const} */ ({ complete: 'dim', sample: 'yellow', failed: 'red' });
const MOST_SHOWN = 10;

/** @type {(result: Result) => Block[]} */
export function blocksOf(result) {
  return [{ lines: logLines(result).map(({ text, state }) => ({ text, style: STYLES[state] })) }];
}

/**
 * Describes the files of the log of requests, in words: how many requests have a line, and why others have none. A run
 * without them has none.
 * @type {(result: Pick<Result, 'log'>) => LogLine[]}
 */
export function logLines({ log }) {
  const files = log?.files ?? [];
  const complete = files.filter((file) => file.lines === file.requests);
  const others = files.filter((file) => !complete.includes(file));
  const more = others.length - MOST_SHOWN;
  return [
    ...(complete.length > 0 ? [{ text: completeText(complete), state: /** @type {const} */ ('complete') }] : []),
    ...others.slice(0, MOST_SHOWN).map((file) => ({ text: sentence(file), state: stateOf(file) })),
    ...(more > 0
      ? [{ text: `${counted(more, 'more file')} in the result (log.files)`, state: /** @type {const} */ ('sample') }]
      : []),
  ];
}

/** @type {(files: LogFileSummary[]) => string} */
function completeText(files) {
  const requests = files.reduce((sum, file) => sum + file.requests, 0);
  const names = files.map(({ file }) => file);
  const shown = [...names.slice(0, MOST_SHOWN), ...(names.length > MOST_SHOWN ? ['…'] : [])].join(', ');
  return `wrote ${shown}: a line for each of ${counted(requests, 'request')}`;
}

/** @type {(file: LogFileSummary) => LogLine['state']} */
function stateOf({ error }) {
  return error === undefined ? 'sample' : 'failed';
}

/** @type {(file: LogFileSummary) => string} */
function sentence({ file, requests, lines, behindDisk, error }) {
  const text = `${file}: ${counted(lines, 'line')} for ${counted(requests, 'request')}`;
  if (error !== undefined) return `${text}; it could not be written: ${error}`;
  // While the run goes on, lines may be missing without a reason.
  const why = behindDisk > 0 ? `; ${count(behindDisk)} had none because it could not be written as fast` : '';
  return `wrote ${text}${why}`;
}
