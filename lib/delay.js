import { readMsRange } from './units.js';

/**
 * @typedef {object} Delay of responses
 * @property {[from: number, to: number]} range ms, evenly distributed
 * @property {{ share: number, range: [from: number, to: number] }[]} tails slower ranges and the share of responses, 0 to 1, that
 *   have them
 */

const MAX_MS = 600_000;
const TAIL = /^\s*(\d+(?:\.\d+)?)%\s*:(.*)$/s;

/** The texts that {@link readDelay} reads, to complete "expected …". */
export const DELAYS =
  'a time such as 20ms, a range such as 10ms,50ms, or either with a slow tail such as 20ms,1%:500ms; at most 600000 ms';

/**
 * Reads the delay of responses: a time, a range of times, and slow tails: `20`, `'20ms'`, `[10, 50]`, `'10ms,50ms'`,
 * `'20ms,1%:500ms'`, `'10ms,50ms,5%:200ms,0.1%:1s,2s'`.
 *
 * @param {unknown} given
 * @returns {Delay | null} null for anything else
 */
export function readDelay(given) {
  const groups = typeof given === 'string' ? groupsOf(given) : [{ share: 1, times: given }];
  const [first, ...tails] = groups.map(({ share, times }) => ({ share, range: readMsRange(times) }));
  const isValid =
    [first, ...tails].every(({ range }) => range !== null && range[1] <= MAX_MS) &&
    first.share === 1 &&
    tails.reduce((sum, { share }) => sum + share, 0) <= 1;
  return isValid ? /** @type {Delay} */ ({ range: first.range, tails }) : null;
}

/** Times up to the next percentage belong together. @type {(text: string) => { share: number, times: string }[]} */
function groupsOf(text) {
  /** @type {{ share: number, times: string[] }[]} */
  const groups = [{ share: 1, times: [] }];
  for (const item of text.split(',')) {
    const [, percent, time = item] = TAIL.exec(item) ?? [];
    if (percent !== undefined) groups.push({ share: Number(percent) / 100, times: [] });
    groups[groups.length - 1].times.push(time);
  }
  return groups.map(({ share, times }) => ({ share, times: times.join(',') }));
}
