import { logLines } from '../log-lines.js';
import { wrapped } from './layout.js';

const STYLES = /** @type {const} */ ({ complete: 'dim', sample: 'yellow', failed: 'red' });

/** The files of the log of requests. @type {import('./index.js').Section} */
export function logSection(result, { width, paint }) {
  return logLines(result).map(({ text, state }) => paint(STYLES[state], wrapped(text, 2, width)));
}
