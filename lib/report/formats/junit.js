import { metricRows } from '../../measure/user-metrics.js';

/** @import { Render } from '../types.js' */

const FIGURES = /** @type {const} */ (['mean', 'median', 'p95', 'p99', 'max']);

/** @type {Render} */
export function render(result) {
  const { thresholds = [], errors, totalElapsed, title = 'bench-rest' } = result;
  const startedAt = result.startedAt ?? result.run?.startedAt;
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
  const attributes = `name="${xml(title)}" tests="${cases.length}" failures="${failures}" errors="0" time="${time}"${startedAt === undefined ? '' : ` timestamp="${xml(startedAt)}"`}`;
  const lines = cases.map(({ name, failure }) => {
    const head = `    <testcase classname="bench-rest" name="${xml(name)}" time="${time}"`;
    return failure === null
      ? `${head}/>`
      : `${head}>\n      <failure message="${xml(failure.split('\n')[0])}">${xml(failure)}</failure>\n    </testcase>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite ${attributes}>\n${properties(result)}${lines.join('\n')}\n  </testsuite>\n</testsuites>\n`;
}

/** The metrics of hooks, each with the figures that it has. @type {(result: object) => string} */
function properties(result) {
  const figures = metricRows(result).flatMap(({ name, count, rate, values }) => [
    [values || rate !== null ? `${name}.count` : name, count],
    [`${name}.rate`, rate],
    ...FIGURES.map((key) => [`${name}.${key}`, values && values[key]]),
  ]);
  const lines = figures
    .filter(([, value]) => value !== null)
    .map(
      ([name, value]) =>
        `      <property name="${xml(String(name))}" value="${Math.round(Number(value) * 1e6) / 1e6}"/>\n`,
    );
  return lines.length > 0 ? `    <properties>\n${lines.join('')}    </properties>\n` : '';
}

/** Text that XML 1.0 allows: no lone surrogates, no noncharacters. @type {(text: string) => string} */
function xml(text) {
  return Buffer.from(text)
    .toString()
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
