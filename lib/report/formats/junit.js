/** @import { Render } from '../types.js' */

/** @type {Render} */
export function render({ thresholds = [], errors, totalElapsed, run }) {
  const groups = errors.samples
    .map(({ count, kind, operation, message }) => `${count} ${kind} in ${operation}: ${message}`)
    .join('\n');
  const cases = [
    { name: 'no errors', failure: errors.allowed ? null : `${errors.count} errors\n${groups}` },
    ...thresholds.map(({ expression, passed, actual, unit }) => ({
      name: expression,
      failure: passed
        ? null
        : `${expression} failed: ${actual === null ? 'nothing was measured' : `it was ${actual} ${unit}`.trim()}`,
    })),
  ];
  const failures = cases.filter(({ failure }) => failure !== null).length;
  const time = (totalElapsed / 1000).toFixed(3);
  const attributes = `name="bench-rest" tests="${cases.length}" failures="${failures}" errors="0" time="${time}"${run ? ` timestamp="${xml(run.startedAt)}"` : ''}`;
  const lines = cases.map(({ name, failure }) => {
    const head = `    <testcase classname="bench-rest" name="${xml(name)}" time="${time}"`;
    return failure === null
      ? `${head}/>`
      : `${head}>\n      <failure message="${xml(failure.split('\n')[0])}">${xml(failure)}</failure>\n    </testcase>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite ${attributes}>\n${lines.join('\n')}\n  </testsuite>\n</testsuites>\n`;
}

/** Text that XML 1.0 allows: no lone surrogates, no noncharacters. @type {(text: string) => string} */
function xml(text) {
  return Buffer.from(text)
    .toString()
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
