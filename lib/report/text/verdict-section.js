import { escapeText } from '../escape.js';
import { wrapped } from '../layout.js';

/** @type {import('./index.js').Section} */
export function verdictSection({ verdict: { status, reasons } }, { paint, width }) {
  const colours = /** @type {const} */ ({ valid: 'green', suspect: 'yellow', invalid: 'red' });
  return [
    `${paint('bold', 'verdict')}  ${paint(colours[status], status)}`,
    ...reasons.map((reason) => `  ${wrapped(escapeText(reason), 2, width)}`),
  ];
}
