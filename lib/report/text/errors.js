import { codeFrame } from '../../text/code-frame.js';
import { shortened } from '../../text/format-value.js';
import { wrapped } from './layout.js';

/** @import { CodePlace, Stats } from '../../measure/types.js' */

const MAX_MESSAGE = 500;

/** @type {import('./index.js').Section} */
export function errorsSection(result, { width }) {
  if (result.errors.count === 0) return [];
  const lines = errorsText(result, width).trimEnd().split('\n');
  return lines.map((line) => {
    const indent = Math.max(0, line.search(/\S/));
    return `${' '.repeat(indent)}${wrapped(line.trimStart(), indent, width)}`;
  });
}

/**
 * The errors of a run in groups, each with its count and the first message.
 *
 * @param {Stats} stats
 * @param {number} [columns] of the terminal
 * @returns {string} lines, the first with the number of errors
 */
export function errorsText({ errors, iterations }, columns = 100) {
  const width = String(errors.samples[0]?.count ?? '').length;
  const groups = errors.samples.map(({ count, kind, context, operation, message, firstIndex, place: code }) => {
    const place = operation ? `${context}, ${short(operation)}` : context;
    const first = firstIndex === null ? '' : `, first in iteration ${firstIndex}`;
    return `  ${String(count).padStart(width)} x ${kind} in ${place}${first}\n${' '.repeat(width + 5)}${short(message)}\n${codeText(code, width + 5, columns)}`;
  });
  const listed = errors.samples.reduce((sum, { count }) => sum + count, 0);
  const rest = errors.count > listed ? `  and ${errors.count - listed} more in other groups\n` : '';
  return `errors: ${errors.count}\n${groups.join('')}${rest}${incomplete(iterations)}`;
}

/** Where the error comes from, with the line. @type {(place: CodePlace | undefined, indent: number, columns: number) => string} */
function codeText(place, indent, columns) {
  if (!place) return '';
  const margin = ' '.repeat(indent);
  const { file, line, column, code } = place;
  const trimmed = code.trimStart();
  const from = column - (code.length - trimmed.length);
  const frame = trimmed && from > 0 ? `${codeFrame(trimmed, from, `${margin}  `, columns - indent - 2)}\n` : '';
  return `${margin}${file}:${line}:${column}\n${frame}`;
}

/** The iterations that did not run as planned. @type {(iterations: Stats['iterations']) => string} */
function incomplete({ teardownFailed, cancelled, late = 0, maxBacklog = 0, dropped = 0 }) {
  const lines = [
    teardownFailed > 0 &&
      `teardown: afterMain failed in ${iterationsOf(teardownFailed)}, which may have left data on the server\n`,
    cancelled > 0 && `cancelled: ${iterationsOf(cancelled)} still running when the run ended\n`,
    late > 0 &&
      `late: ${iterationsOf(late)} waited for a free virtual user, up to ${maxBacklog} at a time; response times include the wait\n`,
    dropped > 0 && `dropped: ${iterationsOf(dropped)} due, but never started\n`,
  ];
  return lines.filter(Boolean).join('');
}

/** @type {(count: number) => string} */
function iterationsOf(count) {
  return `${count} ${count === 1 ? 'iteration' : 'iterations'}`;
}

/** @type {(text: string) => string} */
function short(text) {
  return shortened(text, MAX_MESSAGE);
}
