import { PROGRAMS } from './programs.js';
import { REFUSED } from './refused.js';
import { REQUESTS } from './requests.js';

/** Traits that 1.2.4 could not run, and how it failed: no program did that, or none worked. @type {Record<string, 'throws' | 'crashes' | 'hangs' | 'fails'>} */
export const MENDED = {
  'a frozen flow': 'throws',
  'before freezes headers that it completes': 'crashes',
  'shape: a frozen flow, whose headers before completes': 'throws',
  'shape: a sealed operation': 'crashes',
  'shape: a getter in json that throws until beforeMain has run': 'crashes',
  'a hook returns nothing': 'hangs',
  'a hook is async': 'crashes',
  'Transfer-Encoding: chunked': 'fails',
  'a path with an umlaut is percent-encoded': 'fails',
};

/**
 * What each side does, in those parts in which they differ. `guide` is the beginning of the row of
 * `docs/reference/changes-since-1.md` that has what to write instead.
 *
 * @typedef {Record<string, { guide: string, theirs: Partial<import('../traits/index.js').Played>, ours: Partial<import('../traits/index.js').Played> }>} Differences
 */

/** Traits that differ on purpose. @type {Differences} */
export const DIFFERENCES = { ...REQUESTS, ...PROGRAMS, ...REFUSED };
