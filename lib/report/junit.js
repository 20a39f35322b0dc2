import { areErrorsAllowed } from './allowed-errors.js';
import { escapeText } from './escape.js';
import { maskText } from '../mask.js';

/** @import { Reporter } from './types.js' */

/** @type {Reporter} */
export default {
  name: 'junit',
  about: 'a test case for each threshold, and one for the errors, for CI',
  extension: '.xml',

  render({ thresholds = [], errors, totalElapsed, run }) {
    const kinds = errors.samples
      .map(({ count, kind, operation, message }) => `${count} x ${kind} in ${operation}: ${message}`)
      .join('\n');
    const cases = [
      {
        name: 'no errors',
        failure: areErrorsAllowed({ errors, thresholds }) ? null : `${errors.count} errors\n${kinds}`,
      },
      ...thresholds.map(({ expression, passed, actual, unit }) => ({
        name: expression,
        failure: passed
          ? null
          : `${expression} failed: ${actual === null ? 'nothing was measured' : `it was ${actual} ${unit}`.trim()}`,
      })),
    ];
    const failures = cases.filter(({ failure }) => failure !== null).length;
    const time = (totalElapsed / 1000).toFixed(3);
    const attributes = `name="bench-rest" tests="${cases.length}" failures="${failures}" errors="0" time="${time}"${run ? ` timestamp="${run.startedAt}"` : ''}`;
    const lines = cases.map(({ name, failure }) => {
      const head = `    <testcase classname="bench-rest" name="${xml(name)}" time="${time}"`;
      return failure === null
        ? `${head}/>`
        : `${head}>\n      <failure message="${xml(failure.split('\n')[0])}">${xml(failure)}</failure>\n    </testcase>`;
    });
    return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite ${attributes}>\n${lines.join('\n')}\n  </testsuite>\n</testsuites>\n`;
  },
};

/** Text as XML 1.0 may hold it: lines without control characters, no lone half of a character. @type {(text: string) => string} */
function xml(text) {
  return Buffer.from(maskText(text).split('\n').map(escapeText).join('\n'))
    .toString()
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
