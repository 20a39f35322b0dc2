import { ERRORS, othersOf } from '../ground/errors.js';

/** The errors of a run in words, with the exchange of the first one of each group. */

/** @import { ErrorSample } from '../contracts/summaries.js' */
/** @import { Result } from './types.js' */

/**
 * The groups of errors as reports print them: with a hint where the whole run explains more than the error of one
 * request.
 * @type {(result: { errors: Pick<Result['errors'], 'details'>, requests?: Pick<Result['requests'], 'answered'> }) =>
 *   (ErrorSample & { where: string })[]}
 */
export function hintedErrors({ errors, requests }) {
  return errors.details.map((group) => {
    const secure = missedTls(group, requests?.answered);
    const hint = secure === null ? '' : `; is this ${secure}? Then write ${secure}://`;
    return { ...group, message: codedMessage(group) + hint, where: whereOf(group) };
  });
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

/**
 * Shortens the lines of an exchange for a report of limited length. Lines begin with `>` (request), `<` (response) or
 * `!` (the error, which the report has above them). The body of a response, after an empty `<`, explains more than the
 * last headers. `remedy` tells where the other lines are.
 * @type {(exchange: string[], remedy: string) => string[]}
 */
export function shortExchange(exchange, remedy) {
  const lines = withoutMessage(exchange);
  // One line more takes as much room as the note about it.
  if (lines.length <= MAX_LINES + 1) return lines;
  const bodyFrom = lines.indexOf('<') + 1;
  const note = `(${lines.length - MAX_LINES} more lines ${remedy})`;
  // The first lines have enough of the body already, or there is none.
  if (bodyFrom + MAX_BODY <= MAX_LINES) return [...lines.slice(0, MAX_LINES), note];
  const body = lines.slice(bodyFrom, bodyFrom + MAX_BODY);
  return [...lines.slice(0, MAX_LINES - body.length), note, ...body];
}

/** @type {(exchange: string[]) => string[]} */
export function withoutMessage(exchange) {
  return exchange.filter((line) => !line.startsWith('!'));
}
