/** @import { ErrorSample } from '../contracts/summaries.js' */
/** @import { Result } from './types.js' */

/**
 * The groups of errors as reports print them: with a hint where the whole run explains more than the error of one
 * request.
 * @type {(result: { errors: Pick<Result['errors'], 'samples'>, requests?: Pick<Result['requests'], 'answered'> }) =>
 *   ErrorSample[]}
 */
export function hintedErrors({ errors, requests }) {
  return errors.samples.map((group) => {
    const secure = missedTls(group, requests?.answered);
    return secure === null
      ? group
      : { ...group, message: `${group.message}; is this ${secure}? Then write ${secure}://` };
  });
}

/**
 * A server of TLS closes a connection that begins without it, or sends an alert (RFC 8446 6).
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
 * Shortens the lines of an exchange (see `exchangeLines`) for a report of limited length, without the message of an
 * error, which is above them. The body says more about an error than the last headers. `remedy` tells where the others
 * are.
 * @type {(exchange: string[], remedy: string) => string[]}
 */
export function shortExchange(exchange, remedy) {
  const lines = withoutMessage(exchange);
  // One line more takes as much room as the note about it.
  if (lines.length <= MAX_LINES + 1) return lines;
  const bodyFrom = lines.indexOf('<') + 1;
  const body = bodyFrom > 0 ? lines.slice(bodyFrom, bodyFrom + MAX_BODY) : [];
  return [...lines.slice(0, MAX_LINES - body.length), `(${lines.length - MAX_LINES} more lines ${remedy})`, ...body];
}

/** @type {(exchange: string[]) => string[]} */
export function withoutMessage(exchange) {
  return exchange.filter((line) => !line.startsWith('!'));
}
