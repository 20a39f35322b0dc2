import { PROGRAMS } from './programs.js';
import { REQUESTS } from './requests.js';

/** Traits that 1.2.4 could not run, and how it failed: no program did that, or none worked. @type {Record<string, 'throws' | 'crashes' | 'hangs' | 'fails'>} */
export const MENDED = {
  'a frozen flow': 'throws',
  'a hook returns nothing': 'hangs',
  'a hook is async': 'crashes',
  'Transfer-Encoding: chunked': 'fails',
  'a path with an umlaut is percent-encoded': 'fails',
};

/**
 * What each side does, in those parts in which they differ. `guide` is the beginning of the row of
 * `docs/guide/migrating-from-1.md` that has the reason, and what to write instead.
 *
 * @typedef {Record<string, { guide: string, theirs: Partial<import('../traits/index.js').Played>, ours: Partial<import('../traits/index.js').Played> }>} Differences
 */

/** Traits that differ on purpose. @type {Differences} */
export const DIFFERENCES = { ...REQUESTS, ...PROGRAMS };

/** Rows of the guide about what cannot be played here: other tests show it. */
export const NOT_PLAYED = [
  'Node 20.19',
  'The command prints a readable report',
  'The progress display',
  '`-e "{ get: http',
  '`--prealloc` is 0',
  'Ctrl-C',
  '`process.chdir`',
  'An operation has a timeout',
  'Redirects never carry credentials',
  'Credentials of the run',
  'A `unix:` URL',
  '`Secure` cookies',
  '`oauth`',
  '`HTTP_PROXY`',
  '`tunnel: false`',
  '`Connection: keep-alive` is not sent',
  'Options of the request library',
  'Percentiles cover all',
  '`runOptions.prealloc` is 0',
  '`all.response` has',
  'The jar of an iteration',
  'Hooks cannot change',
  'The metrics of',
];
