import { EXIT_CODES } from '../../exit-codes.js';
import { checkRows } from '../checks.js';
import { metricRows } from '../../measure/user-metrics.js';
import { measurementOf, outcomeOf, reasonsOf } from '../outcome.js';
import { xml } from '../xml.js';

/** @import { Render, Result } from '../types.js' */

const FIGURES = /** @type {const} */ (['mean', 'median', 'p95', 'p99', 'max']);

/** @type {Render} */
export function render(result) {
  const { thresholds = [], baseline, errors, totalElapsed, title = 'bench-rest' } = result;
  const { limits = [] } = baseline ?? {};
  // each has a test case of its own
  const listed = ['errors', 'threshold', ...(limits.length > 0 ? ['regression'] : [])];
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
    // a threshold may allow some failures
    ...checkRows(result).map(({ name, total, failures, failure }) => ({
      name,
      failure: failures === 0 || errors.allowed ? null : `${failures} of ${total} failed; first: ${failure}`,
    })),
    ...limits.map(({ expression, problem }) => ({
      name: `max-regression ${expression}`,
      failure: problem ?? null,
    })),
    ...reasonsOf(result)
      .filter((reason) => !listed.includes(reason))
      .map((reason) => ({ name: `the run: ${reason}`, failure: EXIT_CODES[reason].about })),
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

/** The two judgements, and the metrics of hooks, each with the figures that it has. @type {(result: Result) => string} */
function properties(result) {
  const figures = metricRows(result).flatMap(({ name, count, rate, values }) => [
    [values || rate !== null ? `${name}.count` : name, count],
    [`${name}.rate`, rate],
    ...FIGURES.map((key) => [`${name}.${key}`, values && values[key]]),
  ]);
  const measured = figures
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [String(name), String(Math.round(Number(value) * 1e6) / 1e6)]);
  const judged = [
    ['outcome', outcomeOf(result).status],
    ['measurement', measurementOf(result)],
  ];
  const lines = [...judged, ...measured].map(
    ([name, value]) => `      <property name="${xml(name)}" value="${xml(value)}"/>\n`,
  );
  return `    <properties>\n${lines.join('')}    </properties>\n`;
}
