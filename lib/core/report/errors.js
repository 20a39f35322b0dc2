import { count } from '../ground/decimal.js';
import { offered } from '../ground/addons.js';
import { ERRORS, othersOf } from '../ground/errors.js';

/** The errors of a run in words, with the exchange of the first one of each group. */

/** @import { ErrorSample } from '../contracts/summaries.js' */
/** @import { ErrorHint, Result } from './types.js' */

/** @type {ErrorHint[]} */
const HINTS = offered('errorHints');

/**
 * The groups of errors as reports print them: with a hint where the whole run explains more than the error of one
 * request.
 * @type {(result: { errors: Pick<Result['errors'], 'details'>, requests?: Partial<Result['requests']> }) =>
 *   (ErrorSample & { where: string })[]}
 */
export function hintedErrors({ errors, requests }) {
  return errors.details.map((group) => {
    const secure = missedTls(group, requests?.answered);
    const hint = secure === null ? '' : `; is this ${secure}? Then write ${secure}://`;
    const more = HINTS.map(({ of }) => of(group, requests ?? {})).join('');
    return { ...group, message: codedMessage(group) + hint + more, where: whereOf(group) };
  });
}

/** Groups in a failure message. */
const MOST_GROUPS = 5;

/**
 * Lists the errors behind a failure in lines: number, kind, place, operation and message of each group, the response of
 * the first one, and what to do about a status that is expected.
 * @type {(result: Parameters<typeof hintedErrors>[0]) => string[]}
 */
export function errorLines(result) {
  const groups = hintedErrors(result);
  const [first] = groups;
  const [, status] = /^error statusCode: (\d+)/.exec(first?.message ?? '') ?? [];
  const example = shortExchange(first?.exchange ?? [], 'in the JSON result');
  const more = groups.length - MOST_GROUPS;
  return [
    ...groups
      .slice(0, MOST_GROUPS)
      .map(({ count, kind, where, message }) => `${count} ${kind} in ${where}: ${message}`),
    ...(more > 0 ? [`and ${more} more groups of errors`] : []),
    ...example.map((line) => `  ${line}`),
    ...(status === undefined ? [] : [`if ${status} is expected, write expect: { status: ${status} } in the operation`]),
  ];
}

/** Adds the code by which these errors are grouped. @type {(group: ErrorSample) => string} */
function codedMessage({ kind, code, message }) {
  const isNamed = othersOf(kind) === undefined || Object.hasOwn(ERRORS, code) || message.includes(code);
  return isNamed ? message : `${code}: ${message}`;
}

/** The operation of an error, or else its phase: `flow.main[0] GET /items`. @type {(group: ErrorSample) => string} */
function whereOf({ path, operation, phase }) {
  return [path, operation].filter(Boolean).join(' ') || phase;
}

/**
 * A server of TLS closes a connection that begins without it, or sends an alert, whose record begins with the bytes
 * 0x15 0x03 (RFC 8446, 5.1 and 6).
 * @type {(group: ErrorSample, answered?: number) => 'https' | 'wss' | null} the scheme to write
 */
function missedTls({ code, message, exchange }, answered) {
  const [, plain] = /^> \S+ (http|ws):/.exec(exchange?.[0] ?? '') ?? [];
  const isAlert = code === 'E_STATUS_LINE' && message.includes('\\x15\\x03');
  const isClosed = code === 'E_RESET_BEFORE_HEAD' && answered === 0;
  if (plain === undefined || !(isAlert || isClosed)) return null;
  return plain === 'ws' ? 'wss' : 'https';
}

/** Lines of an exchange, and those among them of the response's body. */
const MAX_LINES = 12;
const MAX_BODY = 5;

/** Headers of nearly every response: they explain no error. */
const USUAL = /^< (date|connection|keep-alive|transfer-encoding|content-length|server|x-powered-by):/i;

/**
 * Shortens the lines of an exchange for a report of limited length. Lines begin with `>` (request), `<` (response) or
 * `!` (the error, which the report has above them). The body of a response, after an empty `<`, explains more than the
 * last headers. `remedy` tells where the other lines are.
 * @type {(exchange: string[], remedy: string, most?: number) => string[]}
 */
export function shortExchange(exchange, remedy, most = MAX_LINES) {
  const lines = withoutMessage(exchange).filter((line) => !USUAL.test(line));
  // One line more takes as much room as the note about it.
  if (lines.length <= most + 1) return lines;
  const bodyFrom = lines.indexOf('<') + 1;
  const note = `(${lines.length - most} more lines ${remedy})`;
  const ofBody = Math.min(MAX_BODY, Math.floor(most / 2));
  // The first lines have enough of the body already, or there is none.
  if (bodyFrom + ofBody <= most) return [...lines.slice(0, most), note];
  const body = lines.slice(bodyFrom, bodyFrom + ofBody);
  return [...lines.slice(0, most - body.length), note, ...body];
}

/**
 * A group of errors in lines, the response of the first one below: for messages and annotations.
 * @type {(group: ReturnType<typeof hintedErrors>[0], most: number) => string[]} most: lines of the response
 */
export function groupText({ kind, where, message, count: n, exchange = [] }, most) {
  const response = exchange.filter((line) => line.startsWith('<'));
  const lines = most > 0 ? shortExchange(response, 'in the JSON result', most) : [];
  return [`${count(n)} × ${kind} in ${where}: ${message}`, ...lines];
}

/** @type {(exchange: string[]) => string[]} */
export function withoutMessage(exchange) {
  return exchange.filter((line) => !line.startsWith('!'));
}
