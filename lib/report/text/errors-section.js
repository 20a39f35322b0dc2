import { codeFrame } from '../../text/code-frame.js';
import { shortened } from '../../text/format-value.js';
import { glyphsOf } from '../glyphs.js';
import { hintedErrors } from '../hinted-errors.js';
import { count, counted } from '../numbers.js';
import { shortExchange, withoutMessage } from '../short-exchange.js';
import { DEFAULT_WIDTH } from '../width.js';
import { cut, painter, wrapped } from './layout.js';

/**
 * @import { ErrorSample } from '../../measure/types.js'
 * @import { Result } from '../types.js'
 * @import { SectionOptions } from './index.js'
 */

const MAX_MESSAGE = 500;
const MAX_GROUPS = 10;

/** Groups of errors, each with its count, the first message and the place in the code; then iterations that did not run as planned. @type {import('./index.js').Section} */
export function errorsSection(result, options) {
  const { errors, iterations } = result;
  const groups = hintedErrors(result).slice(0, options.full ? Infinity : MAX_GROUPS);
  const digits = Math.max(...groups.map((group) => count(group.count).length), 1);
  const listed = groups.reduce((sum, group) => sum + group.count, 0);
  const rest = errors.count > listed ? [`and ${count(errors.count - listed)} more in other groups`] : [];
  return [
    ...groups.flatMap((group) => groupLines(group, digits, options)),
    ...rest,
    ...unplanned(iterations).map((line) => wrapped(line, 2, options.width)),
  ];
}

/** @type {(group: ErrorSample, digits: number, options: SectionOptions) => string[]} */
function groupLines(
  { count: n, kind, context, operation, message, firstIndex, place, exchange = [] },
  digits,
  { width, paint, glyphs, full },
) {
  const first = firstIndex === null ? '' : `, first in iteration ${count(firstIndex)}`;
  const head = `${count(n)} ${glyphs.times} ${kind} in ${shortened(operation || context, MAX_MESSAGE)}${first}`;
  const indent = digits + 3;
  const margin = ' '.repeat(indent);
  const lines = [
    paint('red', ' '.repeat(digits - count(n).length) + wrapped(head, indent, width)),
    margin + wrapped(shortened(message, MAX_MESSAGE), indent, width),
  ];
  const shown = full ? withoutMessage(exchange) : shortExchange(exchange, 'with --full');
  lines.push(...shown.map((line) => paint('dim', margin + cut(line, width - indent, glyphs.ellipsis))));
  if (!place) return lines;
  const { file, line, column, code } = place;
  const trimmed = code.trimStart();
  const from = column - (code.length - trimmed.length);
  const frame = trimmed && from > 0 ? [codeFrame(trimmed, from, `${margin}  `, width - indent - 2)] : [];
  return [...lines, `${margin}${file}:${line}:${column}`, ...frame];
}

/** Iterations that did not run as planned, unless the measurement names them as a reason to doubt it. @type {(iterations: Result['iterations']) => string[]} */
function unplanned({ teardownFailed, late = 0, maxBacklog = 0 }) {
  return [
    ...(teardownFailed > 0
      ? [
          `teardown: afterMain failed in ${counted(teardownFailed, 'iteration')}, which may have left data on the server`,
        ]
      : []),
    ...(late > 0
      ? [
          `late: ${counted(late, 'iteration')} waited for a free virtual user, up to ${count(maxBacklog)} at a time; response times include the wait`,
        ]
      : []),
  ];
}

/**
 * The errors of a run for the format of bench-rest 1.
 *
 * @param {Result} result
 * @returns {string} lines, the first with the number of errors
 */
export function errorsText(result) {
  const options = { full: true, width: DEFAULT_WIDTH, paint: painter(false), glyphs: glyphsOf(false) };
  const lines = errorsSection(result, /** @type {SectionOptions} */ (options))
    .join('\n')
    .split('\n');
  return `errors: ${result.errors.count}\n${lines.map((line) => (line === '' ? '' : `  ${line}\n`)).join('')}`;
}
