import { count, counted } from '../numbers.js';
import { wrapped } from './layout.js';

/** @import { LogFileSummary } from '../../measure/types.js' */

const MOST_SHOWN = 10;

/** The files of the log of requests: how many requests have a line, and why others have none. @type {import('./index.js').Section} */
export function logSection({ log }, { width, paint }) {
  const files = log?.files ?? [];
  const complete = files.filter((file) => file.lines === file.requests);
  const others = files.filter((file) => !complete.includes(file));
  const lines = others
    .slice(0, MOST_SHOWN)
    .map((file) => paint(file.error === undefined ? 'yellow' : 'red', wrapped(sentence(file), 2, width)));
  const more = others.length - MOST_SHOWN;
  return [
    ...(complete.length > 0 ? [paint('dim', wrapped(completeText(complete), 2, width))] : []),
    ...lines,
    ...(more > 0 ? [`${counted(more, 'more file')} in the result (log.files)`] : []),
  ];
}

/** @type {(files: LogFileSummary[]) => string} */
function completeText(files) {
  const requests = files.reduce((sum, file) => sum + file.requests, 0);
  const names = files.map(({ file }) => file);
  const shown = [...names.slice(0, MOST_SHOWN), ...(names.length > MOST_SHOWN ? ['…'] : [])].join(', ');
  return `wrote ${shown}: a line for each of ${counted(requests, 'request')}`;
}

/** @type {(file: LogFileSummary) => string} */
function sentence({ file, requests, lines, overRate, behindDisk, error }) {
  const why = [
    overRate > 0 && `${count(overRate)} had none because of --log-rate`,
    behindDisk > 0 && `${count(behindDisk)} because it could not be written as fast`,
  ].filter(Boolean);
  const text = `${file}: ${counted(lines, 'line')} for ${counted(requests, 'request')}`;
  return error === undefined ? `wrote ${text}; ${why.join(', ')}` : `${text}; it could not be written: ${error}`;
}
