import { exchangeLines } from '../../text/exchange-lines.js';
import { safe } from '../../text/safe.js';

/** @import { Exchange } from '../../text/exchange-lines.js' */

/**
 * An exchange for people, with secrets masked: where it was, how long it took, and its lines.
 *
 * @param {Exchange} exchange
 * @returns {string}
 */
export function exchangeText({ where, ms, ...exchange }) {
  return `${safe(where)} (${ms.toFixed(1)} ms)\n${exchangeLines(exchange).join('\n')}\n\n`;
}
