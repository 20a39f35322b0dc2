import { measuredBeside, whenOf, reasonsFor, unmeasured } from '../../core/measure/outcome-reasons.js';
import { areErrorsAllowed, lacksLoad, limitsOf, reasonsOf } from '../../core/measure/outcome.js';
import { metricRows } from '../../core/measure/user-metrics.js';
import { errorLines } from '../../core/report/errors.js';
import { xml } from './markup.js';
import { missingOf, outcomeOf, trustOf, validityOf } from '../../core/report/outcome.js';
import { boundNotes, checkRows } from '../../core/report/rows.js';

/** @import { Judgement, OutcomeReason } from '../../core/contracts/stats.js' */
/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { Render, Result } from '../../core/report/types.js' */

/** The properties that every result has; those of metrics of hooks have their names. */
export const JUNIT_PROPERTIES = /** @type {const} */ (['outcome', 'validity']);
const FIGURES = /** @type {const} */ (['mean', 'median', 'p95', 'p99', 'max']);

/** Writes a test case for everything that a run is judged by; those in doubt are skipped. @type {Render} */
export function render(result) {
  const { title = 'bench-rest', startedAt, totalElapsed } = result;
  const cases = casesOf(result);
  const failures = cases.filter(({ failure }) => failure !== null).length;
  const doubts = doubtCases(result);
  const time = (totalElapsed / 1000).toFixed(3);
  const attributes = `name="${xml(title)}" tests="${cases.length + doubts.length}" failures="${failures}" errors="0" skipped="${doubts.length}" time="${time}"${startedAt === undefined ? '' : ` timestamp="${xml(startedAt)}"`}`;
  // CI servers add up the times of the cases, so only the suite has one.
  const headOf = (/** @type {string} */ name) => `    <testcase classname="bench-rest" name="${xml(name)}"`;
  const lines = cases.map(({ name, failure }) =>
    failure === null
      ? `${headOf(name)}/>`
      : `${headOf(name)}>\n      <failure message="${xml(failure.split('\n')[0])}">${xml(failure)}</failure>\n    </testcase>`,
  );
  for (const { name, doubt } of doubts)
    lines.push(`${headOf(name)}>\n      <skipped message="${xml(doubt)}"/>\n    </testcase>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite ${attributes}>\n${properties(result)}${lines.join('\n')}\n  </testsuite>\n</testsuites>\n`;
}

/** @type {(result: Result) => { name: string, failure: string | null }[]} failure: null if the case passed */
function casesOf(result) {
  const { thresholds = [], errors } = result;
  const limits = limitsOf(result);
  // Each of these has a test case of its own.
  const listed = ['errors', 'threshold', 'undecided', ...limits.map(({ reason }) => reason)];
  const isAllowed = areErrorsAllowed(result);
  const groups = errorLines(result).join('\n');
  const noErrors = {
    name: 'no errors',
    failure: isAllowed ? null : `${errors.count} ${errors.count === 1 ? 'error' : 'errors'}\n${groups}`,
  };
  return [
    // The case of a threshold on errors says whether it allows them.
    ...(isAllowed && errors.count > 0 ? [] : [noErrors]),
    ...thresholds
      .filter(isDecided)
      .map((threshold) => ({ name: threshold.expression, failure: failureOf(threshold, result) })),
    // A threshold may allow some failures.
    ...checkRows(result).map(({ name, total, failures, failure }) => ({
      name,
      failure: failures === 0 || isAllowed ? null : `${failures} of ${total} failed; first: ${failure}`,
    })),
    ...limits.filter(isDecided).map(({ name, message = null }) => ({ name, failure: message })),
    ...reasonsOf(result)
      .filter((reason) => !listed.includes(reason))
      .map((reason) => {
        const found = reasonsFor(reason, result);
        return { name: nameOf(reason, found[0]), failure: found.map(({ message }) => message).join('; ') };
      }),
  ];
}

/** Requests may be answered, and no iteration completed. @type {(reason: Reason, first: OutcomeReason) => string} */
function nameOf(reason, { figure }) {
  return `the run: ${reason === 'unanswered' ? `${figure}>0` : reason}`;
}

/** @type {(threshold: Judgement, result: Result) => string | null} */
function failureOf(threshold, result) {
  const { expression, passed, actual } = threshold;
  if (passed) return null;
  const was = actual === null ? unmeasured(result) : `it was ${measuredBeside(threshold)}`;
  return [`${expression} failed: ${[was, ...whenOf(threshold)].join(' ')}`, ...errorLines(result)].join('\n');
}

/** @type {(goal: { undecided?: boolean }) => boolean} */
function isDecided({ undecided = false }) {
  return !undecided;
}

/**
 * Lists the cases that could not be tested: thresholds inside the range of their figure, a load of which a part is
 * missing, and figures that cannot be trusted.
 * @type {(result: Result) => { name: string, doubt: string }[]}
 */
function doubtCases(result) {
  const { thresholds = [] } = result;
  const limits = limitsOf(result).map(({ name, undecided, message }) => ({
    ...{ expression: name, undecided, doubt: message },
  }));
  const trust = validityOf(result) === 'valid' ? null : trustOf(result);
  return [
    ...boundNotes(result).map((doubt) => ({ name: 'each figure has a name of its own', doubt })),
    ...(lacksLoad(result) ? [{ name: 'the whole load was sent', doubt: missingOf(result) }] : []),
    ...(trust === null ? [] : [{ name: 'the figures can be trusted', doubt: trust }]),
    ...[...thresholds, ...limits].flatMap(({ expression, undecided, doubt = '' }) =>
      undecided ? [{ name: expression, doubt }] : [],
    ),
  ];
}

/** The two judgements, and the metrics of hooks with their figures. @type {(result: Result) => string} */
function properties(result) {
  const figures = metricRows(result).flatMap(({ name, count, rate, values }) => [
    [values || rate !== null ? `${name}.count` : name, count],
    [`${name}.rate`, rate],
    ...FIGURES.map((key) => [`${name}.${key}`, values && values[key]]),
  ]);
  const measured = figures
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [String(name), String(Math.round(Number(value) * 1e6) / 1e6)]);
  const values = { outcome: outcomeOf(result).status, validity: validityOf(result) };
  const judged = JUNIT_PROPERTIES.map((name) => [name, values[name]]);
  const used = new Set();
  const lines = [...judged, ...measured].map(([name, value]) => {
    let only = name;
    // A hook may name its metric `outcome`.
    while (used.has(only)) only = `metrics.${only}`;
    used.add(only);
    return `      <property name="${xml(only)}" value="${xml(value)}"/>\n`;
  });
  return `    <properties>\n${lines.join('')}    </properties>\n`;
}
