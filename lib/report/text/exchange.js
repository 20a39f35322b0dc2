import { exchangeLines } from '../../text/exchange-lines.js';
import { hideSecretsOf } from '../../text/mask.js';
import { safe } from '../../text/safe.js';

/** @import { TracedExchange } from '../../text/exchange-lines.js' */

/**
 * An exchange for people, with secrets masked: where it was, how long it took, and its lines.
 *
 * @param {TracedExchange} exchange
 * @returns {string}
 */
export function exchangeText({ where, ms, secrets, ...exchange }) {
  const outer = hideSecretsOf({ secrets: () => secrets });
  try {
    return `${safe(where)} (${ms.toFixed(1)} ms)\n${exchangeLines(exchange).join('\n')}\n\n`;
  } finally {
    hideSecretsOf(outer);
  }
}
