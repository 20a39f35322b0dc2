import { offered } from '../../ground/addons.js';
import { safeCopy } from '../../text/safe.js';

/** @import { Reporter } from '../types.js' */

/** A file gets the first one with its extension. Each is loaded when it is used. @type {Reporter[]} */
export const REPORTERS = [
  {
    name: 'text',
    about: 'a report for people',
    extension: '.txt',
    isForPeople: true,
    load: () => import('../text/index.js'),
  },
  {
    name: 'json',
    about: 'the result as one JSON document',
    extension: '.json',
    isJson: true,
    load: () => import('./json.js'),
  },
  {
    name: 'ndjson',
    about: 'a line of JSON for each interval, then one for the result',
    extension: '.ndjson',
    isJson: true,
    load: async () => ({ render: (await import('./json.js')).renderLine }),
  },
  ...offered('formats'),
].map(withSafeTexts);

/** The longest text: the `section` that a flow adds to reports may have some pages. */
const LONGEST = 100_000;

/** Of stats that a program made. */
const NO_SERIES = /** @type {any} */ ({});

/**
 * Escapes all texts of a result before a reporter gets them: a saved result is untrusted, and no reporter can forget to
 * escape one. This copy is the only one of a report. JSON keeps its texts; `maskedJson` escapes them.
 * @type {(reporter: Reporter) => Reporter}
 */
function withSafeTexts(reporter) {
  if (reporter.isJson) return reporter;
  return {
    ...reporter,
    async load() {
      const [{ render }, { readablePart }, { withoutOwnCounts }] = await Promise.all([
        reporter.load(),
        import('../supported.js'),
        import('../../measure/histogram.js'),
      ]);
      return {
        render({ series: { points, ...others } = NO_SERIES, ...result }, options) {
          const change = reporter.isForPeople ? readablePart : withoutOwnCounts;
          const safe = safeCopy({ ...result, series: others }, LONGEST, change);
          // Points hold no text of others.
          return render({ ...safe, series: { ...safe.series, points } }, options);
        },
      };
    },
  };
}
